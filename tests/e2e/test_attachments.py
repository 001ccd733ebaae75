"""Uploading files as apps do: a form that redirects, or straight to the bucket; then shown by a signed URL."""

import uuid
from typing import Any

import httpx
import pytest

from tests.support.stack.app import ROUTE, App, SignIn, problem, upload
from tests.support.uploads import HEADS, PNG

LARGEST = 5 * 1024 * 1024


@pytest.fixture
def thread() -> str:
    return str(uuid.uuid4())


def test_a_picture_is_uploaded_and_shown(alice: App, thread: str) -> None:
    """ATT-01, ATT-03, ATT-07, SGN-01, C28."""
    answer = upload(alice, thread, name="卦象 一.png")
    (redirect,) = answer.history
    assert (redirect.status_code, redirect.headers["access-control-allow-origin"]) == (303, "*")
    attachment = answer.json()["attachment"]
    assert (attachment["bucket"], attachment["mimeType"]) == ("agent-inputs", "image/png")
    assert attachment["path"].endswith("-卦象_一.png")

    again = alice.http.get(redirect.headers["location"]).json()["attachment"]
    assert again["path"] == attachment["path"]
    signed = alice.http.get(f"{ROUTE}/signed-url", params={k: attachment[k] for k in ("bucket", "path")})
    assert signed.json() == {"bucket": "agent-inputs", "path": attachment["path"], "url": signed.json()["url"]}
    for url in (attachment["url"], signed.json()["url"]):
        shown = httpx.get(url)  # with no token
        assert (shown.status_code, shown.headers["content-type"], shown.content) == (200, "image/png", PNG)


@pytest.mark.parametrize("kind", HEADS)
def test_every_known_type_is_told_by_the_bytes(alice: App, thread: str, kind: str) -> None:
    """ATT-07."""
    answer = upload(alice, thread, HEADS[kind], "file", "application/octet-stream")
    assert answer.json()["attachment"]["mimeType"] == kind


def test_limits_are_those_of_the_platform(alice: App, thread: str) -> None:
    """ATT-02, C28, ERR-06: a file no function could be sent is taken; API Gateway's own limit comes after ours."""
    whole = PNG + bytes(LARGEST - len(PNG))
    answer = upload(alice, thread, whole)
    assert answer.status_code == 200
    assert httpx.get(answer.json()["attachment"]["url"]).content == whole
    assert problem(upload(alice, thread, whole + b"\0")) == (413, "AGENT_ATTACHMENT_TOO_LARGE")
    assert problem(upload(alice, thread, bytes(10 * 1024 * 1024))) == (413, "REQUEST_TOO_LARGE")


def test_what_is_wrong_with_an_upload_is_told(alice: App, thread: str) -> None:
    """ATT-02, ATT-07, ATT-08, ERR-01, ERR-06."""
    assert problem(upload(alice, thread, b"")) == (422, "AGENT_ATTACHMENT_EMPTY")
    assert problem(upload(alice, thread, b"<svg/>")) == (415, "AGENT_ATTACHMENT_TYPE_UNSUPPORTED")
    assert problem(upload(alice, "thread_001")) == (422, "AGENT_SESSION_ID_INVALID")
    wrong: dict[tuple[int, str], dict[str, Any]] = {
        (400, "REQUEST_INVALID"): {"content": b"no type"},
        (415, "REQUEST_CONTENT_TYPE_UNSUPPORTED"): {"json": {"threadId": thread}},
        (422, "AGENT_ATTACHMENT_INVALID"): {"files": {"file": ("a.png", PNG, "image/png")}},
    }
    for refusal, sent in wrong.items():
        assert problem(alice.http.post(ROUTE, follow_redirects=True, **sent)) == refusal
    without_boundary = {"Content-Type": "multipart/form-data"}
    answer = alice.http.post(ROUTE, content=b"--x", headers=without_boundary, follow_redirects=True)
    assert problem(answer) == (422, "AGENT_ATTACHMENT_INVALID")


def test_what_is_anothers_is_closed(stack: str, alice: App, sign_in: SignIn, thread: str) -> None:
    """SEC-01, SEC-03, SGN-02, SGN-03, ATT-05."""
    answer = upload(alice, thread)
    attachment, location = answer.json()["attachment"], answer.history[0].headers["location"]
    bob = sign_in("bob")
    assert problem(bob.http.get(location)) == (404, "AGENT_ATTACHMENT_NOT_FOUND")
    assert problem(upload(bob, thread)) == (403, "AGENT_FORBIDDEN")
    query = {"bucket": attachment["bucket"], "path": attachment["path"]}
    assert problem(bob.http.get(f"{ROUTE}/signed-url", params=query)) == (403, "AGENT_ATTACHMENT_PATH_SCOPE_INVALID")
    for escape in ("/../", "/%2e%2e/", "//", "\\..\\"):
        tried = query | {"path": attachment["path"].replace("/", escape, 1)}
        assert problem(alice.http.get(f"{ROUTE}/signed-url", params=tried))[0] == 403
    other = query | {"bucket": "other"}
    assert problem(alice.http.get(f"{ROUTE}/signed-url", params=other)) == (422, "AGENT_ATTACHMENT_BUCKET_INVALID")
    unknown = httpx.post(stack + ROUTE, data={"threadId": thread}, files={"file": PNG})
    assert problem(unknown) == (401, "AUTH_UNAUTHORIZED")


def test_a_deleted_session_takes_no_file(alice: App, thread: str) -> None:
    """ATT-05, C25: one that is not there yet does."""
    assert upload(alice, thread).status_code == 200
    assert alice.submit(thread, "run-1").status_code == 202
    assert upload(alice, thread).status_code == 200
    alice.http.delete(f"/api/v1/agent/sessions/{thread}")
    assert problem(upload(alice, thread)) == (404, "AGENT_SESSION_NOT_FOUND")


def test_a_client_may_send_the_file_to_the_bucket_itself(alice: App, thread: str) -> None:
    """C28, ATT-03."""
    request = {"threadId": thread, "mimeType": "image/png", "filename": "plate.png"}
    begun = alice.http.post(f"{ROUTE}/uploads", json=request)
    assert begun.status_code == 201
    where = begun.json()
    finish = begun.request.url.join(begun.headers["location"])
    assert problem(alice.http.get(finish)) == (404, "AGENT_ATTACHMENT_NOT_FOUND")
    sent = httpx.post(where["url"], data=where["fields"], files={"file": ("plate.png", PNG, "image/png")})
    assert sent.is_success
    attachment = alice.http.get(finish).json()["attachment"]
    assert attachment["path"].endswith(f"{where['uploadId']}-plate.png")
    assert httpx.get(attachment["url"]).content == PNG
