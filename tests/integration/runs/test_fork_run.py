"""A run is repeated from a step on: what came before answers from its log, the rest is made again."""

import json
from collections.abc import AsyncGenerator, Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from tests.support.divination_runs import ALICE, BOB, THREAD, end, execute, submit
from tests.support.journals import stored
from tests.support.models.provider_formats import OpenAI
from tests.support.models.server import ModelServer
from tests.support.runners.scripted import completed, install
from yarrow.protocol.caller import Caller
from yarrow.protocol.fork_request import ForkRequest, read_fork_request
from yarrow.protocol.problems import Code, Problem, ProblemCode
from yarrow.protocol.runner.api import ModelMessage
from yarrow.protocol.runner.models import AgentRunContext, AgentRunResult
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.runs.fork_run import fork_run
from yarrow.runs.list_steps import list_steps
from yarrow.runs.submit_run import TaskAccepted
from yarrow.store import clock, runs, sessions, table
from yarrow.store.items.updates import Attr
from yarrow.store.runner import grants, steps

pytestmark = [pytest.mark.usefixtures("aws"), pytest.mark.memory]

NEW = "99999999-e29b-41d4-a716-446655440000"


class FiveSteps:
    """A runner of five steps, one after the other; each value is new, and says how often any was made."""

    def __init__(self) -> None:
        self.made: list[int] = []
        self.large = ""
        self.dies_at: int | None = None

    async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        values = [await api.step(f"step {number}", self._making(number)) for number in range(1, 6)]
        kind, data = completed(" ".join(value[:8] for value in values))
        yield AgentRunResult(run_id=context.run_id, type=kind, data=data)
        yield AgentRunResult(run_id=context.run_id, type="run.completed", data={})

    def _making(self, number: int) -> Callable[[], str]:
        def make() -> str:
            if number == self.dies_at:
                raise KeyboardInterrupt
            self.made.append(number)
            return f"{number}.{len(self.made)}".ljust(8) + self.large

        return make


@pytest.fixture
def runner(monkeypatch: pytest.MonkeyPatch) -> FiveSteps:
    made = FiveSteps()
    install(monkeypatch, lambda: made)
    return made


def step(number: int, thread: str = THREAD, run_id: str = "run-1") -> str:
    return list_steps("alice", thread, run_id).steps[number - 1].id


def fork(step_id: str, caller: Caller = ALICE, of: tuple[str, str] = (THREAD, "run-1"), **changes: Any) -> TaskAccepted:
    request = ForkRequest(**{"thread_id": NEW, "run_id": "fork-1", "step": step_id} | changes)
    return fork_run(caller, *of, request)


def refusal(step_id: str, **changes: Any) -> ProblemCode:
    with pytest.raises(Problem) as caught:
        fork(step_id, **changes)
    return caught.value.code


def answer(thread: str) -> list[str]:
    return [message.content for message in sessions.messages(thread) if message.role == "assistant"]


@pytest.mark.parametrize("large", ["", "x" * 50_000], ids=["in the table", "in the bucket"])
def test_steps_before_the_chosen_one_answer_from_the_store(runner: FiveSteps, large: str) -> None:
    """STP-09: the chosen one and the rest are made again, in a session of their own; the first run stays as it is."""
    runner.large = large
    execute(submit().task_id)
    before = list(sessions.messages(THREAD))
    assert runner.made == [1, 2, 3, 4, 5]
    accepted = fork(step(3))
    assert (accepted.thread_id, accepted.run_id, accepted.created) == (NEW, "fork-1", True)
    execute(accepted.task_id)
    assert runner.made == [1, 2, 3, 4, 5, 3, 4, 5]
    assert [word.split() for word in answer(NEW)] == [["1.1", "2.2", "3.6", "4.7", "5.8"]]
    assert list(sessions.messages(THREAD)) == before
    assert [item.name for item in list_steps("alice", NEW, "fork-1").steps] == ["step 3", "step 4", "step 5"]
    forked = list_steps("alice", NEW, "fork-1").forked_from
    assert forked is not None
    assert (forked.thread_id, forked.run_id, forked.step) == (THREAD, "run-1", step(3))


