"""The deployment as an application server (RFC 8292): its key pair, which browsers subscribe to, and the tokens that it
signs for push services.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import cache
from typing import Final
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, SECP256R1, EllipticCurvePrivateKey, derive_private_key
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from yarrow.formats import json_text
from yarrow.notifications.web_push import base64url, encryption
from yarrow.settings import settings

TOKEN_LIVES: Final = timedelta(hours=12)
"""Push services refuse tokens of more than 24 hours."""

_ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""The order of P-256."""

_SEED_BYTES: Final = 48
"""128 bits more than a key, so that all keys are equally likely (FIPS 186-5, A.2.1)."""


def application_server_key() -> str:
    """Return the public key as `pushManager.subscribe` takes it. It stays the same while the secret does."""
    return base64url.encode(encryption.encoded(_key(settings.web_push_secret).public_key()))


def authorization(endpoint: str, at: datetime) -> str:
    """Return the header `Authorization` for the push service of an endpoint."""
    parts = urlsplit(endpoint)
    claims: dict[str, object] = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": int((at + TOKEN_LIVES).timestamp()),
        "sub": settings.web_push_contact,
    }
    signed = ".".join(_part(member) for member in ({"typ": "JWT", "alg": "ES256"}, claims))
    r, s = decode_dss_signature(_key(settings.web_push_secret).sign(signed.encode(), ECDSA(SHA256())))
    signature = base64url.encode(r.to_bytes(32, "big") + s.to_bytes(32, "big"))
    return f"vapid t={signed}.{signature},k={application_server_key()}"


def _part(members: Mapping[str, object]) -> str:
    return base64url.encode(json_text.dumps(members).encode())


@cache
def _key(secret: bytes) -> EllipticCurvePrivateKey:
    """Derive the private key, so that the stack can make its secret itself: any text is one."""
    seed = HKDF(SHA256(), _SEED_BYTES, None, b"yarrow web push").derive(secret)
    return derive_private_key(int.from_bytes(seed, "big") % (_ORDER - 1) + 1, SECP256R1())
