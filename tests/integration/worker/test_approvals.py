"""Calls of tools that the user has to approve: the host asks, before the call is made (ASK-06)."""

import asyncio
import time
from collections.abc import AsyncGenerator, Mapping

import pytest
from pydantic import JsonValue

from tests.support.divination_runs import ALICE, BOB, THREAD, execute
from tests.support.journals import stored, text, types
from tests.support.runners.approving import TOOL, Bank, Caller, bank, install, results, submit
from tests.support.runners.asking import answered, cancelled, interrupts_of, said
from yarrow.formats import json_text
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.runner.api import AgentAPIException
from yarrow.protocol.runner.models import AgentRunContext, AgentRunResult
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.runs import end_run
from yarrow.runs.delete_session import delete_session
from yarrow.runs.list_interrupts import list_interrupts
from yarrow.store import questions, runs, sessions
from yarrow.store.runner import steps
from yarrow.worker.invocation.isolation import IsolatedRunner

pytestmark = [pytest.mark.usefixtures("aws"), pytest.mark.memory]

RENT = {"to": "landlord", "amount": 900}
TIP = {"to": "waiter", "amount": 5}


def begun(monkeypatch: pytest.MonkeyPatch, *calls: Mapping[str, object], announces: bool = True) -> str:
    """A run that has made these calls, as far as it comes."""
    install(monkeypatch, Caller(*calls, announces=announces))
    run_key = submit()
    execute(run_key)
    return run_key


def goes_on(interrupt_id: str, payload: object) -> str:
    """A run that has gone on with an answer."""
    run_key = answered(interrupt_id, payload).task_id
    execute(run_key)
    return run_key


def test_without_an_approval_nobody_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """ASK-06: everything is off by default."""
    made = bank(monkeypatch)
    first = begun(monkeypatch, RENT)
    assert made.made == [("landlord", 900)]
    assert "outcome" not in stored(first)[-1]


def test_a_call_waits_for_its_approval_and_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """ASK-06: the interrupt is AG-UI's for a tool call, and the resumed run only adds the result."""
    made = bank(monkeypatch, approval="always")
    first = begun(monkeypatch, RENT)
    assert made.made == []
    (interrupt,) = interrupts_of(first)
    assert (interrupt["reason"], interrupt["toolCallId"]) == ("tool_call", "call-0")
    assert set(interrupt["responseSchema"]["properties"]) == {"approved", "reason"}
    shown = {name: interrupt["metadata"][name] for name in ("kind", "toolName", "arguments", "scope")}
    assert shown == {"kind": "confirmation", "toolName": TOOL, "arguments": RENT, "scope": "call"}
    (listed,) = list_interrupts("alice").interrupts
    assert (listed.id, listed.tool_call_id) == (interrupt["id"], "call-0")
    assert {"kind": listed.kind, **(listed.metadata or {})} == interrupt["metadata"]
    assert json_text.dumps(RENT) in text(first)

    second = goes_on(interrupt["id"], {"approved": True})
    assert made.made == [("landlord", 900)]
    assert results(stored(second)) == {"call-0": {"transferred": 900, "to": "landlord", "notified": False}}
    assert "TOOL_CALL_START" not in types(second)
    assert {step.action: step.outcome for step in steps.read_all(first)} == {
        "tools.approve": "answered",
        "tools.call": "ok",
    }


def test_a_refusal_is_the_calls_result(monkeypatch: pytest.MonkeyPatch) -> None:
    """ASK-06: the run goes on, and its model reads why."""
    made = bank(monkeypatch, approval="always")
    first = begun(monkeypatch, RENT)
    second = goes_on(interrupts_of(first)[0]["id"], {"approved": False, "reason": "too much"})
    assert made.made == []
    (result,) = results(stored(second)).values()
    assert (result["approved"], result["reason"]) == (False, "too much")
    assert types(second)[-1] == "RUN_FINISHED"


