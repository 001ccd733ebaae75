"""Signed URLs of attachments, made and checked without a network, and a run's pictures that go in by them."""

import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote, urlsplit

import pytest

from yarrow.media import attachments, signed_urls
from yarrow.protocol.files.attachments import path_of
from yarrow.protocol.problems import Code, Problem
from yarrow.settings import settings
from yarrow.store import clients

PICTURE = "agent-inputs/alice/91f0ab3c-2d4e-4a6b-8c7d-0e1f2a3b4c5d-卦象.png"
DOCUMENT = "agent-inputs/alice/91f0ab3c-2d4e-4a6b-8c7d-0e1f2a3b4c5d.pdf"
VARIABLES = {
    "AWS_ACCESS_KEY_ID": "AKIDEXAMPLE",
    "AWS_SECRET_ACCESS_KEY": "example",
    "AWS_SESSION_TOKEN": "passing/token+",
    "AWS_DEFAULT_REGION": "eu-west-1",
    "AWS_EC2_METADATA_DISABLED": "true",
}


@pytest.fixture(autouse=True)
def deployed(monkeypatch: pytest.MonkeyPatch, socket_disabled: None) -> Iterator[None]:
    """Credentials and the deployment's variables; there is no network."""
    for name, value in VARIABLES.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setitem(settings.__dict__, "bucket_name", "stack-inputs")
    monkeypatch.setitem(settings.__dict__, "url_signing_key", b"key")
    monkeypatch.setitem(settings.__dict__, "signed_urls_per_minute", 0)
    forget()
    yield
    forget()


def forget() -> None:
    clients._session.cache_clear()
    clients._s3.cache_clear()


