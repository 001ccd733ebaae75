"""Uploads as API Gateway and clients leave them in the bucket, before they are taken on."""

import json
import uuid
from collections.abc import Callable

import pytest
from moto.s3.models import s3_backends

from local.stack import ACCOUNT
from tests.support.uploads import END, FORM, PNG, file_part, thread_part
from yarrow.media.uploads import begin_upload
from yarrow.protocol.problems import Problem, ProblemCode
from yarrow.settings import settings
from yarrow.store import objects, uploads


def thread() -> str:
    return str(uuid.uuid4())


def form(thread_id: str, data: bytes = PNG, filename: str = 'filename="plate.png"') -> bytes:
    return thread_part(thread_id) + file_part(data, filename) + END


def staged(body: bytes, user: str = "alice", media_type: str = FORM) -> str:
    """What API Gateway does with a form; returns the upload's id."""
    upload_id = str(uuid.uuid4())
    key = uploads.staged_key(user, upload_id)
    objects.put(key, body)
    # Put with the type of a form, moto would keep what is in it.
    kept = s3_backends[ACCOUNT]["aws"].get_object(settings.bucket_name, key)
    assert kept is not None
    kept.set_metadata({"content-type": media_type})
    return upload_id


def announced(thread_id: str, data: bytes, mime_type: str = "image/png", filename: str = "plate.png") -> str:
    """A file that its client sent to the bucket itself, which did not hold it to its word."""
    body = json.dumps({"threadId": thread_id, "mimeType": mime_type, "filename": filename})
    upload_id = begin_upload(body.encode(), "alice").upload_id
    objects.put(uploads.staged_key("alice", upload_id), data, mime_type)
    return upload_id


def refusal(act: Callable[[], object]) -> ProblemCode:
    with pytest.raises(Problem) as caught:
        act()
    return caught.value.code


def everything() -> list[str]:
    return objects.keys("")[0]


WAYS: dict[str, Callable[[str, bytes], str]] = {
    "form": lambda thread_id, data: staged(form(thread_id, data)),
    "direct": announced,
}