def test_no_answer_is_no_approval(monkeypatch: pytest.MonkeyPatch) -> None:
    made = bank(monkeypatch, approval="always")
    first = begun(monkeypatch, RENT)
    second = cancelled(interrupts_of(first)[0]["id"]).task_id
    execute(second)
    assert made.made == []
    assert results(stored(second))["call-0"]["approved"] is False


@pytest.mark.parametrize("payload", [{}, {"approved": "yes"}, {"approved": 1}, True, None, "yes"])
def test_anything_but_a_yes_or_a_no_is_refused(monkeypatch: pytest.MonkeyPatch, payload: object) -> None:
    made = bank(monkeypatch, approval="always")
    first = begun(monkeypatch, RENT)
    with pytest.raises(Problem) as caught:
        answered(interrupts_of(first)[0]["id"], payload)
    assert caught.value.code == Code.AGENT_INTERRUPT_ANSWER_INVALID
    assert made.made == []


def test_edits_are_made_where_they_are_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    """ASK-06: they replace all arguments, and match the tool's schema."""
    made = bank(monkeypatch, approval="always", allow_edit=True)
    first = begun(monkeypatch, RENT)
    (interrupt,) = interrupts_of(first)
    assert interrupt["responseSchema"]["properties"]["editedArgs"]["required"] == ["to"]
    with pytest.raises(Problem) as caught:
        answered(interrupt["id"], {"approved": True, "editedArgs": {"to": "landlord", "amount": "all of it"}})
    assert caught.value.code == Code.AGENT_INTERRUPT_ANSWER_INVALID
    second = goes_on(interrupt["id"], {"approved": True, "editedArgs": {"to": "landlord", "amount": 850}})
    assert made.made == [("landlord", 850)]
    assert results(stored(second))["call-0"]["transferred"] == 850


def test_edits_that_are_not_offered_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """ASK-06: the stored arguments are those that run."""
    made = bank(monkeypatch, approval="always")
    first = begun(monkeypatch, RENT)
    goes_on(interrupts_of(first)[0]["id"], {"approved": True, "editedArgs": {"to": "thief", "amount": 9_000}})
    assert made.made == [("landlord", 900)]


def test_calls_side_by_side_give_several_interrupts(monkeypatch: pytest.MonkeyPatch) -> None:
    """ASK-06: also two equal ones, each of which belongs to a call of its own."""
    made = bank(monkeypatch, approval="always")
    first = begun(monkeypatch, RENT, TIP, TIP)
    rent, tip, other = interrupts_of(first)
    assert [one["toolCallId"] for one in (rent, tip, other)] == ["call-0", "call-1", "call-2"]
    second = goes_on(tip["id"], {"approved": True})
    assert made.made == [("waiter", 5)]
    assert {one["id"] for one in interrupts_of(second)} == {rent["id"], other["id"]}
    third = goes_on(rent["id"], {"approved": False})
    fourth = goes_on(other["id"], {"approved": True})
    assert made.made == [("waiter", 5), ("waiter", 5)]
    assert results(stored(fourth)).keys() == {"call-0", "call-1", "call-2"}
    assert types(third)[-1] == types(fourth)[-1] == "RUN_FINISHED"


def test_more_calls_than_a_session_asks_about_are_asked_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    made = bank(monkeypatch, approval="always")
    run_key = begun(monkeypatch, *({"to": f"guest {number}"} for number in range(7)))
    while open_ones := interrupts_of(run_key):
        assert len(open_ones) <= 5
        run_key = goes_on(open_ones[0]["id"], {"approved": True})
    assert sorted(made.made) == [(f"guest {number}", 10) for number in range(7)]
    assert types(run_key)[-1] == "RUN_FINISHED"