def without_credentials(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"):
        monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", "/dev/null")
    forget()


def later(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + seconds)


def test_a_url_is_one_of_s3_for_the_object_in_its_region() -> None:
    """SGN-01: signed as every region takes it, for a quarter of an hour."""
    parts = urlsplit(signed_urls.sign(PICTURE))
    assert (parts.scheme, parts.netloc) == ("https", "stack-inputs.s3.eu-west-1.amazonaws.com")
    assert parts.path == f"/{quote(PICTURE)}"
    assert "X-Amz-Algorithm=AWS4-HMAC-SHA256" in parts.query
    assert "X-Amz-Expires=900" in parts.query


def test_a_url_leads_back_to_its_object() -> None:
    """RUN-16, SGN-04."""
    before = int(time.time())
    signed = signed_urls.verify(signed_urls.sign(PICTURE), "alice")
    assert (signed.bucket, signed.path, signed.expired) == ("agent-inputs", PICTURE, False)
    assert before + 900 <= signed.expires_at <= time.time() + 900


@pytest.mark.parametrize("user", ["auth0|5f7c", "a/..\\b%", "..", "卦 象", "a?b#c&d=e"])
def test_a_user_may_be_called_anything(user: str) -> None:
    """SEC-07, RUN-16."""
    path = path_of(user, "91f0ab3c-2d4e-4a6b-8c7d-0e1f2a3b4c5d", "a", "image/png")
    assert signed_urls.verify(signed_urls.sign(path), user).path == path


def test_a_url_is_made_for_one_user() -> None:
    """RUN-16, SEC-03: another's URL is refused, however good."""
    for user in ("bob", "alicex", "alic", "", "alice/.."):
        with pytest.raises(signed_urls.InvalidUrlError):
            signed_urls.read(signed_urls.sign(PICTURE), user)


def test_no_digit_of_a_url_may_be_changed() -> None:
    """SGN-04, RUN-16: The parts are object, moment, expiry, credential and either signature."""
    url = signed_urls.sign(PICTURE)
    digits = [at for at, character in enumerate(url) if character.isascii() and character.isdigit()]
    assert len(digits) > 50
    for at in digits:
        with pytest.raises(signed_urls.InvalidUrlError):
            signed_urls.read(url[:at] + str((int(url[at]) + 1) % 10) + url[at + 1 :], "alice")


@pytest.mark.parametrize(
    ("part", "other"),
    [
        ("https:", "http:"),
        ("stack-inputs.s3", "elsewhere.s3"),
        ("agent-inputs/alice", "agent-inputs/bob"),
        (".png", ".pdf"),
        ("X-Amz-Expires=900", "X-Amz-Expires=9000"),
        ("X-Amz-Expires=900&", ""),
        ("X-Amz-Expires=900", "X-Amz-Expires=900&X-Amz-Expires=900"),
        ("#", "&x=y#"),
        ("#", "#x"),
        ("#", "%23"),
    ],
)
def test_nothing_may_be_put_in_left_out_or_exchanged(part: str, other: str) -> None:
    """SGN-04, RUN-16."""
    url = signed_urls.sign(PICTURE)
    assert part in url
    with pytest.raises(signed_urls.InvalidUrlError):
        signed_urls.read(url.replace(part, other, 1), "alice")


def test_a_url_may_be_spelled_in_another_way() -> None:
    """RUN-16: clients write percent-encoding as they like."""
    address, _, seal = signed_urls.sign(PICTURE).partition("#")
    spelled = address.replace("%2F", "/").replace("%E5", "%e5").replace("X-Amz", "X%2DAmz")
    assert spelled != address
    assert signed_urls.read(f"{spelled}#{seal}", "alice").path == PICTURE


def test_the_seal_of_another_deployment_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """RUN-16."""
    url = signed_urls.sign(PICTURE)
    monkeypatch.setitem(settings.__dict__, "url_signing_key", b"another")
    with pytest.raises(signed_urls.InvalidUrlError):
        signed_urls.read(url, "alice")


def test_a_url_expires(monkeypatch: pytest.MonkeyPatch) -> None:
    """SGN-04, RUN-16: and is still known for one of this service's."""
    url = signed_urls.sign(PICTURE)
    later(monkeypatch, 898)
    signed_urls.verify(url, "alice")
    later(monkeypatch, 901)
    with pytest.raises(signed_urls.InvalidUrlError):
        signed_urls.verify(url, "alice")
    assert signed_urls.read(url, "alice").expired


NOT_OURS = [
    "",
    "#",
    "#seal",
    "https://storage.example.com/agent-inputs/alice/image.png?signature=xxx",
    f"https://stack-inputs.s3.eu-west-1.amazonaws.com/{PICTURE}",
    f"https://stack-inputs.s3.eu-west-1.amazonaws.com/{PICTURE}#",
    f"https://stack-inputs.s3.eu-west-1.amazonaws.com/{PICTURE}#{'A' * 43}",
    f"https://x/{PICTURE}#卦",
    "http://[#" + "A" * 43,
    "\ud800#" + "A" * 43,
    PICTURE,
    "data:image/png;base64,AAAA",
    "file:///etc/passwd#x",
    "x" * 100_000 + "#x",
]


@pytest.mark.parametrize("url", NOT_OURS)
def test_what_this_service_did_not_sign_is_refused(url: str) -> None:
    """RUN-16: and the reason holds nothing of it (SEC-05)."""
    with pytest.raises(signed_urls.InvalidUrlError) as caught:
        signed_urls.read(url, "alice")
    assert len(str(caught.value)) < 60


def test_a_fresh_url_is_given_for_ones_own_path() -> None:
    """SGN-01."""
    answer = attachments.signed_url("alice", "agent-inputs", PICTURE)
    assert (answer.bucket, answer.path) == ("agent-inputs", PICTURE)
    assert signed_urls.verify(answer.url, "alice").path == PICTURE


def test_a_url_that_cannot_be_signed_is_the_services_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """SGN-02, ERR-07."""
    without_credentials(monkeypatch)
    with pytest.raises(Problem) as caught:
        attachments.signed_url("alice", "agent-inputs", PICTURE)
    assert (caught.value.code, caught.value.status) == (Code.AGENT_SIGNED_URL_GENERATION_FAILED, 502)


# ---- A run's pictures ------------------------------------------------------------------------------------------------
def body(*urls: str, **more: Any) -> dict[str, Any]:
    blocks: list[dict[str, Any]] = [{"type": "text", "text": "这张图片里的内容是什么?"}]
    blocks += [{"type": "binary", "mimeType": "image/jpeg", "url": url, **more} for url in urls]
    return {
        "threadId": "t",
        "messages": [{"id": "m", "role": "user", "content": blocks}, {"id": "n", "role": "system"}],
    }


def test_a_picture_stays_by_its_path_and_no_signature_is_left() -> None:
    """RUN-17, SEC-05, ATT-07: with the type that its bytes have."""
    url = signed_urls.sign(PICTURE)
    given_body = body(url, filename="plate.jpg")
    stored = attachments.stored_input(given_body, "alice")
    _, picture = stored.body["messages"][0]["content"]
    assert picture == {"type": "binary", "mimeType": "image/png", "url": PICTURE, "filename": "plate.jpg"}
    assert "X-Amz" not in str(stored)
    assert not stored.expired
    assert stored.body | {"messages": None} == given_body | {"messages": None}
    assert stored.body["messages"][1] == given_body["messages"][1]
    assert given_body == body(url, filename="plate.jpg"), "what was given is left as it is"


def test_a_member_in_snake_case_is_no_second_one() -> None:
    """RUN-02, RUN-17."""
    given_body = body(signed_urls.sign(PICTURE), mime_type="image/gif")
    picture = attachments.stored_input(given_body, "alice").body["messages"][0]["content"][1]
    assert picture == {"type": "binary", "mimeType": "image/png", "url": PICTURE}


def test_the_same_picture_by_another_url_is_the_same_input(monkeypatch: pytest.MonkeyPatch) -> None:
    """RUN-17, RUN-23: a submit may be repeated with a fresh URL, or with the old one."""
    first = signed_urls.sign(PICTURE)
    monkeypatch.setenv("AWS_SESSION_TOKEN", "next")
    forget()
    second = signed_urls.sign(PICTURE)
    assert first != second
    inputs = [attachments.stored_input(body(url), "alice") for url in (first, second)]
    assert inputs[0] == inputs[1]
    later(monkeypatch, 901)
    late = attachments.stored_input(body(first), "alice")
    assert (late.body, late.expired) == (inputs[0].body, True)


def test_an_input_without_pictures_is_itself() -> None:
    """RUN-17."""
    for content in ("什么?", [{"type": "text", "text": "什么?"}]):
        given_body = {"messages": [{"id": "m", "role": "user", "content": content}]}
        assert attachments.stored_input(given_body, "alice") == attachments.StoredInput(given_body, expired=False)


@pytest.mark.parametrize("url", NOT_OURS[3:8])
def test_an_input_with_a_url_of_elsewhere_is_refused(url: str) -> None:
    """RUN-16, SEC-05: wherever among good ones it stands, and its error does not lead back to it."""
    with pytest.raises(Problem) as caught:
        attachments.stored_input(body(signed_urls.sign(PICTURE), url), "alice")
    assert (caught.value.code, caught.value.status) == (Code.AGENT_RUN_MESSAGES_INVALID, 422)
    assert caught.value.__suppress_context__
    assert "X-Amz" not in str(caught.value.document())


def test_an_input_with_the_picture_of_another_is_refused() -> None:
    """RUN-16, SEC-03."""
    with pytest.raises(Problem) as caught:
        attachments.stored_input(body(signed_urls.sign(PICTURE)), "bob")
    assert caught.value.code is Code.AGENT_RUN_MESSAGES_INVALID


def test_an_attachment_that_is_no_picture_is_no_part_of_a_run() -> None:
    """RUN-10, ATT-07: whatever its block says."""
    with pytest.raises(Problem) as caught:
        attachments.stored_input(body(signed_urls.sign(DOCUMENT)), "alice")
    assert caught.value.detail == "binary content requires image mimeType"
