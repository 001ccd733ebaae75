"""The limit of runs a session (FUP-07): on every door, at the same number, whoever comes at once."""

from collections.abc import Iterator

import pytest

from local import template
from local.__main__ import TEMPLATE
from local.stack import Stack
from tests.support.agui.app import App, body, user
from tests.support.divination_runs import THREAD, end, refusal, submit
from tests.support.functions.deployment import configured
from tests.support.memory_aws.aws import MemoryAws
from tests.support.runners.scripted import DONE, Use, completed
from tests.support.workspace.door import Door
from tests.support.workspace.page import Page
from yarrow.protocol.problems import Code
from yarrow.settings import settings
from yarrow.store import runs, sessions, submit_snapshot, table
from yarrow.store.items.updates import EXISTS, Update

LIMIT = 2


@pytest.fixture
def memory(stack: Stack) -> Iterator[MemoryAws]:
    aws = MemoryAws()
    with configured(stack, RUNS_PER_SESSION=str(LIMIT)), aws.installed():
        yield aws


def count() -> int:
    return sessions.must_read(THREAD).run_count


def test_a_session_takes_as_many_runs_as_the_limit_says(memory: MemoryAws) -> None:
    """FUP-07: failed runs count, a repeat of a run does not, and other sessions are open."""
    first = submit()
    end(first.task_id)
    second = submit(runId="run-2")
    assert refusal(runId="run-3") is Code.AGENT_SESSION_RUN_LIMIT_EXCEEDED  # it will not end by waiting
    end(second.task_id)
    assert refusal(runId="run-3") is Code.AGENT_SESSION_RUN_LIMIT_EXCEEDED
    assert submit(runId="run-2") == second
    assert count() == LIMIT
    assert runs.read(runs.key_of("alice", THREAD, "run-3")) is None
    assert submit(threadId=THREAD.replace("5", "6")).created


@pytest.mark.parametrize("others", [1, 2])
def test_runs_that_come_and_go_between_a_read_and_its_write_count(
    memory: MemoryAws, monkeypatch: pytest.MonkeyPatch, others: int
) -> None:
    """FUP-07: also where the session is otherwise as it was, for a repeated question adds no message."""
    end(submit().task_id)
    settings.__dict__["runs_per_session"] = 1 + others
    whole, between = submit_snapshot.read_with, iter([None])

    def read_with(*keys: table.Item) -> object:
        read = whole(*keys)  # type: ignore[arg-type]
        if next(between, 0) is None:
            for number in range(others):
                end(submit(runId=f"between-{number}").task_id)
        return read

    monkeypatch.setattr(submit_snapshot, "read_with", read_with)
    assert refusal(runId="late") is Code.AGENT_SESSION_RUN_LIMIT_EXCEEDED
    assert count() == 1 + others
    assert len(list(sessions.messages(THREAD))) == 1


def test_a_session_of_an_earlier_version_counts_from_then_on(memory: MemoryAws) -> None:
    """FUP-07: it has no number, and is not refused for what nobody counted."""
    end(submit().task_id)
    table.update_returning(table.session_key(THREAD), Update().remove("run_count"), EXISTS)
    assert count() == 0
    for number in range(LIMIT):
        end(submit(runId=f"next-{number}").task_id)
    assert refusal(runId="late") is Code.AGENT_SESSION_RUN_LIMIT_EXCEEDED


def test_there_is_no_limit_unless_one_is_set(stack: Stack) -> None:
    """FUP-07: off by default, and counted all the same."""
    with configured(stack), MemoryAws().installed():
        assert settings.runs_per_session == 0
        for number in range(5):
            end(submit(runId=f"run-{number}").task_id)
        assert count() == 5


def test_an_agui_client_is_refused(memory: MemoryAws, app: App, use: Use) -> None:
    """FUP-07: and what is on its way is not cancelled for a message that is not taken."""
    use(completed("好"), DONE)
    for number in range(LIMIT):
        assert app.post(body(f"run_{number}", user(f"{number}"))).status == 200
    answer = app.post(body("late", user("again")))
    assert answer.problem == (409, Code.AGENT_SESSION_RUN_LIMIT_EXCEEDED.name)


def test_a_workspace_says_so(stack: Stack) -> None:
    """FUP-07: the command is refused with a notice, and the workspace goes on."""
    limited = {"RUNS_PER_MINUTE": "0", "RUNS_PER_USER": "0", "RUNS_PER_SESSION": str(LIMIT)}
    with configured(stack, **limited), Door(MemoryAws(), "assistant").installed() as door:
        page = Page("assistant")
        door.load(page)
        for text in ("one", "two", "three"):
            page.say(text)
            door.settle()
        assert sessions.must_read(page.state.active).run_count == LIMIT
        *_, last = [message["content"] for message in page.messages()]
        assert "the session has too many runs" in last
        assert page.faults == []


def test_the_limit_is_the_deployments(stack: Stack) -> None:
    """FUP-07: a parameter that every function gets that submits."""
    limited = template.load(TEMPLATE, {"OidcIssuer": "x", "OidcAudience": "yarrow", "RunsPerSession": "7"})
    values = [
        function.environment for function in limited.functions.values() if "RUNS_PER_USER" in function.environment
    ]
    assert len(values) >= 3
    assert {value.get("RUNS_PER_SESSION") for value in values} == {"7"}