def test_a_call_that_is_not_announced_is_approved_too(monkeypatch: pytest.MonkeyPatch) -> None:
    made = bank(monkeypatch, approval="always")
    first = begun(monkeypatch, RENT, announces=False)
    (interrupt,) = interrupts_of(first)
    assert interrupt["reason"] == "confirmation"
    assert "toolCallId" not in interrupt
    goes_on(interrupt["id"], {"approved": True})
    assert made.made == [("landlord", 900)]


class Insistent:
    """A runner that makes a call that fails, and another one, beside it or afterwards."""

    def __init__(self, *calls: Mapping[str, object], is_beside: bool) -> None:
        self.calls = calls
        self.is_beside = is_beside

    async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        made = [api.tools.call(TOOL, dict(call)) for call in self.calls]
        if self.is_beside:
            answers = await asyncio.gather(*made, return_exceptions=True)
        else:
            answers = [(await asyncio.gather(one, return_exceptions=True))[0] for one in made]
        for answer in answers:
            yield said(context, answer.error.code if isinstance(answer, AgentAPIException) else "made")


class TestOncePerSession:
    def test_one_approval_holds_for_the_session(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """ASK-06: it is a part of the session, and goes with it."""
        made = bank(monkeypatch, approval="once_per_session")
        first = begun(monkeypatch, RENT, TIP)
        (interrupt,) = interrupts_of(first)
        assert interrupt["metadata"]["scope"] == "session"
        goes_on(interrupt["id"], {"approved": True})
        assert sorted(made.made) == [("landlord", 900), ("waiter", 5)]
        assert sessions.must_read(THREAD).approved_tools == (TOOL,)
        install(monkeypatch, Caller({"to": "baker"}))
        execute(submit(runId="run-2", messages=[{"id": "msg-2", "role": "user", "content": "And bread."}]))
        assert ("baker", 10) in made.made
        delete_session("alice", THREAD)
        assert sessions.must_read(THREAD).approved_tools == ()

    @pytest.mark.parametrize("is_beside", [False, True])
    def test_a_call_that_nobody_could_read_asks_nothing_and_keeps_no_other_from_asking(
        self, monkeypatch: pytest.MonkeyPatch, *, is_beside: bool
    ) -> None:
        """Otherwise a run would end with a question that was never asked."""
        made = bank(monkeypatch, approval="once_per_session")
        install(monkeypatch, Insistent({"to": "x" * 40_000}, TIP, is_beside=is_beside))
        first = submit()
        execute(first)
        (interrupt,) = interrupts_of(first)
        assert interrupt["metadata"]["arguments"] == TIP
        assert made.made == []
        goes_on(interrupt["id"], {"approved": True})
        assert ("waiter", 5) in made.made

    def test_a_refusal_does_not(self, monkeypatch: pytest.MonkeyPatch) -> None:
        made = bank(monkeypatch, approval="once_per_session")
        first = begun(monkeypatch, RENT, TIP)
        second = goes_on(interrupts_of(first)[0]["id"], {"approved": False})
        (interrupt,) = interrupts_of(second)
        goes_on(interrupt["id"], {"approved": True})
        assert made.made == [("waiter", 5)]

    def test_nor_does_one_of_other_arguments(self, monkeypatch: pytest.MonkeyPatch) -> None:
        bank(monkeypatch, approval="once_per_session", allow_edit=True)
        first = begun(monkeypatch, RENT)
        goes_on(interrupts_of(first)[0]["id"], {"approved": True, "editedArgs": TIP})
        assert sessions.must_read(THREAD).approved_tools == ()


WHEN: dict[str, JsonValue] = {"when": {"amount": {"minimum": 100}, "notify": {"const": True}}}


@pytest.mark.parametrize(
    ("call", "is_asked"),
    [
        ({"to": "a", "amount": 100, "notify": True}, True),
        ({"to": "a", "amount": "100", "notify": "true"}, True),
        ({"to": "a", "amount": 99, "notify": True}, False),
        ({"to": "a", "amount": 100, "notify": False}, False),
        ({"to": "a", "amount": 100}, False),
        ({"to": "a", "notify": True}, False),
    ],
)
def test_conditions_decide_by_what_the_tool_gets(
    monkeypatch: pytest.MonkeyPatch, call: dict[str, object], is_asked: bool
) -> None:
    """ASK-06: a number in quotes is a number, and a missing argument its default."""
    made = bank(monkeypatch, approval=WHEN)
    first = begun(monkeypatch, call)
    assert bool(interrupts_of(first)) == is_asked
    assert bool(made.made) != is_asked


def test_arguments_that_the_tool_refuses_ask_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    bank(monkeypatch, approval="always")
    first = begun(monkeypatch, {"amount": 3})
    assert types(first)[-1] == "RUN_ERROR"  # this runner lets the error through
    assert not list(questions.open_of("alice", 5))


def test_the_log_names_the_call_without_its_arguments(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """ASK-06, RNR-82: nor does it have the user's reason."""
    bank(monkeypatch, approval="always")
    first = begun(monkeypatch, RENT)
    goes_on(interrupts_of(first)[0]["id"], {"approved": False, "reason": "a private reason"})
    audits = [vars(record)["audit"] for record in caplog.records if "audit" in vars(record)]
    assert [audit["approval"] for audit in audits if audit["action"] == "tools.call"] == ["asked", "refused"]
    lines = str([vars(record) for record in caplog.records])
    assert TOOL in lines
    assert "landlord" not in lines
    assert "private" not in lines


def test_an_answer_whose_run_fails_may_be_given_again(monkeypatch: pytest.MonkeyPatch) -> None:
    made = bank(monkeypatch, approval="always")
    first = begun(monkeypatch, RENT)
    interrupt_id = interrupts_of(first)[0]["id"]
    second = answered(interrupt_id, {"approved": True}).task_id
    end_run.end_with_error(second, end_run.FAILED)
    third = goes_on(interrupt_id, {"approved": True})
    assert third != second
    assert made.made == [("landlord", 900)]


def test_only_its_user_approves(monkeypatch: pytest.MonkeyPatch) -> None:
    made: Bank = bank(monkeypatch, approval="always")
    first = begun(monkeypatch, RENT)
    with pytest.raises(Problem) as caught:
        answered(interrupts_of(first)[0]["id"], {"approved": True}, BOB)
    assert caught.value.code == Code.AGENT_INTERRUPT_NOT_FOUND
    assert made.made == []
    assert runs.must_read(first).user_id == ALICE.user_id


class Nested(Caller):
    """A runner whose calls are parts of its own steps, which do work of their own besides."""

    def __init__(self) -> None:
        super().__init__(RENT)
        self.begun: list[str] = []

    async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        async def inner() -> object:
            return await asyncio.create_task(api.tools.call(TOOL, RENT))

        async def outer() -> object:
            self.begun.append("outer")
            return await api.step("inner", inner)

        async def other() -> str:
            self.begun.append("other")
            await asyncio.sleep(0.5)
            return "done"

        answers = await asyncio.gather(api.step("outer", outer), api.step("other", other))
        yield said(context, json_text.dumps(answers))


@pytest.mark.parametrize("is_isolated", [False, True])
def test_a_call_in_the_runners_own_steps_waits_too(monkeypatch: pytest.MonkeyPatch, *, is_isolated: bool) -> None:
    """ASK-06, STP-01: steps around it are made again, others have time to end first."""
    made, runner = bank(monkeypatch, approval="always"), Nested()
    install(monkeypatch, IsolatedRunner(runner) if is_isolated else runner)
    first = submit()
    began = time.monotonic()
    execute(first)
    assert time.monotonic() - began < 20
    second = goes_on(interrupts_of(first)[0]["id"], {"approved": True})
    assert made.made == [("landlord", 900)]
    assert json_text.loads(text(second).encode())[1] == "done"
    assert sorted(runner.begun) == ["other", "outer", "outer"]
