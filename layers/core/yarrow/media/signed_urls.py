"""Signs and recognises URLs of attachments (SGN-04, RUN-16), without network. S3's signature cannot be checked here, so
the fragment, which clients do not send, has an HMAC with a key of the deployment. Neither is logged (SEC-05).
"""

import base64
import hashlib
import hmac
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final
from urllib.parse import parse_qs, parse_qsl, unquote, urlsplit

from yarrow.formats import json_text
from yarrow.protocol.files.attachments import check_path
from yarrow.protocol.problems import Problem
from yarrow.settings import settings
from yarrow.store import objects

SECONDS: Final = 900

_MAX_CHARACTERS: Final = 8_192


class InvalidUrlError(Exception):
    """The URL was not signed here for this user. The message never contains it."""


@dataclass(frozen=True, slots=True)
class SignedObject:
    """`expires_at` is in epoch seconds."""

    bucket: str
    path: str
    expires_at: int

    @property
    def expired(self) -> bool:
        return self.expires_at <= time.time()


def sign(path: str) -> str:
    """Sign a URL. Raises BotoCoreError without credentials."""
    url = objects.signed_get(path, SECONDS)
    return f"{url}#{_seal(url)}"


def read(url: str, user_id: str) -> SignedObject:
    """Read a URL, expired or not. Raises InvalidUrlError unless `sign` made it for this user's object."""
    address, _, seal = url.rpartition("#")
    if not address or len(url) > _MAX_CHARACTERS or not seal.isascii():
        raise InvalidUrlError("the signature is missing")
    try:
        is_valid = hmac.compare_digest(seal, _seal(address))
    except ValueError:
        raise InvalidUrlError("it is not a URL") from None
    if not is_valid:
        raise InvalidUrlError("the signature does not match")
    parts = urlsplit(address)
    bucket, *rest = (unquote(segment) for segment in parts.path.split("/")[-3:])
    path = "/".join([bucket, *rest])
    try:
        check_path(bucket, path, user_id)
    except Problem:
        raise InvalidUrlError("the object belongs to another user") from None
    return SignedObject(bucket, path, _expiry(parts.query))


def verify(url: str, user_id: str) -> SignedObject:
    """Read a URL; raises InvalidUrlError also for an expired one (RUN-16)."""
    signed = read(url, user_id)
    if signed.expired:
        raise InvalidUrlError("it has expired")
    return signed


def _seal(address: str) -> str:
    # Over the decoded URL: clients may spell percent-encoding differently.
    parts = urlsplit(address)
    query = sorted([name, value] for name, value in parse_qsl(parts.query, keep_blank_values=True))
    meaning = json_text.canonical([parts.scheme, parts.netloc.lower(), unquote(parts.path), query])
    digest = hmac.digest(settings.url_signing_key, meaning.encode(), hashlib.sha256)
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")


def _expiry(query: str) -> int:
    members = parse_qs(query)
    signed_at = datetime.strptime(members["X-Amz-Date"][0], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
    return int(signed_at.timestamp()) + int(members["X-Amz-Expires"][0])
