"""Messages survive the way to a model and back; what a request weighs is estimated."""

from typing import Any

import pytest

from yarrow.protocol.runner.api import AgentAPIException, ModelMessage
from yarrow.runners.langbot import messages, tokens

CALL = {"id": "call-1", "type": "function", "function": {"name": "weather", "arguments": "{}"}}


@pytest.mark.parametrize(
    ("sdk", "ours"),
    [
        ({"role": "user", "content": "hi", "tool_calls": None}, {"role": "user", "content": "hi"}),
        (
            {"role": "assistant", "content": None, "tool_calls": [{**CALL, "provider_specific_fields": None}]},
            {"role": "assistant", "tool_calls": [CALL]},
        ),
        (
            {"role": "tool", "content": "{}", "tool_call_id": "call-1", "resp_message_id": "r"},
            {"role": "tool", "content": "{}", "tool_call_id": "call-1"},
        ),
    ],
)
def test_a_message_to_a_model_is_ours(sdk: dict[str, Any], ours: dict[str, Any]) -> None:
    """CMP-02."""
    assert messages.from_sdk_message(sdk) == ours
    ModelMessage.model_validate(ours)


@pytest.mark.parametrize(
    ("sdk", "ours"),
    [
        ({"type": "text", "text": "hi"}, {"type": "text", "text": "hi"}),
        (
            {"type": "image_url", "image_url": {"url": "https://e.test/a.png"}, "text": None},
            {"type": "image_url", "image_url": {"url": "https://e.test/a.png"}},
        ),
        (
            {"type": "image_url", "image_url": {"url": "artifact:a-1"}},
            {"type": "artifact", "artifact_id": "a-1"},
        ),
        (
            {"type": "image_base64", "image_base64": "data:image/jpeg;base64,AA=="},
            {"type": "image_url", "image_url": {"url": "data:image/jpeg;base64,AA=="}},
        ),
        (
            {"type": "image_base64", "image_base64": "AA=="},
            {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}},
        ),
    ],
)
def test_a_part_of_a_message_is_ours(sdk: dict[str, Any], ours: dict[str, Any]) -> None:
    """C21: a picture the host keeps is known again by its URL."""
    assert messages.from_sdk_message({"role": "user", "content": [sdk]})["content"] == [ours]


def test_a_file_is_refused_by_its_type() -> None:
    """RNR-62."""
    with pytest.raises(AgentAPIException, match="'file_url'") as refused:
        messages.from_sdk_message({"role": "user", "content": [{"type": "file_url", "file_url": "https://e.test"}]})
    assert refused.value.error.code == "invalid_argument"


def test_a_picture_goes_to_a_runner_and_comes_back() -> None:
    """C21."""
    parts = [{"type": "text", "text": "look"}, {"type": "artifact", "artifact_id": "a-1"}, {"type": "unknown"}]
    there = list(messages.to_sdk_parts(parts))
    assert messages.from_sdk_message({"role": "user", "content": there})["content"] == parts[:2]


@pytest.mark.parametrize(
    ("message", "tools", "estimated"),
    [
        ({"content": ""}, [], 4),
        ({"content": "four"}, [], 5),
        ({"content": "fives"}, [], 6),
        ({"content": "天气如何"}, [], 8),
        ({"content": [{"type": "text", "text": "four"}, {"type": "image_url"}]}, [], 1_005),
        ({"content": None, "tool_calls": [CALL]}, [], 4 + 23),
        ({"content": ""}, [{"name": "weather"}], 4 + 5),
    ],
)
def test_tokens_are_estimated(message: dict[str, Any], tools: list[dict[str, Any]], estimated: int) -> None:
    """CMP-02: a runner that keeps within a window gets a number."""
    assert tokens.estimate([message], tools) == estimated
