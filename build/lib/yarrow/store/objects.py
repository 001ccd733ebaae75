"""Objects in the bucket, by key: the bytes that are too many for the table. What they mean is their callers' affair."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import IO, Any, Final

from botocore.exceptions import ClientError

from yarrow.settings import settings
from yarrow.store import clients

KEY_BYTES: Final = 1_024
"""What S3 takes."""

LIST_CAP: Final = 1_000
"""How many keys S3 lists at once."""

_CHUNK_BYTES = 64 * 1024
_TRIES = 3


def put(key: str, data: bytes | IO[bytes], content_type: str = "application/octet-stream") -> None:
    """Store an object, in place of one with that key."""
    clients.s3().put_object(Bucket=settings.bucket_name, Key=key, Body=data, ContentType=content_type)


def get(key: str, *, offset: int = 0, length: int | None = None) -> bytes | None:
    """The bytes of an object, or up to `length` of them from `offset`, which lies within it; None without it."""
    wanted: dict[str, Any] = {} if length is None else {"Range": f"bytes={offset}-{offset + length - 1}"}
    try:
        return clients.s3().get_object(Bucket=settings.bucket_name, Key=key, **wanted)["Body"].read()
    except ClientError as error:
        if error.response["Error"]["Code"] == "NoSuchKey":
            return None
        raise


@dataclass(frozen=True, slots=True)
class Stream:
    """An object being read: `size` in bytes, and they themselves in chunks, once."""

    content_type: str
    size: int
    chunks: Iterator[bytes]


@contextmanager
def stream(key: str) -> Iterator[Stream | None]:
    """An object to be read in chunks until the context is left, to its end or not; None without it."""
    try:
        answer = clients.s3().get_object(Bucket=settings.bucket_name, Key=key)
    except ClientError as error:
        if error.response["Error"]["Code"] != "NoSuchKey":
            raise
        yield None
        return
    with closing(answer["Body"]) as body:
        yield Stream(answer["ContentType"], answer["ContentLength"], body.iter_chunks(_CHUNK_BYTES))


def size(key: str) -> int | None:
    """How many bytes an object has; None without it."""
    try:
        return clients.s3().head_object(Bucket=settings.bucket_name, Key=key)["ContentLength"]
    except ClientError as error:
        if error.response["Error"]["Code"] in ("404", "NoSuchKey"):
            return None
        raise


def put_new(key: str, data: bytes, content_type: str) -> bool:
    """Store an object unless there is one with that key; whether it was stored."""
    for left in reversed(range(_TRIES)):
        try:
            clients.s3().put_object(
                Bucket=settings.bucket_name, Key=key, Body=data, ContentType=content_type, IfNoneMatch="*"
            )
        except ClientError as error:
            code = error.response["Error"]["Code"]
            if code == "PreconditionFailed":
                return False
            # Another write of the key was going on; what became of it, the next try tells.
            if code != "ConditionalRequestConflict" or not left:
                raise
        else:
            break
    return True


def signed_get(key: str, seconds: int) -> str:
    """A URL at which anyone may read an object for so long. Asks nobody: the object may not be there."""
    return clients.s3().generate_presigned_url(
        "get_object", Params={"Bucket": settings.bucket_name, "Key": key}, ExpiresIn=seconds
    )


def signed_post(key: str, content_type: str, most_bytes: int, seconds: int) -> tuple[str, dict[str, str]]:
    """The URL and the fields of a form with which anyone may store one object of 1 to `most_bytes` for so long."""
    form = clients.s3().generate_presigned_post(
        settings.bucket_name,
        key,
        Fields={"Content-Type": content_type},
        Conditions=[{"Content-Type": content_type}, ["content-length-range", 1, most_bytes]],
        ExpiresIn=seconds,
    )
    return form["url"], form["fields"]


def delete(key: str) -> None:
    """Remove an object, if it is there."""
    clients.s3().delete_object(Bucket=settings.bucket_name, Key=key)


def keys(prefix: str, after: str | None = None, limit: int = LIST_CAP) -> tuple[list[str], bool]:
    """The first keys that begin so and come `after` one, LIST_CAP at most, and whether there are more."""
    later: dict[str, Any] = {} if after is None else {"StartAfter": after}
    answer = clients.s3().list_objects_v2(Bucket=settings.bucket_name, Prefix=prefix, MaxKeys=limit, **later)
    return [each["Key"] for each in answer.get("Contents", [])], answer["IsTruncated"]
