"""A user's attachments: signed URLs, and a run's pictures stored by path."""

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from yarrow.access import limits
from yarrow.media import signed_urls
from yarrow.observability.logs import logger
from yarrow.protocol.files.attachments import BUCKET, SignedUrl, StoredAttachment, check_path, type_by_path
from yarrow.protocol.problems import Code, Problem


def signed_url(user_id: str, bucket: str | None, path: str | None) -> SignedUrl:
    """Sign a URL for one of the user's attachments (SGN-01). Raises Problem 422, 403, 429 or 502 (SGN-02)."""
    own = check_path(bucket, path, user_id)
    limits.count(user_id, "signed_urls")
    return SignedUrl(bucket=BUCKET, path=own, url=_sign(own))


def attachment(path: str) -> StoredAttachment:
    """Sign the attachment's URL. Raises Problem 502."""
    return StoredAttachment(bucket=BUCKET, path=path, mime_type=type_by_path(path), url=_sign(path))


@dataclass(frozen=True, slots=True)
class StoredInput:
    """`expired` if one of its URLs had expired."""

    body: dict[str, Any]
    expired: bool


def stored_input(body: Mapping[str, Any], user_id: str, own: Collection[str] = ()) -> StoredInput:
    """Replace picture URLs of a valid input by paths and the files' types (RUN-16, RUN-17). `own` are already stored
    paths. Raises Problem 422 for a URL not signed here for this user, or not of a picture (ATT-07). Expired URLs are
    only flagged: a repeated submit may have them.
    """
    first, *others = body["messages"]
    if not isinstance(first["content"], list):
        return StoredInput(dict(body), expired=False)
    expired = False
    content = []
    for block in first["content"]:
        if block["type"] != "binary":
            content.append(block)
            continue
        path = block["url"]
        if path not in own:
            signed = _read(path, user_id)
            path, expired = signed.path, expired or signed.expired
        kept = {name: value for name, value in block.items() if name != "mime_type"}
        content.append(kept | {"mimeType": _picture_type(path), "url": path})
    return StoredInput({**body, "messages": [{**first, "content": content}, *others]}, expired)


@contextmanager
def storage_errors() -> Iterator[None]:
    """Turn errors of S3 into Problem 503 (ATT-04)."""
    try:
        yield
    except (BotoCoreError, ClientError) as error:
        logger.warning("storage failed", extra={"error": type(error).__name__})
        raise Problem(
            Code.AGENT_ATTACHMENT_STORAGE_UNAVAILABLE, "the file could not be stored; send the request again"
        ) from error


def _read(url: str, user_id: str) -> signed_urls.SignedObject:
    try:
        return signed_urls.read(url, user_id)
    except signed_urls.InvalidUrlError:
        # Without its cause: a log would show the URL.
        raise Problem(
            Code.AGENT_RUN_MESSAGES_INVALID, "binary content url was not issued by this service for an object of yours"
        ) from None


def _picture_type(path: str) -> str:
    mime_type = type_by_path(path)
    if not mime_type.startswith("image/"):
        raise Problem(Code.AGENT_RUN_MESSAGES_INVALID, "binary content requires image mimeType")
    return mime_type


def _sign(path: str) -> str:
    try:
        return signed_urls.sign(path)
    except (BotoCoreError, ClientError) as error:
        raise Problem(Code.AGENT_SIGNED_URL_GENERATION_FAILED, "the URL could not be signed") from error
