"""Steps that must not be repeated and were cut off: the user says what becomes of them (STP-03)."""

from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest

from tests.support.divination_runs import THREAD, execute, submit
from tests.support.journals import stored, text, types
from tests.support.runners import approving
from tests.support.runners.asking import answered, cancelled, interrupts_of, said
from tests.support.runners.scripted import install
from yarrow.protocol.runner.api import StepBeginRequest
from yarrow.protocol.runner.models import AgentRunContext, AgentRunResult
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.runs import list_steps
from yarrow.services.steps.step_log import StepLog
from yarrow.store import clock, runs, sessions
from yarrow.store.runner import steps
from yarrow.store.runner.steps import Step
from yarrow.worker.invocation.registry import registry

pytestmark = [pytest.mark.usefixtures("aws"), pytest.mark.memory]

Act = Callable[["Payer", AgentRunAPIProxy], Awaitable[object]]


class Payer:
    """A runner that says a word, acts and says what came of it; whoever is in `dies` when it pays kills its worker."""

    def __init__(self, act: Act) -> None:
        self.act = act
        self.dies = {"pay"}
        self.paid: Counter[str] = Counter()

    async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        yield said(context, "Let me pay.")
        came = await self.act(self, api)
        yield said(context, f"It says {came}.")

    async def pay(self, api: AgentRunAPIProxy, name: str = "pay") -> object:
        def pay() -> str:
            self.paid[name] += 1
            if name in self.dies:
                raise KeyboardInterrupt
            return f"paid {self.paid[name]}"

        return await api.step(name, pay, retry="never")


async def _once(payer: Payer, api: AgentRunAPIProxy) -> object:
    return await payer.pay(api)


def cut_off(monkeypatch: pytest.MonkeyPatch, act: Act = _once) -> tuple[Payer, str]:
    """A run whose worker died when it paid."""
    payer = Payer(act)
    install(monkeypatch, lambda: payer)
    run_key = submit().task_id
    with pytest.raises(KeyboardInterrupt):
        execute(run_key)
    return payer, run_key


def asked(monkeypatch: pytest.MonkeyPatch, act: Act = _once) -> tuple[Payer, str, list[dict[str, Any]]]:
    """The same after the next worker, and what it asks."""
    payer, run_key = cut_off(monkeypatch, act)
    execute(run_key)
    return payer, run_key, interrupts_of(run_key)


def goes_on(interrupt: dict[str, Any], payload: str) -> str:
    """Answer; the run that goes on, after its worker."""
    run_key = answered(interrupt["id"], payload).task_id
    execute(run_key)
    return run_key


def test_the_user_is_asked_and_nothing_is_done_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    payer, run_key, (interrupt,) = asked(monkeypatch)
    assert payer.paid == {"pay": 1}
    assert interrupt["message"].startswith("pay 被中断，可能已执行，也可能没有。")
    assert interrupt["responseSchema"] == {"type": "string", "enum": ["repeat", "done", "stop"]}
    assert [option["label"] for option in interrupt["metadata"]["options"]] == ["重新执行", "视为已完成", "停止"]
    (step,) = steps.read_all(run_key)
    begun = {"name": "pay", "action": "steps.begin", "startedAt": step.started_at}
    assert interrupt["metadata"]["step"] == begun
    assert runs.must_read(run_key).phase == "finished"
    assert text(run_key) == f"Let me pay.{interrupt['message']}"


@pytest.mark.parametrize(("choice", "came", "times"), [("repeat", "paid 2", 2), ("done", None, 1)])
def test_the_run_goes_on_as_the_user_says(
    monkeypatch: pytest.MonkeyPatch, choice: str, came: str | None, times: int
) -> None:
    """And its worker may die: what the user said holds for the next one."""
    payer, first, (interrupt,) = asked(monkeypatch)
    payer.dies = set()
    run_key = answered(interrupt["id"], choice).task_id
    with monkeypatch.context() as patched:
        patched.setattr("yarrow.worker.execute_run.JournalWriter", _dies)
        with pytest.raises(KeyboardInterrupt):
            execute(run_key)
    execute(run_key)
    assert payer.paid == {"pay": times}
    assert text(run_key) == f"It says {came}."
    assert stored(run_key)[-1]["type"] == "RUN_FINISHED"
    said_to_user = [message.content for message in sessions.messages(THREAD)][1:]
    label = {"repeat": "重新执行", "done": "视为已完成"}[choice]
    assert said_to_user == ["Let me pay.", interrupt["message"], label, f"It says {came}."]
    shown = {step.name: step.outcome for step in list_steps.list_steps("alice", THREAD, "run-1").steps if step.ms == 0}
    assert ("settled" in shown.values()) is (choice == "done")
    assert not [step for step in steps.read_all(first) if step.is_in_doubt]


def _dies(*_: object) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize("choice", ["stop", None])
def test_the_run_ends_if_the_user_stops_or_does_not_say(monkeypatch: pytest.MonkeyPatch, choice: str | None) -> None:
    payer, _, (interrupt,) = asked(monkeypatch)
    run_key = cancelled(interrupt["id"]).task_id if choice is None else answered(interrupt["id"], choice).task_id
    execute(run_key)
    assert stored(run_key)[-1]["code"] == "runner.outcome_unknown"
    assert payer.paid == {"pay": 1}


