"""What an AG-UI client gave its messages beside their content is there when it comes back (MSG-07)."""

import json
from typing import Any

import pytest

from tests.support.agui.app import CONFIRM, GET_WEATHER, body, calling, result, user
from tests.support.agui.conversation import Client
from tests.support.example_cast import EXAMPLE
from tests.support.runners.scripted import DONE, completed
from yarrow.protocol.response_body import to_json
from yarrow.protocol.run_input.messages import MAX_EXTRAS_BYTES
from yarrow.runs.get_history import whole_session

pytestmark = [pytest.mark.usefixtures("aws"), pytest.mark.memory]

EXTRAS: dict[str, Any] = {"name": "小明", "encryptedValue": "c2VhbGVk", "metadata": {"mood": [1, {"a": None}]}}


def last_asks(client: Client, text: str, **extras: Any) -> None:
    """A question with more members than `Client.ask` sends."""
    client.messages = [*client.messages, {"id": f"m-{text}", "role": "user", "content": text, **extras}]
    client.run(completed(f"{text}!"), DONE)


def test_a_snapshot_has_the_members_of_questions(client: Client) -> None:
    """MSG-07, EVT-14: of earlier runs and of the one that is joined."""
    last_asks(client, "一", **EXTRAS)
    last_asks(client, "二", name="only")
    last_asks(client, "三", metadata={})
    client.check()
    assert client.snapshot("run_2")[0] == {"id": "m-一", "role": "user", "content": "一", **EXTRAS}


def test_a_history_has_the_members_of_questions(client: Client) -> None:
    """MSG-07, HIS-06: and none where there are none."""
    last_asks(client, "一", **EXTRAS)
    last_asks(client, "二")
    messages = json.loads(to_json(whole_session(client.session, client.app.case.user)))["messages"]
    first, _, second, _ = messages
    assert {name: first[name] for name in EXTRAS} == EXTRAS
    assert not EXTRAS.keys() & second.keys()


def test_what_is_no_object_or_too_long_is_dropped_and_the_rest_kept(client: Client) -> None:
    """MSG-07: the message itself is never refused for it."""
    long = {"text": "x" * MAX_EXTRAS_BYTES}
    last_asks(client, "一", name="n", metadata="text")
    last_asks(client, "二", name="n", metadata=long, encryptedValue="v")
    last_asks(client, "三")
    first, _, second, _, *_ = client.snapshot("run_2")
    assert first == {"id": "m-一", "role": "user", "content": "一", "name": "n"}
    assert second == {"id": "m-二", "role": "user", "content": "二", "name": "n", "encryptedValue": "v"}


def test_a_conversation_that_began_elsewhere_keeps_members_and_calls(client: Client) -> None:
    """MSG-07, MSG-08, C22: no result is without its call."""
    elsewhere = [
        {"id": "u0", "role": "user", "content": "hello", "name": "Ann"},
        {"id": "a0", "role": "assistant", "content": "hi", **EXTRAS},
        {"id": "u1", "role": "user", "content": "天气?"},
        {**calling(GET_WEATHER), "encryptedValue": "k"},
        {**result(GET_WEATHER, "晴"), "encryptedValue": "r"},
    ]
    client.messages = [*elsewhere, {"id": "u2", "role": "user", "content": "and now?"}]
    client.run(completed("sunny"), DONE)
    client.ask("thanks")
    client.check()
    shown = client.snapshot("run_1")
    assert shown[: len(elsewhere)] == elsewhere


def test_a_reading_has_its_structured_output_in_every_snapshot(client: Client) -> None:
    """DIV-33a, EVT-14: as TEXT_MESSAGE_END gave it."""
    cast = {"divinationPayload": EXAMPLE}
    first = client.app.post(body("run_a", user("我最近换工作是否合适？"), forwardedProps=cast))
    answer = next(event for event in first.events if event["type"] == "TEXT_MESSAGE_END")
    assert answer["metadata"]
    second = {"id": "msg_9", "role": "user", "content": "再说说"}
    message = {"id": answer["messageId"], "role": "assistant", "content": "x"}
    client.app.post(body("run_b", user("我最近换工作是否合适？"), message, second))
    shown = {item["id"]: item for item in client.snapshot("run_b")}
    assert shown[answer["messageId"]]["metadata"] == answer["metadata"]


@pytest.mark.parametrize("listed", [True, False])
def test_calls_that_a_client_adds_to_a_session_stay_with_their_results(client: Client, listed: bool) -> None:
    """MSG-08, EVT-14: whether or not the tool is one that the client lists."""
    call = CONFIRM if listed else GET_WEATHER
    client.ask("一")
    client.messages = [*client.messages, calling(call), result(call, "晴")]
    client.ask("二")
    client.ask("三")
    client.check()
