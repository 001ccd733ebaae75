"""The card of an answer, as clients that ask for it see it over HTTP, and those that do not."""

import json
import uuid
from typing import Any

from tests.support.stack.app import App

WRITE = '/call calendar_write {"title": "会议", "starts_at": "2026-03-17T09:00:00", "event_timezone": "Asia/Shanghai"}'


def stream(app: App, thread: str, **query: str) -> list[str]:
    path = f"/api/v1/agent/runs/{thread}/events"
    text = app.http.get(path, params={"runId": "run-1", **query}).text
    return [line.removeprefix("data: ") for line in text.splitlines() if line.startswith("data: ")]


def answer(app: App, **query: str) -> dict[str, Any]:
    """Return the last assistant message of a view."""
    document = app.history(**query)
    message: dict[str, Any] = [message for message in document["messages"] if message["role"] == "assistant"][-1]
    return message


def test_a_client_that_asks_is_shown_the_card_of_an_event(alice: App) -> None:
    """HIS-13, UIS-04, CMP-09: the same in the events and each view of the history; unasked, there is none."""
    thread = str(uuid.uuid4())
    body = {
        "threadId": thread,
        "runId": "run-1",
        "messages": [{"id": "m", "role": "user", "content": WRITE}],
        "forwardedProps": {"runtime_mode": "chat"},
    }
    assert alice.http.post("/api/v1/agent/runs", params={"agent": "assistant"}, json=body).status_code == 202
    plain, native = stream(alice, thread), stream(alice, thread, profile="native")
    card = answer(alice, threadId=thread, ui="2.0")["ui_schema"]
    assert [child["content"] for child in card["root"]["children"] if child["type"] == "text"] == ["日程已创建", "会议"]
    assert (card["version"], card["status"]) == ("2.0", "success")
    with_cards = [event for line in native if "ui_schema" in (event := json.loads(line))]
    assert [(card["type"], card.pop("ui_schema")) for card in with_cards] == [("TEXT_MESSAGE_END", card)]
    (bare,) = (json.loads(text) for text in plain if json.loads(text)["type"] == "TEXT_MESSAGE_END")
    assert with_cards == [bare]
    assert [text for text in native if "TEXT_MESSAGE_END" not in text] == [
        text for text in plain if "TEXT_MESSAGE_END" not in text
    ]
    assert answer(alice, scope="history_day", threadId=thread)["ui_schema"] == card
    assert answer(alice, ui="2.0")["ui_schema"] == card
    unasked = [*plain, *stream(alice, thread, profile="agui"), *stream(alice, thread, profile="snapshot")]
    for text in (*unasked, json.dumps(answer(alice, threadId=thread)), json.dumps(answer(alice))):
        assert "ui_schema" not in text
        assert "ui_hints" not in text
