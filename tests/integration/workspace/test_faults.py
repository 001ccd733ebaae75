"""A function that dies at any call to AWS: what it began is finished by the next frame or push, and nothing twice.

In memory, so that every call of a command and of a push can be the one that breaks.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest
from botocore.client import BaseClient
from botocore.exceptions import BotoCoreError

from local import template
from local.__main__ import TEMPLATE
from tests.support.functions.deployment import configured
from tests.support.memory_aws.aws import MemoryAws
from tests.support.workspace.agent import TASK, Agent, installed
from tests.support.workspace.door import Died, Door
from tests.support.workspace.page import Page
from yarrow.workspace import known_connections
from yarrow.workspace.posting import UnknownOutcomeError


class Unanswered(BotoCoreError):
    """What a client raises that got no answer, or no good one."""


UNLIMITED = {"RUNS_PER_MINUTE": "0", "RUN_BYTES_PER_MINUTE": "0", "RUNS_PER_USER": "0"}
MOST_CALLS = 60


@pytest.fixture(scope="module", autouse=True)
def deployment() -> Iterator[None]:
    stack = template.load(TEMPLATE, {"OidcIssuer": "http://127.0.0.1:1/local", "OidcAudience": "yarrow"})
    with configured(stack, **UNLIMITED):
        yield


class Breaker:
    """Lets a function die at a call, before it or after it: then it was done and nobody knows."""

    def __init__(self, at: int, *, is_done: bool, by: type[BaseException] = Died) -> None:
        self.at, self.is_done, self.by, self.calls, self.broke = at, is_done, by, 0, False

    @contextmanager
    def installed(self) -> Iterator[None]:
        whole: Callable[..., Any] = BaseClient._make_api_call  # type: ignore[attr-defined]  # botocore's own seam

        def call(client: BaseClient, operation: str, parameters: Any) -> Any:
            self.calls += 1
            if self.calls != self.at:
                return whole(client, operation, parameters)
            self.broke = True
            if self.is_done:
                whole(client, operation, parameters)
            raise self.by

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(BaseClient, "_make_api_call", call)
            with suppress(Died):
                yield


@contextmanager
def world() -> Iterator[tuple[Door, Agent, Page]]:
    with installed() as agent, Door(MemoryAws(), TASK).installed() as door:
        page = Page(TASK)
        door.load(page)
        yield door, agent, page


def recovered(door: Door, page: Page) -> None:
    """Leases expire; the page says that it is alive, and everything settles."""
    door.settle()
    door.clock.pass_seconds(60)
    page.beat()
    door.settle()


def assert_in_sync(door: Door, page: Page) -> None:
    """What the page shows is what a new one gets, and no message is there twice."""
    fresh = door.fresh()
    session = page.state.active
    assert page.messages(session) == fresh.messages(session)
    assert page.state.prompts == fresh.state.prompts
    assert not [key for key, count in Counter(message["id"] for message in page.messages(session)).items() if count > 1]
    assert not any(message.get("_thinking") for message in page.messages(session))


@pytest.mark.parametrize("is_done", [False, True], ids=["before", "after"])
def test_a_command_that_dies_at_any_call(*, is_done: bool) -> None:
    """WSP-21, WSP-38: it is lost with the entry, or it is answered by one run."""
    for at in range(1, MOST_CALLS):
        breaker = Breaker(at, is_done=is_done)
        with world() as (door, agent, page):
            page.say("search")
            with breaker.installed():
                door.handle(door.line_of(page))
            recovered(door, page)
            shown = [message["content"] for message in page.messages(page.state.active)].count("search")
            requested = [event["type"] for event in agent.events].count("workspace.input")
            assert shown == requested <= 1
            assert_in_sync(door, page)
        if not breaker.broke:
            assert shown == 1
            return
    raise AssertionError("a command makes too many calls")


@pytest.mark.parametrize("is_done", [False, True], ids=["before", "after"])
def test_a_push_that_dies_at_any_call(*, is_done: bool) -> None:
    """WSP-21: the stream sends its records again."""
    for at in range(1, MOST_CALLS):
        breaker = Breaker(at, is_done=is_done)
        with world() as (door, agent, page):
            page.say("search")
            door.handle(door.line_of(page))
            door.work()
            with breaker.installed():
                door.push()
            recovered(door, page)
            assert [event["type"] for event in agent.events].count("workspace.input") == 1
            assert_in_sync(door, page)
        if not breaker.broke:
            return
    raise AssertionError("a push makes too many calls")


@pytest.mark.parametrize("is_done", [False, True], ids=["before", "after"])
def test_a_push_that_fails_at_any_call(*, is_done: bool) -> None:
    """WSP-21: its repetition makes up for it at once, whatever lease it held."""
    for at in range(1, MOST_CALLS):
        breaker = Breaker(at, is_done=is_done, by=Unanswered)
        with world() as (door, _, page):
            page.say("search")
            door.handle(door.line_of(page))
            door.work()
            with breaker.installed():
                door.push()
            door.settle()
            assert_in_sync(door, page)
        if not breaker.broke:
            return
    raise AssertionError("a push makes too many calls")


@pytest.mark.parametrize("is_done", [False, True], ids=["before", "after"])
def test_a_first_frame_that_dies_at_any_call(*, is_done: bool) -> None:
    """C52: the next one tells what its connection is for, so that its heartbeats are answered."""
    for at in range(1, MOST_CALLS):
        breaker = Breaker(at, is_done=is_done)
        with installed(), Door(MemoryAws(), TASK).installed() as door:
            page = Page(TASK)
            line = door.connect(page)
            page.start()
            with breaker.installed():
                door.handle(line)
            recovered(door, page)
            assert known_connections.task_of(line.id, None) == TASK
            assert_in_sync(door, page)
        if not breaker.broke:
            return
    raise AssertionError("a first frame makes too many calls")


def test_a_frame_that_is_handled_after_its_connection_was_replaced() -> None:
    """WSP-21: the page is told of what it asked for where it is now."""
    with world() as (door, _, page):
        earlier = door.line_of(page)
        page.say("search")
        late = earlier.inbox.popleft()
        door.disconnect(earlier)
        door.connect(page)
        door.settle()
        with suppress(UnknownOutcomeError):
            door.receive(earlier, late)
        door.settle()
        assert [message["content"] for message in page.messages(page.state.active)].count("search") == 1
        assert_in_sync(door, page)


@pytest.mark.parametrize("is_done", [False, True], ids=["before", "after"])
def test_a_deletion_that_dies_at_any_call(*, is_done: bool) -> None:
    """C23, WSP-06: a session that the store has deleted goes from the page, whoever tells it."""
    for at in range(1, MOST_CALLS):
        breaker = Breaker(at, is_done=is_done)
        with world() as (door, _, page):
            first = page.state.active
            page.delete(first)
            with breaker.installed():
                door.handle(door.line_of(page))
            recovered(door, page)
            stored = door.aws.table
            is_deleted = any("deleted_at" in item for item in stored.items if item["sk"]["S"] == "SESSION")
            listed = [session["id"] for session in page.state.sessions]
            assert (first not in listed) == is_deleted
            assert len(listed) == 1
        if not breaker.broke:
            return
    raise AssertionError("a deletion makes too many calls")


def test_a_message_that_is_handled_twice_is_applied_once() -> None:
    """WSP-09: Lambda may invoke a function again for the same message."""
    with world() as (door, agent, page):
        line = door.line_of(page)
        text = json.dumps({"type": "agent_user_input", "taskName": TASK, "payload": {"text": "search"}})
        for _ in range(3):
            door.receive(line, text, "the same")
        door.settle()
        assert [event["type"] for event in agent.events].count("workspace.input") == 1
