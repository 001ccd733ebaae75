"""Uploads, from what arrived in the bucket to the attachment: who may, what is refused, and whatever fails."""

import base64
import json
import time
from datetime import datetime, timedelta
from functools import partial

import pytest

from tests.support.divination_runs import submit
from tests.support.staged_uploads import WAYS, announced, everything, form, refusal, staged, thread
from tests.support.uploads import HOSTILE, PNG
from yarrow.media import signed_urls
from yarrow.media.uploads import begin_upload, finish_upload
from yarrow.protocol.files.attachments import MAX_BYTES
from yarrow.protocol.problems import Code
from yarrow.protocol.response_body import to_json
from yarrow.runs.delete_session import delete_session
from yarrow.settings import settings
from yarrow.store import clients, objects, table, uploads
from yarrow.store.limits import reservations

pytestmark = [pytest.mark.usefixtures("bucket"), pytest.mark.memory]


@pytest.mark.parametrize("way", WAYS)
def test_a_file_becomes_an_attachment_of_its_user(way: str) -> None:
    """ATT-01, ATT-03, ATT-06, ATT-07, SGN-01: and of what was staged nothing is left."""
    upload_id = WAYS[way](thread(), PNG)
    attachment = finish_upload("alice", upload_id).attachment
    assert json.loads(to_json(attachment)) == {
        "bucket": "agent-inputs",
        "path": f"agent-inputs/alice/{upload_id}-plate.png",
        "mimeType": "image/png",
        "url": attachment.url,
    }
    assert everything() == [attachment.path]
    assert objects.get(attachment.path) == PNG
    assert signed_urls.verify(attachment.url, "alice").path == attachment.path
    stored = clients.s3().head_object(Bucket=settings.bucket_name, Key=attachment.path)
    assert stored["ContentType"] == "image/png"


@pytest.mark.parametrize("way", WAYS)
def test_a_repeat_is_answered_as_the_first_time(way: str) -> None:
    """ATT-03: though nothing is staged any more, or something is staged again."""
    upload_id = WAYS[way](thread(), PNG)
    first = finish_upload("alice", upload_id).attachment
    assert finish_upload("alice", upload_id).attachment.path == first.path
    objects.put(uploads.staged_key("alice", upload_id), b"another", "image/png")
    assert finish_upload("alice", upload_id).attachment.path == first.path
    assert objects.get(first.path) == PNG


@pytest.mark.parametrize("way", WAYS)
def test_two_files_of_one_name_are_two(way: str) -> None:
    """ATT-06."""
    thread_id = thread()
    paths = {finish_upload("alice", WAYS[way](thread_id, PNG + bytes([n]))).attachment.path for n in range(2)}
    assert sorted(paths) == everything()
    assert {objects.get(path) for path in paths} == {PNG + b"\0", PNG + b"\1"}


@pytest.mark.parametrize("way", WAYS)
def test_a_file_may_have_5_mib_and_not_one_byte_more(way: str) -> None:
    """ATT-02, C28: a size that no function could be sent."""
    whole = PNG + bytes(MAX_BYTES - len(PNG))
    path = finish_upload("alice", WAYS[way](thread(), whole)).attachment.path
    assert objects.get(path) == whole
    upload_id = WAYS[way](thread(), whole + b"\0")
    assert refusal(lambda: finish_upload("alice", upload_id)) is Code.AGENT_ATTACHMENT_TOO_LARGE
    assert everything() == [path]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("data", "code"),
    [(b"", Code.AGENT_ATTACHMENT_EMPTY), (b"<svg/>", Code.AGENT_ATTACHMENT_TYPE_UNSUPPORTED)],
)
def test_a_file_that_is_refused_is_gone_and_reserves_nothing(way: str, data: bytes, code: Code) -> None:
    """ATT-02, ATT-07, ERR-06: a repeat finds nothing."""
    upload_id = WAYS[way](thread(), data)
    assert refusal(lambda: finish_upload("alice", upload_id)) is code
    assert everything() == []
    assert refusal(lambda: finish_upload("alice", upload_id)) is Code.AGENT_ATTACHMENT_NOT_FOUND


def test_a_form_that_is_none_is_refused_and_gone() -> None:
    """ATT-08."""
    for name, (media_type, body) in HOSTILE.items():
        upload_id = staged(body, media_type=media_type)
        assert (name, refusal(partial(finish_upload, "alice", upload_id))) == (name, Code.AGENT_ATTACHMENT_INVALID)
        assert everything() == []


def test_another_content_type_is_refused_and_gone() -> None:
    """ATT-08."""
    upload_id = staged(b'{"threadId": "x"}', media_type="application/json")
    assert refusal(lambda: finish_upload("alice", upload_id)) is Code.REQUEST_CONTENT_TYPE_UNSUPPORTED
    assert everything() == []


def test_an_upload_that_never_was_is_not_found() -> None:
    """ATT-03, SEC-07."""
    for upload_id in (thread(), "", "..", "../bob/x", "x" * 2_000, "é"):
        assert refusal(partial(finish_upload, "alice", upload_id)) is Code.AGENT_ATTACHMENT_NOT_FOUND


def test_nobody_finishes_or_touches_the_upload_of_another() -> None:
    """SEC-03, ATT-05: nor learns that it is there."""
    for upload_id in (staged(form(thread())), announced(thread(), PNG)):
        before = everything()
        assert refusal(partial(finish_upload, "bob", upload_id)) is Code.AGENT_ATTACHMENT_NOT_FOUND
        assert everything() == before