def test_a_fork_goes_on_after_its_worker_died(runner: FiveSteps) -> None:
    """STP-09, STP-01: its next worker makes neither a given step again nor one of its own."""
    execute(submit().task_id)
    accepted = fork(step(3))
    runner.dies_at = 5
    with pytest.raises(KeyboardInterrupt):
        execute(accepted.task_id)
    runner.dies_at = None
    execute(accepted.task_id)
    assert runner.made == [1, 2, 3, 4, 5, 3, 4, 5]
    assert [word.split() for word in answer(NEW)] == [["1.1", "2.2", "3.6", "4.7", "5.8"]]


def test_a_step_that_the_other_run_stores_late_does_not_replace_the_forks_own(runner: FiveSteps) -> None:
    """STP-09, STP-01: a worker that was replaced may end a step after its run has ended, and after the fork made it."""
    runner.large = "x" * 50_000
    accepted = submit()
    execute(accepted.task_id)
    late = next(made for made in steps.read_all(accepted.task_id) if made.name == "step 2")
    chosen = step(3)
    key = table.run_key_of(accepted.task_id, f"STEP#{late.id}")
    item = table.get(key)
    assert item is not None
    table.transact(table.delete(key, Attr("pk").exists()))
    forked = fork(chosen)
    runner.dies_at = 5
    with pytest.raises(KeyboardInterrupt):
        execute(forked.task_id)
    table.transact(table.put(item))
    runner.dies_at = None
    execute(forked.task_id)
    assert runner.made == [1, 2, 3, 4, 5, 2, 3, 4, 5]
    assert [word.split() for word in answer(NEW)] == [["1.1", "2.6", "3.7", "4.8", "5.9"]]


def test_the_same_request_is_one_run(runner: FiveSteps) -> None:
    """STP-09, RUN-23: and its session takes no other fork."""
    execute(submit().task_id)
    first, again = fork(step(3)), fork(step(3))
    assert first == again
    end(first.task_id)
    assert refusal(step(4)) is Code.AGENT_RUN_CONFLICT
    assert refusal(step(3), run_id="fork-2") is Code.AGENT_RUN_CONFLICT
    assert refusal(step(3), thread_id=THREAD, run_id="fork-3") is Code.AGENT_RUN_CONFLICT


def test_what_cannot_be_forked_is_refused(runner: FiveSteps, monkeypatch: pytest.MonkeyPatch) -> None:
    """STP-09, SEC-03: each with a code of its own, and nothing is stored."""
    accepted = submit()
    assert refusal("0" * 32 + ".0001") is Code.AGENT_RUN_IN_PROGRESS
    execute(accepted.task_id)
    chosen = step(3)
    assert refusal("0" * 32 + ".0001") is Code.AGENT_STEP_NOT_FOUND
    assert refusal(chosen, caller=BOB) is Code.AGENT_FORBIDDEN
    with pytest.raises(Problem) as caught:
        fork_run(ALICE, THREAD, "run-9", ForkRequest(thread_id=NEW, run_id="fork-1", step=chosen))
    assert caught.value.code is Code.AGENT_RUN_NOT_FOUND
    for raw in (b"{", b"[]", b"{}", json.dumps({"threadId": "no", "runId": "r", "step": "s"}).encode()):
        with pytest.raises(Problem) as caught:
            read_fork_request(raw)
        assert caught.value.code is Code.AGENT_RUN_INPUT_INVALID
    forked = fork(chosen)
    execute(forked.task_id)
    assert refusal(step(1, NEW, "fork-1"), of=(NEW, "fork-1")) is Code.AGENT_RUN_NOT_FORKABLE
    monkeypatch.setattr(clock, "since", lambda _: timedelta(days=40))
    assert refusal(chosen, thread_id=NEW.replace("9", "8"), run_id="fork-4") is Code.AGENT_RUN_EVENTS_EXPIRED


