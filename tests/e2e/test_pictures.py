"""Runs with pictures: uploaded or sent along, asked about, kept by their path, shown in the history by a fresh URL."""

import base64
import uuid
from typing import Any

import httpx

from tests.support.agui.client import data_of, read
from tests.support.stack.app import App, SignIn, problem, upload
from tests.support.uploads import PNG


def ask(app: App, thread: str, *urls: str, run_id: str = "run-1") -> httpx.Response:
    """Submit a question about pictures to the assistant."""
    blocks: list[dict[str, Any]] = [{"type": "text", "text": "What is this?"}]
    blocks += [{"type": "binary", "mimeType": "image/png", "url": url} for url in urls]
    body = {
        "threadId": thread,
        "runId": run_id,
        "messages": [{"id": f"msg-{run_id}", "role": "user", "content": blocks}],
        "forwardedProps": {"runtime_mode": "chat"},
    }
    return app.http.post("/api/v1/agent/runs", params={"agent": "assistant"}, json=body)


def test_a_picture_goes_in_by_its_url_and_comes_back_by_another(alice: App) -> None:
    """RUN-16, RUN-17, HIS-06, HIS-07, SEC-05, C7."""
    thread = str(uuid.uuid4())
    value = upload(alice, thread).json()["attachment"]
    accepted = ask(alice, thread, value["url"])
    assert accepted.status_code == 202, accepted.text
    with alice.http.stream("GET", f"/api/v1/agent/runs/{thread}/events", params={"runId": "run-1"}) as events:
        text = events.read().decode()
    assert "event: RUN_FINISHED" in text
    assert "X-Amz" not in text
    question = alice.http.get("/api/v1/agent/history", params={"threadId": thread}).json()["messages"][0]
    (shown,) = question["attachments"]
    assert (question["content"], shown["mimeType"]) == ("What is this?", "image/png")
    assert httpx.get(shown["url"]).content == PNG
    assert ask(alice, thread, shown["url"]).status_code == 202  # the same run again, by the fresh URL


def test_a_picture_that_comes_whole_is_seen_by_the_model_and_shown_in_the_history(alice: App) -> None:
    """C7, MSG-02, HIS-07, RUN-23: It comes by /send-message, in the words of AG-UI 1.0."""
    thread = str(uuid.uuid4())
    source = {"type": "data", "value": base64.b64encode(PNG).decode(), "mimeType": "image/png"}
    content = [{"type": "text", "text": "What is this?"}, {"type": "image", "source": source}]
    sent = {"threadId": thread, "runId": "run-1", "messages": [{"id": "msg-1", "role": "user", "content": content}]}
    for spelt in (thread, thread.upper()):
        answer = alice.http.post("/send-message", json=sent | {"threadId": spelt})
        (message,) = read(data_of(answer.content)).messages
        assert "Pictures in the conversation: 1." in message["content"]
    question, _ = alice.http.get("/api/v1/agent/history", params={"threadId": thread}).json()["messages"]
    (shown,) = question["attachments"]
    assert (httpx.get(shown["url"]).content, shown["mimeType"]) == (PNG, "image/png")
    larger = source | {"value": base64.b64encode(PNG + bytes(2 * 1024 * 1024)).decode()}
    request = {"id": "msg-2", "role": "user", "content": [{"type": "image", "source": larger}]}
    refused = sent | {"runId": "run-2", "messages": [request]}
    assert problem(alice.http.post("/send-message", json=refused)) == (413, "AGENT_ATTACHMENT_TOO_LARGE")


def test_only_urls_of_ones_own_are_taken(alice: App, sign_in: SignIn) -> None:
    """RUN-16, SEC-03: nothing is stored of a refused run."""
    thread, bob = str(uuid.uuid4()), sign_in("bob")
    of_bob = upload(bob, str(uuid.uuid4())).json()["attachment"]["url"]
    own = upload(alice, thread).json()["attachment"]["url"]
    for url in (of_bob, own.partition("#")[0], own.replace("plate", "other"), "https://example.com/a.png"):
        assert problem(ask(alice, thread, url)) == (422, "AGENT_RUN_MESSAGES_INVALID")
    assert problem(alice.http.get("/api/v1/agent/history", params={"threadId": thread}))[0] == 404


def test_a_thread_that_another_uploads_to_is_not_taken(alice: App, sign_in: SignIn) -> None:
    """C25, SEC-03: though there is no session yet."""
    thread = str(uuid.uuid4())
    upload(alice, thread)
    assert problem(ask(sign_in("bob"), thread)) == (403, "AGENT_FORBIDDEN")
