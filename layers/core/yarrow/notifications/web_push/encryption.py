"""Encrypts a message for one browser (RFC 8291): a key agreed on P-256 with the subscription's key and secret, and one
record of the content coding `aes128gcm` (RFC 8188).
"""

import os
import struct
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ec import (
    ECDH,
    SECP256R1,
    EllipticCurvePrivateKey,
    EllipticCurvePublicKey,
    generate_private_key,
)
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

MAX_BODY_BYTES: Final = 4_096
"""Push services take no more (RFC 8030)."""

_SALT_BYTES: Final = 16
_KEY_BYTES: Final = 65
_TAG_BYTES: Final = 16
_LAST_RECORD: Final = b"\x02"

MAX_MESSAGE_BYTES: Final = MAX_BODY_BYTES - _SALT_BYTES - 5 - _KEY_BYTES - _TAG_BYTES - len(_LAST_RECORD)


def public_key(encoded: bytes) -> EllipticCurvePublicKey:
    """Read an uncompressed point. Raises ValueError if it is none of the curve."""
    if len(encoded) != _KEY_BYTES:
        raise ValueError("the key has another length")
    return EllipticCurvePublicKey.from_encoded_point(SECP256R1(), encoded)


def encoded(key: EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def encrypt(
    message: bytes,
    receiver_key: bytes,
    receiver_secret: bytes,
    *,
    sender_key: EllipticCurvePrivateKey | None = None,
    salt: bytes | None = None,
) -> bytes:
    """Return the body of a push. The sender's key and the salt are new for each message, except in vectors.

    Raises ValueError for a receiver's key that is no point, or a message of more than MAX_MESSAGE_BYTES.
    """
    if len(message) > MAX_MESSAGE_BYTES:
        raise ValueError("the message is too long")
    receiver = public_key(receiver_key)
    own = sender_key or generate_private_key(SECP256R1())
    own_public = encoded(own.public_key())
    salt = salt or os.urandom(_SALT_BYTES)
    about = b"WebPush: info\0" + receiver_key + own_public
    shared = _derived(own.exchange(ECDH(), receiver), receiver_secret, about, 32)
    key = _derived(shared, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(shared, salt, b"Content-Encoding: nonce\0", 12)
    header = salt + struct.pack("!LB", MAX_BODY_BYTES, len(own_public)) + own_public
    return header + AESGCM(key).encrypt(nonce, message + _LAST_RECORD, None)


def _derived(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt, info).derive(secret)
