"""How a function becomes a backend tool, and how such a tool is called."""

import asyncio
import json
import threading
from datetime import date
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, Field

from yarrow.protocol.runner.api import AgentAPIError, AgentAPIException
from yarrow.protocol.runner.tools import TimeZoneName, TimeZones, ToolContext, WithCard
from yarrow.protocol.ui_schema.hints import memory_card
from yarrow.services.tools.registry import MAX_RESULT_BYTES, ToolRegistry, ToolResult

CONTEXT = ToolContext("alice", "thread", "run", TimeZones())


def add(context: ToolContext, day: date, count: Annotated[int, Field(ge=1, description="How many.")] = 1) -> Any:
    """Add to the calendar."""
    return {"user": context.user_id, "day": day, "count": count}


async def add_later(context: ToolContext, day: date, *, count: int = 1) -> Any:
    """Add to the calendar."""
    return add(context, day, count)


def call(function: Any, parameters: dict[str, Any], **registered: Any) -> Any:
    registry = ToolRegistry()
    registry.register_tool_function(function, name="tool", **registered)
    return asyncio.run(registry.call("tool", parameters, CONTEXT))


def refusal(function: Any, parameters: dict[str, Any], **registered: Any) -> AgentAPIError:
    with pytest.raises(AgentAPIException) as refused:
        call(function, parameters, **registered)
    return refused.value.error


def test_the_schema_of_a_tool_is_its_signature() -> None:
    """TOOL-04: without its context, which is the host's to give."""
    registry = ToolRegistry()
    registry.register_tool_function(add, name="calendar_write")
    detail = registry.detail("calendar_write")
    assert detail is not None
    assert (detail.tool_name, detail.description) == ("calendar_write", "Add to the calendar.")
    assert detail.parameters["required"] == ["day"]
    assert detail.parameters["properties"]["day"]["format"] == "date"
    assert detail.parameters["properties"]["count"]["minimum"] == 1
    assert detail.parameters["properties"]["count"]["description"] == "How many."
    assert detail.parameters["additionalProperties"] is False


def test_registering_may_decorate_and_leaves_the_function_as_it_is() -> None:
    """TOOL-04."""
    registry = ToolRegistry()

    @registry.register_tool_function
    def roll(_context: ToolContext) -> int:
        """Roll a die."""
        return 4

    assert roll(CONTEXT) == 4
    assert registry.detail("roll") is not None
    assert registry.detail("another") is None


@pytest.mark.parametrize("function", [add, add_later])
def test_a_tool_is_called_with_its_run_and_what_was_given(function: Any) -> None:
    """RNR-53, TOOL-04: the result is JSON."""
    assert call(function, {"day": "2026-04-03", "count": 2}) == {"user": "alice", "day": "2026-04-03", "count": 2}
    assert call(function, {"day": "2026-04-03"})["count"] == 1


@pytest.mark.parametrize(
    ("parameters", "member"),
    [
        ({}, "day"),
        ({"day": "secret"}, "day"),
        ({"day": "2026-04-03", "count": 0}, "count"),
        ({"day": "2026-04-03", "secret": 1}, "parameters"),
        ({"day": "2026-04-03", "context": {"user_id": "bob"}}, "parameters"),
    ],
)
def test_parameters_are_held_to_the_schema(parameters: dict[str, Any], member: str) -> None:
    """RNR-53, RNR-62: the error names the member and shows nothing of what was given."""
    error = refusal(add, parameters)
    assert (error.code, error.details) == ("invalid_argument", {"member": member})
    assert "secret" not in error.model_dump_json()


def test_a_time_zone_is_one_of_the_database() -> None:
    """FWD-07, FWD-10: a tool that must have one has no default."""

    def write(_context: ToolContext, event_timezone: TimeZoneName) -> str:
        """Write."""
        return event_timezone

    assert call(write, {"event_timezone": "Asia/Shanghai"}) == "Asia/Shanghai"
    assert refusal(write, {}).code == "invalid_argument"
    error = refusal(write, {"event_timezone": "Mars/Olympus"})
    assert error.message == "event_timezone: Value error, not a time zone of the IANA database"


