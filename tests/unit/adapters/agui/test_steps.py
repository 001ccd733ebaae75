"""A request whose stream has ended is not made again by a worker that takes over."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Any

import pytest

from yarrow.adapters.agui import steps
from yarrow.adapters.agui.sources import SourceError
from yarrow.protocol.runner.proxy import AgentRunAPIProxy

EVENTS: list[dict[str, Any]] = [
    {"type": "RUN_STARTED"},
    *({"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": piece} for piece in ("Hel", "lo")),
    {"type": "TEXT_MESSAGE_CONTENT", "messageId": "n", "delta": "!"},
    {"type": "RUN_FINISHED"},
    {"type": "CUSTOM", "name": "after the end"},
]
STORED = [
    EVENTS[0],
    {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "Hello"},
    *EVENTS[3:5],
]


class Host:
    """Keeps the results of steps, as a worker's successor finds them."""

    def __init__(self, attempt: int = 1) -> None:
        self.stored: Any = None
        self.attempt = attempt

    async def call(self, action: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        if action == "steps.end":
            if "error" in arguments:
                return {"error": arguments["error"]}
            self.stored = arguments["value"]
            return {"value": self.stored}
        return (
            {"value": self.stored}
            if self.stored is not None
            else {"step": "s", "key": "k", "number": 1, "started_at": "now", "attempt": self.attempt}
        )

    async def stream(self, action: str, arguments: Mapping[str, Any]) -> AsyncGenerator[dict[str, Any]]:
        raise NotImplementedError
        yield {}


class Agent:
    """Yields these events, then fails if there is an error."""

    def __init__(self, events: list[dict[str, Any]], error: SourceError | None = None) -> None:
        self.requests = 0
        self.is_closed = False
        self._events = events
        self._error = error

    async def __call__(self, body: dict[str, Any]) -> AsyncGenerator[Mapping[str, Any]]:
        self.requests += 1
        try:
            for event in self._events:
                yield event
            if self._error is not None:
                raise self._error
        finally:
            self.is_closed = True


async def heard(host: Host, agent: Agent) -> list[dict[str, Any]]:
    async with aclosing(steps.run_agent(AgentRunAPIProxy("run", host), agent, {})) as events:
        return [event async for event in events]


def test_a_later_worker_gets_the_stored_events_joined() -> None:
    host, agent = Host(), Agent(EVENTS)
    assert asyncio.run(heard(host, agent)) == EVENTS[:5]  # what follows the end is not read
    assert asyncio.run(heard(host, agent)) == STORED
    assert agent.requests == 1
    assert EVENTS[1]["delta"] == "Hel"  # what viewers get is not changed


def test_a_failure_is_the_same_in_a_rerun() -> None:
    host, agent = Host(), Agent(EVENTS[:2], SourceError("agui.cut_off", "the agent's stream broke off", retryable=True))
    for _ in range(2):
        with pytest.raises(SourceError, match="broke off") as failed:
            asyncio.run(heard(host, agent))
        assert (failed.value.code, failed.value.retryable) == ("agui.cut_off", True)
    assert agent.requests == 1


def test_a_stream_too_long_to_store_is_asked_for_again() -> None:
    long = [{"type": "CUSTOM", "value": "x" * steps.MAX_STORED_BYTES}, {"type": "RUN_FINISHED"}]
    host, agent = Host(), Agent(long)
    assert asyncio.run(heard(host, agent)) == asyncio.run(heard(host, agent)) == long
    assert agent.requests == 2


EMPTY: list[dict[str, Any]] = [{"type": "RUN_STARTED"}, {"type": "RUN_FINISHED"}]


def test_an_empty_answer_to_a_request_made_again_is_an_error_that_is_stored() -> None:
    """RUN-10: the first worker's request was taken, and the end of its answer is lost; the next one reads the same."""
    host, agent = Host(attempt=2), Agent(EMPTY)
    for _ in range(2):
        with pytest.raises(SourceError, match="does not answer it again") as failed:
            asyncio.run(heard(host, agent))
        assert (failed.value.code, failed.value.retryable) == ("agui.not_repeated", True)
    assert agent.requests == 1


def test_an_agent_may_have_nothing_to_say_to_a_first_request() -> None:
    assert asyncio.run(heard(Host(), Agent(EMPTY))) == EMPTY


@pytest.mark.parametrize(
    "members",
    [
        {"result": 7},
        {"usage": [{"inputTokens": 1}]},
        {"outcome": {"type": "interrupt", "interrupts": [{"id": "i"}]}},
        {"outcome": {"type": "cancelled"}},
    ],
)
def test_an_end_that_says_something_is_an_answer(members: dict[str, Any]) -> None:
    events = [{"type": "RUN_STARTED"}, {"type": "RUN_FINISHED", **members}]
    assert asyncio.run(heard(Host(attempt=2), Agent(events))) == events


def test_a_state_is_an_answer() -> None:
    events = [EMPTY[0], {"type": "STATE_SNAPSHOT", "snapshot": {}}, EMPTY[1]]
    assert asyncio.run(heard(Host(attempt=2), Agent(events))) == events


def test_a_stream_too_long_to_store_that_is_not_repeated_is_an_error() -> None:
    host = Host()
    long = [{"type": "CUSTOM", "value": "x" * steps.MAX_STORED_BYTES}, {"type": "RUN_FINISHED"}]
    asyncio.run(heard(host, Agent(long)))
    with pytest.raises(SourceError, match="does not answer it again"):
        asyncio.run(heard(host, Agent(EMPTY)))


def test_who_stops_listening_closes_the_stream() -> None:
    host, agent = Host(), Agent(EVENTS[:2] * 500)

    async def first() -> Any:
        async with aclosing(steps.run_agent(AgentRunAPIProxy("run", host), agent, {})) as events:
            return await anext(events)

    assert asyncio.run(first()) == EVENTS[0]
    assert agent.is_closed
    assert host.stored is None


def test_an_error_of_the_agents_code_fails_the_run() -> None:
    class Broken(Agent):
        async def __call__(self, body: dict[str, Any]) -> AsyncGenerator[Mapping[str, Any]]:
            yield EVENTS[0]
            raise LookupError("no such model")

    with pytest.raises(Exception, match="no such model"):
        asyncio.run(heard(Host(), Broken([])))
