"""Answers to questions of runs: who may give which, when, and what becomes of it (ASK-02 … ASK-04, ASK-07)."""

import asyncio
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest

from tests.support.divination_runs import ALICE, BOB, THREAD, body, execute, submit
from tests.support.journals import stored, text
from tests.support.runners.asking import (
    YES,
    Asked,
    Asker,
    answered,
    cancelled,
    confirm,
    entry,
    refused,
    resumed,
)
from tests.support.runners.scripted import install
from tools import erase_user
from yarrow.protocol.interrupts import ResumeEntry
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.protocol.runner.questions import Question
from yarrow.runs import answer_questions, submit_run
from yarrow.runs.answer_questions import resume_run
from yarrow.runs.delete_session import delete_session
from yarrow.runs.list_interrupts import list_interrupts
from yarrow.services.steps.asking import RunQuestions
from yarrow.services.steps.step_log import Call, StepLog
from yarrow.store import questions, runs, sessions, table

pytestmark = [pytest.mark.usefixtures("aws"), pytest.mark.memory]


def test_nobody_else_answers(ask: Asked) -> None:
    """ASK-04."""
    question = ask()
    assert refused(lambda: answered(question, YES, BOB)) == (404, "AGENT_INTERRUPT_NOT_FOUND")
    assert refused(lambda: answered("0" * 32, YES)) == (404, "AGENT_INTERRUPT_NOT_FOUND")
    assert refused(lambda: resumed(entry(question), caller=BOB)) == (403, "AGENT_FORBIDDEN")
    assert not list_interrupts(BOB.user_id).interrupts


def test_the_first_answer_wins(ask: Asked) -> None:
    """ASK-04: the same one again gets the same run, another one learns that it comes too late."""
    question = ask()
    first = answered(question, YES)
    assert answered(question, YES).task_id == first.task_id
    assert resumed(entry(question), run_id="run-9").task_id == first.task_id
    assert refused(lambda: answered(question, {"approved": False})) == (409, "AGENT_INTERRUPT_ANSWERED")
    assert refused(lambda: cancelled(question)) == (409, "AGENT_INTERRUPT_ANSWERED")
    execute(first.task_id)
    assert answered(question, YES).task_id == first.task_id
    assert text(first.task_id) == "So be it: answered"