# ---- Threads ---------------------------------------------------------------------------------------------------------
def test_a_thread_id_that_is_none_is_refused() -> None:
    """ATT-05, ATT-08."""
    upload_id = staged(form("thread_001"))
    assert refusal(lambda: finish_upload("alice", upload_id)) is Code.AGENT_SESSION_ID_INVALID
    assert refusal(lambda: announced("thread_001", PNG)) is Code.AGENT_SESSION_ID_INVALID
    assert everything() == []


def test_the_owner_of_a_session_uploads_to_it_until_it_is_deleted() -> None:
    """ATT-05, SEC-03, SES-04."""
    thread_id = thread()
    submit(threadId=thread_id)
    finish_upload("alice", staged(form(thread_id.upper())))
    of_bob = staged(form(thread_id), "bob")
    assert refusal(lambda: finish_upload("bob", of_bob)) is Code.AGENT_FORBIDDEN
    late = [staged(form(thread_id)), announced(thread_id, PNG)]
    delete_session("alice", thread_id)
    for upload_id in late:
        assert refusal(partial(finish_upload, "alice", upload_id)) is Code.AGENT_SESSION_NOT_FOUND
    assert refusal(lambda: announced(thread_id, PNG)) is Code.AGENT_SESSION_NOT_FOUND
    assert len(everything()) == 1


@pytest.mark.parametrize("way", WAYS)
def test_an_upload_before_the_first_run_holds_the_thread_id(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """C25, ATT-05: It is held for its user, for a day."""
    thread_id = thread()
    finish_upload("alice", WAYS[way](thread_id, PNG))
    reserved = table.get(reservations.key(thread_id.upper()))
    reservations.check(reserved, "alice")
    assert refusal(lambda: reservations.check(reserved, "bob")) is Code.AGENT_FORBIDDEN
    of_bob = staged(form(thread_id), "bob")
    assert refusal(lambda: finish_upload("bob", of_bob)) is Code.AGENT_FORBIDDEN
    finish_upload("alice", WAYS[way](thread_id, PNG))
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 86_500)
    reservations.check(reserved, "bob")
    finish_upload("bob", staged(form(thread_id), "bob"))


def test_where_a_session_is_needed_nothing_is_held(monkeypatch: pytest.MonkeyPatch) -> None:
    """C25, ATT-05: A parameter of the deployment requires a session."""
    thread_id = thread()
    monkeypatch.setitem(settings.__dict__, "uploads_need_session", True)
    upload_id = staged(form(thread_id))
    assert refusal(lambda: finish_upload("alice", upload_id)) is Code.AGENT_SESSION_NOT_FOUND
    assert refusal(lambda: announced(thread_id, PNG)) is Code.AGENT_SESSION_NOT_FOUND
    assert table.get(reservations.key(thread_id)) is None
    submit(threadId=thread_id)
    finish_upload("alice", staged(form(thread_id)))


# ---- The direct way --------------------------------------------------------------------------------------------------
def test_the_bucket_is_told_what_it_may_take() -> None:
    """C28: The form allows one object, of one type, up to 5 MiB, for a quarter of an hour."""
    body = json.dumps({"threadId": thread(), "mimeType": "image/png"})
    upload = begin_upload(body.encode(), "alice")
    policy = json.loads(base64.b64decode(upload.fields["policy"]))
    assert ["content-length-range", 1, MAX_BYTES] in policy["conditions"]
    assert {"Content-Type": "image/png"} in policy["conditions"]
    assert {"key": f"staged/alice/{upload.upload_id}"} in policy["conditions"]
    assert upload.fields["x-amz-algorithm"] == "AWS4-HMAC-SHA256"
    ends = datetime.fromisoformat(policy["expiration"])
    assert abs(ends - datetime.fromisoformat(upload.expires_at)) < timedelta(seconds=5)


def test_nothing_sent_yet_is_nothing_found() -> None:
    """C28: and may still come."""
    body = json.dumps({"threadId": thread(), "mimeType": "image/png"})
    upload_id = begin_upload(body.encode(), "alice").upload_id
    assert refusal(lambda: finish_upload("alice", upload_id)) is Code.AGENT_ATTACHMENT_NOT_FOUND
    objects.put(uploads.staged_key("alice", upload_id), PNG, "image/png")
    assert finish_upload("alice", upload_id).attachment.path.endswith(f"{upload_id}.png")


def test_a_picture_of_a_type_that_no_attachment_has_is_not_waited_for() -> None:
    """ATT-07, C28: nothing is announced, and the thread is not held."""
    thread_id = thread()
    body = json.dumps({"threadId": thread_id, "mimeType": "image/svg+xml"})
    assert refusal(lambda: begin_upload(body.encode(), "alice")) is Code.AGENT_ATTACHMENT_TYPE_UNSUPPORTED
    reservations.reserve(thread_id, "bob")


NO_REQUESTS = [
    b"",
    b"{",
    b"[]",
    b"null",
    b'{"threadId": 5, "mimeType": "image/png"}',
    b'{"threadId": "550e8400-e29b-41d4-a716-446655440000"}',
    b'{"threadId": "550e8400-e29b-41d4-a716-446655440000", "mimeType": "png"}',
    b'{"threadId": "550e8400-e29b-41d4-a716-446655440000", "mimeType": "image/png\\r\\nx: y"}',
    b'{"threadId": "550e8400-e29b-41d4-a716-446655440000", "mimeType": "image/png", "filename": ["a"]}',
    b'{"threadId": "\xff"}',
]


def test_a_request_that_is_none_is_refused() -> None:
    """ATT-08."""
    for body in NO_REQUESTS:
        assert refusal(partial(begin_upload, body, "alice")) is Code.AGENT_ATTACHMENT_INVALID