def test_the_steps_tell_beforehand_what_cannot_be_forked(runner: FiveSteps, monkeypatch: pytest.MonkeyPatch) -> None:
    """STP-09: with the word that the refusal has."""
    accepted = submit()
    assert list_steps("alice", THREAD, "run-1").not_forkable == "active"
    execute(accepted.task_id)
    chosen = step(3)
    listed = list_steps("alice", THREAD, "run-1")
    assert {listed.not_forkable, *(item.not_forkable for item in listed.steps)} == {None}
    execute(fork(chosen).task_id)
    assert list_steps("alice", NEW, "fork-1").not_forkable == "continues"
    kept = grants.read(accepted.task_id)
    assert kept is not None
    assert not kept.is_remote
    assert grants.keep(accepted.task_id, replace(kept, is_remote=True))
    assert list_steps("alice", THREAD, "run-1").not_forkable == "remote"
    other = NEW.replace("9", "8")
    with pytest.raises(Problem) as caught:
        fork(chosen, thread_id=other)
    assert (caught.value.code, caught.value.params) == (Code.AGENT_RUN_NOT_FORKABLE, {"reason": "remote"})
    assert sessions.read(other) is None
    monkeypatch.setattr(clock, "since", lambda _: timedelta(days=40))
    assert list_steps("alice", THREAD, "run-1").not_forkable == "expired"


def test_a_step_whose_outcome_is_unknown_is_no_answer(runner: FiveSteps) -> None:
    """STP-09, STP-03: nobody knows whether it was made."""
    run = runs.claim(submit().task_id)
    assert run is not None
    doubted = steps.Step("d" * 32 + ".0001", "steps.begin", 1, 1, run.created_at, "pay", "never")
    chosen = steps.Step(
        "e" * 32 + ".0001", "steps.begin", 2, 1, run.created_at, "thank", ms=1, outcome="ok", result="{}"
    )
    steps.begin(run.key, doubted, run.key)
    steps.end(run.key, chosen)
    end(run.key)
    assert refusal(chosen.id) is Code.AGENT_RUN_NOT_FORKABLE
    listed = list_steps("alice", THREAD, "run-1")
    told = [(item.name, item.not_forkable) for item in listed.steps]
    assert (listed.not_forkable, told) == (None, [("pay", None), ("thank", "outcome_unknown")])
    assert runner.made == []


def test_a_fork_counts_its_own_tokens_alone(provider: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """STP-09, EVT-31: what answers from the store is not paid for again."""
    provider.will(OpenAI().whole("one"), OpenAI().whole("two"), OpenAI().whole("three"))

    class Asks:
        async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
            said = [
                (await api.models.invoke("reading", [ModelMessage(role="user", content=text)])).message.content
                for text in "ab"
            ]
            kind, data = completed(" ".join(map(str, said)))
            yield AgentRunResult(run_id=context.run_id, type=kind, data=data)
            yield AgentRunResult(run_id=context.run_id, type="run.completed", data={})

    install(monkeypatch, Asks)
    first = submit()
    execute(first.task_id)
    forked = fork(step(2))
    execute(forked.task_id)
    assert answer(NEW) == ["one three"]
    both, one = stored(first.task_id)[-1]["usage"][0], stored(forked.task_id)[-1]["usage"][0]
    assert both["inputTokens"] == 2 * one["inputTokens"] > 0


def test_a_fork_of_a_later_run_has_the_conversation_before_it(runner: FiveSteps) -> None:
    """STP-09, HIS-01: and not what came after."""
    execute(submit().task_id)
    message = {"role": "user", "content": "第二问"}
    for number in (2, 3):
        ids: dict[str, Any] = {"runId": f"run-{number}", "messages": [message | {"id": f"msg_run-{number}_user_0"}]}
        execute(submit(ALICE, **ids).task_id)
    forked = fork(step(2, run_id="run-2"), of=(THREAD, "run-2"))
    shown = [(message.seq, message.role, message.id) for message in sessions.messages(NEW)]
    first = [(message.seq, message.role, message.id) for message in sessions.messages(THREAD)][:2]
    assert shown == [*first, (3, "user", "msg_fork-1_user_0")]
    execute(forked.task_id)
    assert len(answer(NEW)) == 2
