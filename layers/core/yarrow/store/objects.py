"""Objects in the bucket."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import IO, Any, Final

from botocore.exceptions import ClientError

from yarrow.settings import settings
from yarrow.store import clients

KEY_BYTES: Final = 1_024

MAX_LIST: Final = 1_000

_CHUNK_BYTES = 64 * 1024
_TRIES = 3


def put(key: str, data: bytes | IO[bytes], content_type: str = "application/octet-stream") -> None:
    clients.s3().put_object(Bucket=settings.bucket_name, Key=key, Body=data, ContentType=content_type)


def get(key: str, *, offset: int = 0, length: int | None = None) -> bytes | None:
    """Read up to `length` bytes from `offset`, which must be within the object."""
    wanted: dict[str, Any] = {} if length is None else {"Range": f"bytes={offset}-{offset + length - 1}"}
    try:
        return clients.s3().get_object(Bucket=settings.bucket_name, Key=key, **wanted)["Body"].read()
    except ClientError as error:
        if error.response["Error"]["Code"] == "NoSuchKey":
            return None
        raise


@dataclass(frozen=True, slots=True)
class Stream:
    """An open object; `size` is in bytes, `chunks` can be read once."""

    content_type: str
    size: int
    chunks: Iterator[bytes]


@contextmanager
def stream(key: str) -> Iterator[Stream | None]:
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
    try:
        return clients.s3().head_object(Bucket=settings.bucket_name, Key=key)["ContentLength"]
    except ClientError as error:
        if error.response["Error"]["Code"] in ("404", "NoSuchKey"):
            return None
        raise


def put_new(key: str, data: bytes, content_type: str) -> bool:
    """Store an object; False if the key exists."""
    for left in reversed(range(_TRIES)):
        try:
            clients.s3().put_object(
                Bucket=settings.bucket_name, Key=key, Body=data, ContentType=content_type, IfNoneMatch="*"
            )
        except ClientError as error:
            code = error.response["Error"]["Code"]
            if code == "PreconditionFailed":
                return False
            # Another write of the key was in progress; the next try shows its result.
            if code != "ConditionalRequestConflict" or not left:
                raise
        else:
            break
    return True


def signed_get(key: str, seconds: int) -> str:
    """Sign a URL for an object, which may be missing."""
    return clients.s3().generate_presigned_url(
        "get_object", Params={"Bucket": settings.bucket_name, "Key": key}, ExpiresIn=seconds
    )


def signed_post(key: str, content_type: str, max_bytes: int, seconds: int) -> tuple[str, dict[str, str]]:
    """Return the URL and fields of a form that uploads one object of 1 to `max_bytes`."""
    form = clients.s3().generate_presigned_post(
        settings.bucket_name,
        key,
        Fields={"Content-Type": content_type},
        Conditions=[{"Content-Type": content_type}, ["content-length-range", 1, max_bytes]],
        ExpiresIn=seconds,
    )
    return form["url"], form["fields"]


def delete(key: str) -> None:
    clients.s3().delete_object(Bucket=settings.bucket_name, Key=key)


def sizes(prefix: str) -> Iterator[list[int]]:
    """Yield the sizes in bytes, page by page."""
    request: dict[str, Any] = {"Bucket": settings.bucket_name, "Prefix": prefix}
    while True:
        answer = clients.s3().list_objects_v2(**request)
        yield [entry["Size"] for entry in answer.get("Contents", [])]
        if not answer["IsTruncated"]:
            return
        request["ContinuationToken"] = answer["NextContinuationToken"]


def keys(prefix: str, after: str | None = None, limit: int = MAX_LIST) -> tuple[list[str], bool]:
    """Return the first keys after `after`, at most MAX_LIST, and whether there are more."""
    later: dict[str, Any] = {} if after is None else {"StartAfter": after}
    answer = clients.s3().list_objects_v2(Bucket=settings.bucket_name, Prefix=prefix, MaxKeys=limit, **later)
    return [entry["Key"] for entry in answer.get("Contents", [])], answer["IsTruncated"]
