"""Which reasoning of a client's list goes with which message."""

from typing import Any

import pytest

from yarrow.protocol.agui.reasoning import MAX_BYTES, listed_reasoning
from yarrow.protocol.run_input.body import read_messages

CALL = {"id": "c", "type": "function", "function": {"name": "t", "arguments": "{}"}}
USER = {"id": "u", "role": "user", "content": "go"}
ANSWER = {"id": "a", "role": "assistant", "content": "Yes."}
CALLS = {"id": "b", "role": "assistant", "toolCalls": [CALL]}
RESULT = {"id": "t", "role": "tool", "toolCallId": "c", "content": "ok"}
ACTIVITY = {"id": "x", "role": "activity", "content": {}}


def thought(content: Any = "Hm", **more: Any) -> dict[str, Any]:
    return {"id": "r", "role": "reasoning", "content": content, **more}


@pytest.mark.parametrize(
    ("messages", "found"),
    [
        ([USER, thought(), ANSWER], [{"of": ["a"], "content": "Hm"}]),
        ([USER, thought(encryptedValue="v"), ANSWER], [{"of": ["a"], "content": "Hm", "encryptedValue": "v"}]),
        ([USER, thought("", encryptedValue="v"), CALLS], [{"of": ["b", "c"], "content": "", "encryptedValue": "v"}]),
        ([USER, thought("1"), thought("2"), ANSWER], [{"of": ["a"], "content": "1"}, {"of": ["a"], "content": "2"}]),
        ([USER, thought(), ACTIVITY, ANSWER], [{"of": ["a"], "content": "Hm"}]),
        ([USER, CALLS, thought(), RESULT, ANSWER], []),
        ([thought(), USER, ANSWER], []),
        ([USER, ANSWER, thought()], []),
        ([USER, thought(""), ANSWER], []),
        ([USER, thought({"steps": []}), ANSWER], []),
        ([USER, thought(None), ANSWER], []),
    ],
)
def test_reasoning_belongs_to_the_answer_right_after_it(messages: list[Any], found: list[Any]) -> None:
    """MSG-06."""
    assert listed_reasoning(read_messages(messages)) == found


def test_the_latest_within_the_limit_is_kept() -> None:
    """RUN-03."""
    size = MAX_BYTES // 3
    messages = [item for text in "abc" for item in (thought(text * size), ANSWER)]
    assert [message["content"][0] for message in listed_reasoning(read_messages(messages))] == ["b", "c"]
