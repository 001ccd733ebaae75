"""Messages to browsers, beside RFC 8291's example, `http_ece` and `py_vapid`, none of which is of this project."""

from datetime import UTC, datetime
from typing import Final

import http_ece
import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, derive_private_key, generate_private_key
from hypothesis import given
from hypothesis import strategies as st
from py_vapid import Vapid02

from yarrow.notifications.web_push import base64url, encryption, vapid
from yarrow.settings import settings

# RFC 8291, section 5 and appendix A.
MESSAGE: Final = b"When I grow up, I want to be a watermelon"
RECEIVER_KEY: Final = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
RECEIVER_SECRET: Final = "BTBZMqHH6r4Tts7J_aSIgg"
SENDER_PRIVATE: Final = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
SALT: Final = "DGv6ra1nlYgDCS1FRnbzlw"
BODY: Final = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl"
    "7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)
KEY: Final = "BLmEf7MfFCv2i-RBuC52yHTFlCkTsJUguFPG3VYzxrmozAuZZF_AQHASbb8oGmXnchzI7em7Rfiv20WZfs0aY-Q"
AT: Final = datetime(2026, 11, 28, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def deployment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(settings.__dict__, "web_push_secret", b"a secret of the deployment")
    monkeypatch.setitem(settings.__dict__, "web_push_contact", "mailto:ops@example.com")


def test_the_example_of_the_rfc_is_encrypted_as_it_says() -> None:
    """EVB-08."""
    private = int.from_bytes(base64url.decode(SENDER_PRIVATE), "big")
    body = encryption.encrypt(
        MESSAGE,
        base64url.decode(RECEIVER_KEY),
        base64url.decode(RECEIVER_SECRET),
        sender_key=derive_private_key(private, SECP256R1()),
        salt=base64url.decode(SALT),
    )
    assert base64url.encode(body) == BODY


@given(st.binary(max_size=encryption.MAX_MESSAGE_BYTES))
def test_a_receiver_reads_what_was_sent(message: bytes) -> None:
    """EVB-08: as `http_ece` decrypts it, with keys of its own for each message; no body is too long for a service."""
    receiver, secret = generate_private_key(SECP256R1()), b"0123456789abcdef"
    public = encryption.encoded(receiver.public_key())
    bodies = [encryption.encrypt(message, public, secret) for _ in range(2)]
    assert bodies[0] != bodies[1]
    for body in bodies:
        assert len(body) <= encryption.MAX_BODY_BYTES
        assert http_ece.decrypt(body, private_key=receiver, auth_secret=secret, version="aes128gcm") == message


def test_a_message_that_no_service_takes_is_refused() -> None:
    with pytest.raises(ValueError, match="too long"):
        encryption.encrypt(b"x" * (encryption.MAX_MESSAGE_BYTES + 1), base64url.decode(RECEIVER_KEY), bytes(16))


@pytest.mark.parametrize("key", [b"", bytes(65), b"\x04" + b"\xff" * 64, base64url.decode(RECEIVER_KEY)[:-1]])
def test_a_key_that_is_no_point_of_the_curve_is_refused(key: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 (some messages are the library's)
        encryption.public_key(key)


def test_a_push_service_trusts_the_token() -> None:
    """EVB-08: RFC 8292, as `py_vapid` verifies it: of the service's origin, for half a day, with the contact."""
    header = vapid.authorization("https://push.example.com:8443/wpush/v2/abc?x=1", AT)
    assert Vapid02.verify(header)
    token = header.removeprefix("vapid t=").partition(",")[0].split(".")
    assert base64url.decode(token[1]) == (
        b'{"aud":"https://push.example.com:8443","exp":%d,"sub":"mailto:ops@example.com"}'
        % (AT.timestamp() + vapid.TOKEN_LIVES.total_seconds())
    )
    assert header.endswith(f",k={vapid.application_server_key()}")


def test_a_token_of_another_key_is_not_trusted() -> None:
    header = vapid.authorization("https://push.example.com", AT)
    settings.__dict__["web_push_secret"] = b"another secret"
    other = vapid.application_server_key()
    assert other not in header
    assert not Vapid02.verify(f"{header.partition(',k=')[0]},k={other}")


def test_the_key_is_the_same_as_long_as_the_secret_is() -> None:
    """Browsers are subscribed to it: it must not change between versions."""
    assert vapid.application_server_key() == KEY
    encryption.public_key(base64url.decode(vapid.application_server_key()))
