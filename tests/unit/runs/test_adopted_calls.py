"""Which calls of a client's list are adopted, and where."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from yarrow.protocol.run_input.body import read_messages
from yarrow.runs.agui.adopted_calls import MAX_BYTES, AdoptedCalls, adopted_calls


def calling(message_id: str, *calls: str, content: str | None = None) -> dict[str, Any]:
    function = {"name": "send", "arguments": "{}"}
    made = [{"id": call, "type": "function", "function": function} for call in calls]
    return {"id": message_id, "role": "assistant", "content": content, "toolCalls": made}


def result(call: str, content: str = "ok") -> dict[str, Any]:
    return {"id": f"result of {call}", "role": "tool", "toolCallId": call, "content": content}


def adopted(messages: list[dict[str, Any]], places: dict[str, int], **options: Any) -> list[AdoptedCalls]:
    return adopted_calls(read_messages(messages), places, **options)


def results_of(found: list[AdoptedCalls]) -> list[tuple[str, str | None]]:
    return [
        (call.id, call.result)
        for adopted_calls in found
        for round_ in adopted_calls.tool_use.rounds
        for call in round_.calls
    ]


USER = {"id": "u", "role": "user", "content": "go"}


def test_calls_that_a_run_made_and_unanswered_calls_are_left_out() -> None:
    """MSG-08."""
    messages = [USER, calling("a", "known", "open", "new"), result("known"), result("new"), result("no call")]
    found = adopted(messages, {"u": 1}, known={"known"})
    assert results_of(found) == [("new", "ok")]
    assert [message["id"] for message in found[0].messages] == ["a", "result of new"]


def test_an_id_that_is_used_again_belongs_to_the_call_before_its_result() -> None:
    """MSG-08: some clients number calls anew in each message."""
    messages = [USER, calling("a", "1"), result("1", "first"), calling("b", "1"), result("1", "second")]
    assert results_of(adopted(messages, {"u": 1})) == [("1", "first"), ("1", "second")]


def test_calls_follow_the_stored_message_before_them() -> None:
    """MSG-08: those before the first are dropped unless their place is known."""
    messages = [calling("a", "1"), result("1"), USER, calling("b", "2", content="done"), result("2")]
    assert [adopted_calls.after for adopted_calls in adopted(messages, {"u": 4, "b": 5})] == [5]
    assert [adopted_calls.after for adopted_calls in adopted(messages, {"u": 4}, start=3)] == [3, 4]
    (with_text,) = adopted(messages, {"u": 4, "b": 5})
    assert with_text.tool_use.rounds[0].message_id == "b"
    assert adopted(messages, {"u": 4})[0].tool_use.rounds[0].message_id is None


@given(st.lists(st.integers(0, 16_000), max_size=40))
def test_the_latest_calls_within_the_limit_are_kept(sizes: list[int]) -> None:
    """MSG-08."""
    messages = [USER]
    for number, size in enumerate(sizes):
        messages += [calling(f"a{number}", str(number)), result(str(number), "x" * size)]
    found = adopted(messages, {"u": 1})
    kept = [int(call) for call, _ in results_of(found)]
    assert kept == list(range(len(sizes) - len(kept), len(sizes)))
    assert sum(len(json.dumps(adopted_calls.messages)) for adopted_calls in found) <= MAX_BYTES * 1.01
    if len(kept) < len(sizes):
        assert sum(sizes[-len(kept) - 1 :]) + 200 * (len(kept) + 1) > MAX_BYTES