def test_a_tool_that_takes_too_long_is_given_up() -> None:
    """RNR-51, RNR-70."""
    done = threading.Event()

    async def wait(_context: ToolContext) -> None:
        """Wait."""
        await asyncio.get_running_loop().create_future()

    def block(_context: ToolContext) -> None:
        """Block."""
        done.wait(10)

    async def release() -> AgentAPIError:
        registry = ToolRegistry()
        registry.register_tool_function(block, seconds=0.01)
        with pytest.raises(AgentAPIException) as refused:
            await registry.call("block", {}, CONTEXT)
        done.set()
        return refused.value.error

    for error in (refusal(wait, {}, seconds=0.01), asyncio.run(release())):
        assert (error.code, error.retryable) == ("runtime_error", True)


def test_what_a_tool_raises_comes_out() -> None:
    """RNR-62: a TimeoutError of its own is not the host's."""

    def fail(_context: ToolContext) -> None:
        """Fail."""
        raise TimeoutError("the service behind it")

    with pytest.raises(TimeoutError, match="behind it"):
        call(fail, {})


@pytest.mark.parametrize("character", ["x", "六", '"', "\n", "😀"])
def test_a_large_result_is_cut_and_says_so(character: str) -> None:
    """RNR-42, RNR-53: a model is to read it."""

    def tell(_context: ToolContext, length: int) -> list[str]:
        """Tell."""
        return [character * length]

    result = call(tell, {"length": MAX_RESULT_BYTES})
    assert result["truncated"] is True
    assert result["size_bytes"] > MAX_RESULT_BYTES
    assert MAX_RESULT_BYTES / 2 < len(json.dumps(result, ensure_ascii=False).encode()) <= MAX_RESULT_BYTES + 10
    assert result["beginning"].startswith('["')
    room = MAX_RESULT_BYTES // len(json.dumps(character, ensure_ascii=False).encode()) - 10
    assert call(tell, {"length": room}) == [character * room]


class Found(BaseModel):
    """A result with a model of its own."""

    kind: Literal["found"] = "found"


def test_a_result_may_be_a_model() -> None:
    """RNR-53."""

    def find(_context: ToolContext) -> list[Found]:
        """Find."""
        return [Found()]

    assert call(find, {}) == [{"kind": "found"}]


def without_context(day: date) -> None:
    """It forgets its context."""


def with_rest(context: ToolContext, *days: date) -> None:
    """It takes any number."""


def without_type(context: ToolContext, day) -> None:  # type: ignore[no-untyped-def] # as it is refused
    """It does not say what it takes."""


def without_words(context: ToolContext) -> None: ...


@pytest.mark.parametrize(
    ("function", "name"),
    [
        (add, "taken"),
        (add, "with blank"),
        (add, "x" * 65),
        (without_context, "tool"),
        (with_rest, "tool"),
        (without_type, "tool"),
        (without_words, "tool"),
    ],
)
def test_what_makes_no_tool_is_refused_at_once(function: Any, name: str) -> None:
    """TOOL-04: names are unique, and each is one that a model can call."""
    registry = ToolRegistry()
    registry.register_tool_function(add, name="taken")
    with pytest.raises(ValueError, match=name):
        registry.register_tool_function(function, name=name)


def test_a_tool_may_answer_with_a_card() -> None:
    """UIS-04: the agent gets the result, the client the card."""
    registry, card = ToolRegistry(), memory_card("saved", "tea")

    def save(context: ToolContext) -> WithCard:
        """Save."""
        return WithCard({"saved": True}, card)

    registry.register_tool_function(save)
    assert asyncio.run(registry.call("save", {}, CONTEXT)) == {"saved": True}
    assert asyncio.run(registry.answer("save", {}, CONTEXT)) == ToolResult({"saved": True}, card)