def test_two_devices_answer_at_once(ask: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    """ASK-04: both have read the open question before one of them takes it."""
    question = ask()
    submit_ = submit_run.submit
    raced: list[str] = []

    def race(submission: Any) -> Any:
        if not raced:
            raced.append("")
            raced[0] = answered(question, {"approved": False}).task_id
        return submit_(submission)

    monkeypatch.setattr(answer_questions, "submit", race)
    code = refused(lambda: answered(question, YES))
    assert code in {(409, "AGENT_INTERRUPT_ANSWERED"), (409, "AGENT_RUN_IN_PROGRESS")}
    execute(raced[0])
    assert text(raced[0]) == "So be it: refused"


def test_a_resume_that_another_answer_overtakes_goes_on_from_the_later_run(
    ask: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    """ASK-04: one question is answered, and the other asked again, after the resume of both has read them."""

    async def both(_: Asker, api: AgentRunAPIProxy) -> Any:
        one, two = await asyncio.gather(api.ask("One?", "text"), api.ask("Two?", "text"))
        return f"{one.value} {two.value}"

    first = ask(both)
    second = sessions.must_read(THREAD).open_questions[1].id
    submit_, overtaken = submit_run.submit, list[str]()

    def overtake(submission: Any) -> Any:
        if not overtaken:
            overtaken.append("")
            overtaken[0] = answered(first, "a").task_id
            execute(overtaken[0])
        return submit_(submission)

    monkeypatch.setattr(answer_questions, "submit", overtake)
    accepted = resumed(entry(first, "a"), entry(second, "b"))
    assert runs.must_read(accepted.task_id).earlier[1:] == (overtaken[0],)
    execute(accepted.task_id)
    assert text(accepted.task_id) == "So be it: a b"
    assert [message.content for message in sessions.messages(THREAD) if message.role == "user"][1:] == ["a", "b"]
    assert resumed(entry(first, "a"), entry(second, "b"), run_id="run-9").task_id == accepted.task_id


def test_an_expired_question_can_only_be_cancelled(ask: Asked, later: Callable[[timedelta], None]) -> None:
    """ASK-07: it is in no list, and its runner learns of it."""
    question = ask()
    later(timedelta(days=8))
    assert refused(lambda: answered(question, YES)) == (410, "AGENT_INTERRUPT_EXPIRED")
    assert not list_interrupts("alice").interrupts
    second = cancelled(question).task_id
    execute(second)
    assert text(second) == "So be it: expired"
    assert refused(lambda: answered(question, YES)) == (409, "AGENT_INTERRUPT_ANSWERED")


def test_an_answer_counts_though_a_replaced_worker_took_the_question_for_expired(ask: Asked) -> None:
    """ASK-04, STP-01: its clock was ahead, and it stored that after the run had ended with the question open."""
    (question,) = questions.read("alice", [ask()])
    assert question is not None
    line = sessions.OpenQuestion(question.id, question.step_id, "2026-01-01T00:00:00.000+00:00")
    replaced = RunQuestions(StepLog(question.run_key, 1), lambda: [line])
    call = Call(question.step_id, "key", question.action, None, question.step_number, "safe")
    assert asyncio.run(replaced.ask(call, Question(message=question.message)))["status"] == "expired"
    second = answered(question.id, YES).task_id
    execute(second)
    assert text(second) == "So be it: answered"


def test_a_question_that_is_closed_while_it_is_read_is_found(ask: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    """ASK-04: the second device learns that the first was faster, not that there is no such question."""
    question, get_all = ask(), table.get_all

    def torn(*keys: table.Item) -> list[table.Item | None]:
        monkeypatch.setattr(table, "get_all", get_all)
        closed = get_all(*keys[1::2])
        answered(question, YES)
        return [item for pair in zip(get_all(*keys[::2]), closed, strict=True) for item in pair]

    monkeypatch.setattr(table, "get_all", torn)
    (found,) = questions.read("alice", [question])
    assert found is not None
    assert found.ended == "answered"


def test_a_run_that_goes_on_waits_for_no_question_that_has_expired(
    ask: Asked, later: Callable[[timedelta], None]
) -> None:
    """ASK-07: its runner gets that it has expired, with the answer to the other."""

    async def both(_: Asker, api: AgentRunAPIProxy) -> Any:
        one, two = await asyncio.gather(api.ask("One?", expires_in=60), api.ask("Two?"))
        return f"{one.status} {two.status}"

    first = ask(both)
    second = sessions.must_read(THREAD).open_questions[1].id
    later(timedelta(minutes=5))
    accepted = answered(second, YES)
    execute(accepted.task_id)
    assert text(accepted.task_id) == "So be it: expired answered"
    (closed,) = questions.read("alice", [first])
    assert closed is not None
    assert closed.ended == "expired"


def test_resume_answers_every_question(ask: Asked) -> None:
    """ASK-02: none is left out, none is unknown, none is answered twice."""
    question = ask()
    missing = {"threadId": THREAD, "runId": "run-2", "messages": body()["messages"]}
    assert refused(lambda: submit(runId="run-2")) == (409, "AGENT_INTERRUPT_OPEN")
    assert resume_run(json.dumps(missing).encode(), ALICE) is None
    assert refused(lambda: resumed(entry("0" * 32))) == (404, "AGENT_INTERRUPT_NOT_FOUND")
    assert refused(lambda: resumed(entry(question), entry("0" * 32))) == (404, "AGENT_INTERRUPT_NOT_FOUND")
    assert refused(lambda: resumed(entry(question), entry(question))) == (422, "AGENT_RUN_INPUT_INVALID")
    too_many = [entry(str(number)) for number in range(6)]
    wrong: list[Any] = ["no", {"interruptId": question}, [1], [{"interruptId": 7}], too_many]
    for resume in wrong:
        raw = json.dumps({"threadId": THREAD, "runId": "run-2", "resume": resume}).encode()
        assert refused(partial(resume_run, raw, ALICE))[0] == 422
    accepted = resumed(entry(question))
    assert (accepted.run_id, accepted.created) == ("run-2", False)


def test_a_run_that_answers_may_have_the_id_of_the_one_that_asked(ask: Asked) -> None:
    """ASK-03: CopilotKit resumes so."""
    question = ask()
    accepted = resumed(entry(question), run_id="run-1")
    assert accepted.run_id != "run-1"
    assert resumed(entry(question), run_id="run-1").task_id == accepted.task_id
    execute(accepted.task_id)
    assert text(accepted.task_id) == "So be it: answered"


def test_part_of_the_questions_cannot_be_resumed(ask: Asked) -> None:
    async def both(_: Asker, api: AgentRunAPIProxy) -> Any:
        answers = await asyncio.gather(api.ask("One?"), api.ask("Two?"))
        return " ".join(answer.status for answer in answers)

    first = ask(both)
    session = sessions.must_read(THREAD)
    second = session.open_questions[1].id
    assert refused(lambda: resumed(entry(first))) == (422, "AGENT_INTERRUPT_INCOMPLETE")
    accepted = resumed(entry(second, {"approved": False}), {"interruptId": first, "status": "cancelled"})
    execute(accepted.task_id)
    assert text(accepted.task_id) == "So be it: cancelled refused"


def test_an_answer_to_a_run_that_failed_may_be_given_again(ask: Asked) -> None:
    """ASK-04: the steps before are kept, so that nothing is lost."""
    fails = [True]

    async def act(asker: Asker, api: AgentRunAPIProxy) -> Any:
        answer = await api.ask("Shall I?")
        await api.step("pay", lambda: asker.made.append("paid"))
        if fails:
            raise ValueError(fails.pop())
        return f"{answer.status}, paid {asker.made.count('paid')} times"

    question = ask(act)
    first = answered(question, YES).task_id
    execute(first)
    assert stored(first)[-1]["type"] == "RUN_ERROR"
    second = resumed(entry(question), run_id="run-9").task_id
    assert second != first
    assert answered(question, YES).task_id == second
    execute(second)
    assert text(second) == "So be it: answered, paid 1 times"
    assert [message.content for message in sessions.messages(THREAD)][1:] == [
        "Let me see.",
        "Shall I?",
        "✓",
        "So be it: answered, paid 1 times",
    ]


def test_an_answer_given_again_goes_on_from_all_that_the_failed_run_continued(ask: Asked) -> None:
    """ASK-04: one question is answered alone, both together by a run that fails, and then the first again."""
    fails = [True]

    async def act(asker: Asker, api: AgentRunAPIProxy) -> Any:
        one, two = await asyncio.gather(api.ask("One?", "text"), api.ask("Two?", "text"))
        if fails:
            raise ValueError(fails.pop())
        return f"{one.value} {two.value}"

    one = ask(act)
    two = sessions.must_read(THREAD).open_questions[1].id
    alone = answered(one, "a").task_id
    execute(alone)
    together = resumed(entry(one, "a"), entry(two, "b")).task_id
    execute(together)
    assert runs.must_read(together).phase == "failed"
    again = answered(one, "a").task_id
    assert again != together
    assert runs.must_read(again).earlier[1:] == (alone,)
    assert answered(two, "b").task_id == again
    execute(again)
    assert text(again) == "So be it: a b"
    assert answered(two, "b").task_id == answered(one, "a").task_id == again


def test_deleting_the_session_closes_its_questions(ask: Asked) -> None:
    """ASK-07."""
    question = ask()
    delete_session("alice", THREAD)
    assert refused(lambda: answered(question, YES))[0] in (404, 409)
    assert not list_interrupts("alice").interrupts


def test_erasing_the_user_leaves_nothing_of_them(ask: Asked) -> None:
    """ASK-07, CMP-09."""
    question = ask()
    erase_user.delete_partition(questions.partition("alice"))
    assert questions.read("alice", [question]) == [None]
    assert questions.partition("alice") in erase_user.find("alice").partitions
    assert not list(table.query(questions.partition("alice"), start="A", before="~"))


def test_open_questions_are_listed_newest_first_in_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """ASK-04."""
    asker = Asker(confirm)
    install(monkeypatch, lambda: asker)
    threads = [THREAD[:-1] + str(number) for number in range(3)]
    for number, thread in enumerate(threads):
        execute(submit(threadId=thread, runId=f"run-{number}").task_id)
    page = list_interrupts("alice", "2")
    assert [item.thread_id for item in page.interrupts] == threads[:0:-1]
    assert page.has_more
    rest = list_interrupts("alice", "2", page.next)
    assert [item.thread_id for item in rest.interrupts] == threads[:1]
    assert (rest.has_more, rest.next) == (False, None)
    item = rest.interrupts[0]
    assert (item.run_id, item.agent, item.message, item.kind) == ("run-0", "divination", "Shall I?", "confirmation")
    assert datetime.fromisoformat(item.expires_at) > datetime.now(UTC) + timedelta(days=6)
    queries: list[tuple[str | None, ...]] = [("0",), ("101",), ("x",), (None, "x")]
    for query in queries:
        assert refused(partial(list_interrupts, "alice", *query)) == (422, "AGENT_INTERRUPT_QUERY_INVALID")


def test_an_answer_while_a_run_is_active_is_refused(ask: Asked) -> None:
    question = ask()
    accepted = answered(question, YES)
    assert sessions.must_read(THREAD).active_run == accepted.task_id
    assert refused(lambda: submit(runId="run-3"))[1] == "AGENT_RUN_IN_PROGRESS"
    assert runs.must_read(accepted.task_id).earlier
    assert stored(accepted.task_id)[0]["type"] == "RUN_STARTED"


def test_an_entry_of_a_resume_is_read_in_either_spelling() -> None:
    from yarrow.protocol.interrupts import read_resume

    assert read_resume([{"interrupt_id": "a", "status": "cancelled", "payload": 1}]) == (ResumeEntry("a", "cancelled"),)
    assert read_resume(None) == read_resume([]) == ()