def test_who_repeats_is_asked_again_if_it_is_cut_off_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first answer is about the first time."""
    payer, _, (interrupt,) = asked(monkeypatch)
    second = answered(interrupt["id"], "repeat").task_id
    with pytest.raises(KeyboardInterrupt):
        execute(second)
    execute(second)
    (again,) = interrupts_of(second)
    assert again["id"] != interrupt["id"]
    payer.dies = set()
    third = goes_on(again, "repeat")
    assert text(third) == "It says paid 3."


def test_a_step_that_ended_after_all_keeps_its_result(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that was taken for dead stores it before the user answers: nothing is done twice."""
    payer, first, (interrupt,) = asked(monkeypatch)
    (step,) = steps.read_all(first)
    steps.end(first, replace(step, ms=5, outcome="ok", result='{"value":"paid late"}'))
    assert text(goes_on(interrupt, "repeat")) == "It says paid late."
    assert payer.paid == {"pay": 1}


def test_several_are_asked_about_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer to one leaves the other open."""

    async def both(payer: Payer, api: AgentRunAPIProxy) -> object:
        return [await payer.pay(api), await payer.pay(api, "rent")]

    payer, run_key = cut_off(monkeypatch, both)
    request = StepBeginRequest(run_id=run_key, name="rent", retry="never")
    rent = StepLog(run_key, 1).call("steps.begin", request, "rent", "never")
    assert rent is not None
    begun = Step(rent.id, rent.action, 2, 1, clock.now_iso(), "rent", "never")
    steps.begin(run_key, begun, run_key)  # as a call side by side does
    payer.dies = set()
    execute(run_key)
    first, second = sorted(interrupts_of(run_key), key=lambda one: str(one["metadata"]["step"]["name"]))
    second_run = goes_on(first, "done")
    assert [again["id"] for again in interrupts_of(second_run)] == [second["id"]]
    assert payer.paid == {"pay": 1}
    third = goes_on(second, "repeat")
    assert text(third) == "It says [None, 'paid 1']."
    assert runs.must_read(third).earlier == (run_key, second_run)


def test_a_runner_that_takes_another_way_does_not_act_before_the_user_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """STP-06: the other call may mean the same."""

    async def differently(payer: Payer, api: AgentRunAPIProxy) -> object:
        return await payer.pay(api, "pay" if not payer.paid else "pay again")

    payer, _, (interrupt,) = asked(monkeypatch, differently)
    assert interrupt["message"].startswith("pay ")
    assert payer.paid == {"pay": 1}
    assert text(goes_on(interrupt, "done")) == "It says paid 1."
    assert payer.paid == {"pay": 1, "pay again": 1}


class DyingLedger(list[tuple[str, int]]):
    """Transfers; a worker dies right after the first."""

    def append(self, transfer: tuple[str, int]) -> None:
        super().append(transfer)
        if len(self) == 1:
            raise KeyboardInterrupt


@pytest.mark.parametrize(("choice", "transfers"), [("done", 1), ("repeat", 2)])
def test_a_tool_call_that_was_cut_off_has_a_result_in_the_end(
    monkeypatch: pytest.MonkeyPatch, choice: str, transfers: int
) -> None:
    """STP-03: a model reads what the user said; the announced call has one result, in the run that goes on."""
    made = approving.bank(monkeypatch)
    made.made = DyingLedger()
    approving.install(monkeypatch, approving.Caller({"to": "landlord", "amount": 900}))
    first = approving.submit()
    with pytest.raises(KeyboardInterrupt):
        execute(first)
    execute(first)
    (interrupt,) = interrupts_of(first)
    assert interrupt["metadata"]["step"]["action"] == "tools.call"
    assert "TOOL_CALL_RESULT" not in types(first)
    run_key = goes_on(interrupt, choice)
    (result,) = (event["content"] for event in stored(run_key) if event["type"] == "TOOL_CALL_RESULT")
    assert ("The user says that this call was made." in result) is (choice == "done")
    assert made.made == [("landlord", 900)] * transfers


def test_a_runner_that_does_not_come_to_the_step_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """No outcome stays unknown in silence."""

    async def not_again(payer: Payer, api: AgentRunAPIProxy) -> object:
        return None if payer.paid else await payer.pay(api)

    _, run_key = cut_off(monkeypatch, not_again)
    execute(run_key)
    assert stored(run_key)[-1]["code"] == "runner.outcome_unknown"


def test_a_run_of_a_remote_runner_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """A function of its own could not wait in the step."""
    _, run_key = cut_off(monkeypatch)
    remote = replace(registry.find("any"), is_remote=True)
    monkeypatch.setattr(registry, "find", lambda _: remote)
    execute(run_key)
    error = stored(run_key)[-1]
    assert (error["type"], error["code"]) == ("RUN_ERROR", "runner.outcome_unknown")
    assert error["message"] == "pay may or may not have been executed"
