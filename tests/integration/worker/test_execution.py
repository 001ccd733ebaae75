"""The tasks of an execution against the table, with runners written for the purpose."""

import asyncio
from collections.abc import AsyncGenerator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from tests.support.divination_runs import THREAD, body, execute, kept, submit
from tests.support.journals import end_of, stored, text, types
from tests.support.runners.scripted import DONE, Results, Scripted, Use, completed, delta, install
from yarrow.protocol.events import events
from yarrow.protocol.runner.models import AgentRunContext, AgentRunResult
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.runs import end_run
from yarrow.store import journal, runs, sessions
from yarrow.store.runs import ReplacedError
from yarrow.worker import execute_run, preparation

pytestmark = pytest.mark.usefixtures("aws")


@pytest.mark.parametrize("yields", [None, "run.completed"])
def test_a_runner_that_cannot_be_made_or_yields_no_result_ends_its_run(
    use: Use, monkeypatch: pytest.MonkeyPatch, yields: Any
) -> None:
    """RNR-40: with RUN_ERROR, and is not tried again."""

    async def garbage(context: AgentRunContext, _api: AgentRunAPIProxy) -> AsyncGenerator[Any]:
        yield yields

    def unmakable() -> Scripted:
        raise ValueError("secret")

    runner = Scripted()
    runner.run = garbage  # type: ignore[method-assign]
    for number, create in enumerate((unmakable, lambda: runner)):
        install(monkeypatch, create)
        run_key = submit(runId=f"run-{number}").task_id
        execute(run_key)
        error = stored(run_key)[-1]
        assert (error["type"], error["code"], error["message"]) == ("RUN_ERROR", "runner.error", "the agent failed")


def test_a_run_is_told_as_events_and_kept_as_history(use: Use) -> None:
    """EVT-07, EVT-08, EVT-09, EVT-15, EVT-17, EVT-25, EVT-27, HIS-08, HIS-19, DIV-33."""
    use(delta("你"), delta("好"), completed("你好", status="success", answer="你好", error=None), DONE)
    run_key = submit().task_id
    execute(run_key)
    assert types(run_key) == [
        "RUN_STARTED",
        "STEP_STARTED",
        "TEXT_MESSAGE_START",
        "TEXT_MESSAGE_CONTENT",
        "TEXT_MESSAGE_CONTENT",
        "TEXT_MESSAGE_END",
        "STEP_FINISHED",
        "RUN_FINISHED",
    ]
    emitted = stored(run_key)
    assert {(event["threadId"], event["runId"]) for event in emitted} == {(THREAD, "run-1")}
    message_id = emitted[2]["messageId"]
    assert emitted[5] == {
        "type": "TEXT_MESSAGE_END",
        "threadId": THREAD,
        "runId": "run-1",
        "messageId": message_id,
        "status": "success",
        "answer": "你好",
        "error": None,
    }
    question, answer = sessions.messages(THREAD)
    assert (question.seq, question.role) == (1, "user")
    assert (answer.seq, answer.role, answer.id, answer.content) == (2, "assistant", message_id, "你好")
    assert answer.agent_output == {"status": "success", "answer": "你好", "error": None}


def test_the_session_takes_the_next_run_when_one_has_ended(use: Use) -> None:
    """CMP-12, EVT-19."""
    use(completed("一"), DONE)
    execute(submit().task_id)
    second = submit(runId="run-2")
    execute(second.task_id)
    assert [message.seq for message in sessions.messages(THREAD)] == [1, 2, 3, 4]


def test_each_task_may_be_called_again(use: Use) -> None:
    """CMP-11: duplicated deliveries leave one terminal event and one message."""
    runner = use(completed("一"), DONE)
    run_key = submit().task_id
    for _ in range(2):
        execute_run.work(run_key)
    end_run.fail(run_key, "States.Timeout")
    assert len(runner.contexts) == 1
    assert types(run_key)[-1] == "RUN_FINISHED"
    assert types(run_key).count("RUN_FINISHED") == 1
    assert len(list(sessions.messages(THREAD))) == 2
    execute_run.work(run_key)
    assert len(runner.contexts) == 1


def test_what_a_runner_keeps_is_there_for_the_next_run(use: Use) -> None:
    """FUP-06: state of the conversation, kept with the answer."""
    use(("state.updated", {"scope": "conversation", "key": "k", "value": {"a": [1]}}), completed("一"), DONE)
    execute(submit().task_id)
    second = use(completed("二"), DONE)
    execute(submit(runId="run-2").task_id)
    assert second.contexts[0].state.conversation == {"k": {"a": [1]}}


def test_a_runner_that_raises_ends_the_run_with_an_error(use: Use) -> None:
    """DIV-34, HIS-18, EVT-08, ERR-12: what was open is closed, nothing of the cause is public, no answer is kept."""
    use(("state.updated", {"scope": "conversation", "key": "k", "value": 1}), delta("半"), ValueError("secret cause"))
    run_key = submit().task_id
    execute_run.work(run_key)
    assert types(run_key)[-3:] == ["TEXT_MESSAGE_END", "STEP_FINISHED", "RUN_ERROR"]
    assert stored(run_key)[-1] | {"type": ""} == {
        "type": "",
        "threadId": THREAD,
        "runId": "run-1",
        "message": "the agent failed",
        "code": "runner.error",
    }
    assert [message.role for message in sessions.messages(THREAD)] == ["user"]
    assert kept() == {}
    assert submit(runId="run-2").created is False


def test_a_runner_that_reports_failure_chooses_the_words(use: Use) -> None:
    """RNR-40: code and message of `run.failed` are public."""
    use(("run.failed", {"code": "agent.tired", "message": "try later", "retryable": True}))
    run_key = submit().task_id
    execute_run.work(run_key)
    last = stored(run_key)[-1]
    assert (last["message"], last["code"]) == ("try later", "agent.tired")


@pytest.mark.parametrize(
    ("cause", "code"), [("States.Timeout", "RUN_TIMEOUT"), ("TIMED_OUT", "RUN_TIMEOUT"), ("ABORTED", "RUN_FAILED")]
)
def test_a_run_whose_execution_stopped_before_it_began_is_ended(cause: str, code: str) -> None:
    """EVT-08, CMP-11."""
    run_key = submit().task_id
    end_run.fail(run_key, cause)
    end_run.fail(run_key, cause)
    assert types(run_key) == ["RUN_STARTED", "RUN_ERROR"]
    assert stored(run_key)[-1]["code"] == code
    assert runs.claim(run_key) is None


def test_a_runner_that_takes_too_long_is_stopped(use: Use, monkeypatch: pytest.MonkeyPatch) -> None:
    """RNR-70: every wait has a limit."""
    closed = []

    class Endless:
        async def run(self, context: AgentRunContext, _api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
            try:
                await asyncio.Event().wait()
                yield AgentRunResult(run_id=context.run_id, type="run.completed")
            finally:
                closed.append(True)

    install(monkeypatch, Endless)
    monkeypatch.setattr(preparation, "MINUTE", 0.01)
    run_key = submit().task_id
    execute_run.work(run_key)
    assert closed == [True]
    assert stored(run_key)[-1]["code"] == "runner.timeout"


@pytest.mark.usefixtures("unbuffered")
@pytest.mark.parametrize("cut", range(7))
def test_a_worker_that_takes_over_says_nothing_twice(use: Use, cut: int) -> None:
    """CMP-11, DIV-11: the first worker dies after any number of results; the second is heard from where it stopped."""
    script: Results = [delta("天"), delta("地"), delta("人"), completed("天地人", status="success"), DONE]
    use(*script[:cut], KeyboardInterrupt())
    run_key = submit().task_id
    if cut < len(script):
        with pytest.raises(KeyboardInterrupt):
            execute_run.work(run_key)
    use(*script)
    execute_run.work(run_key)
    assert text(run_key) == "天地人"
    assert types(run_key).count("TEXT_MESSAGE_END") == 1
    assert [message.content for message in sessions.messages(THREAD)][1:] == ["天地人"]


@pytest.mark.usefixtures("unbuffered")
def test_a_worker_that_takes_over_with_other_words_begins_a_new_message(use: Use) -> None:
    """CMP-11, HIS-19: what was shown stays, closed, and the history holds it as the client does."""
    use(delta("天"), KeyboardInterrupt())
    run_key = submit().task_id
    with pytest.raises(KeyboardInterrupt):
        execute_run.work(run_key)
    use(completed("人", status="success"), DONE)
    execute_run.work(run_key)
    assert text(run_key) == "天人"
    assert types(run_key).count("TEXT_MESSAGE_START") == types(run_key).count("TEXT_MESSAGE_END") == 2
    assert [message.content for message in sessions.messages(THREAD)][1:] == ["天", "人"]


def test_a_worker_that_was_replaced_can_write_no_more(use: Use) -> None:
    """EVT-27: the numbers stay dense whoever writes."""
    run_key = submit().task_id
    others: list[dict[str, Any]] = []

    def be_replaced() -> None:
        use(completed("二"), DONE)
        with ThreadPoolExecutor(1) as pool:
            pool.submit(execute_run.work, run_key).result()
        others.extend(stored(run_key))

    use(be_replaced, completed("一"), DONE)
    execute_run.work(run_key)
    assert others[-1]["type"] == "RUN_FINISHED"
    assert stored(run_key) == others


def test_the_context_tells_who_where_and_until_when(use: Use) -> None:
    """FWD-07, FWD-08, C3, C37: The time zone is the device's, else the profile's; the locale is the user's."""
    runner = use(completed("一"), DONE)
    execute(submit().task_id)
    clock = {"device_timezone": "Asia/Tokyo", "client_now_iso": "2026-04-03T20:30:00+08:00", "client_epoch_ms": 1}
    execute(submit(runId="run-2", forwardedProps=body()["forwardedProps"] | {"client_time": clock}).task_id)
    profile, device = runner.contexts
    assert (profile.runtime.locale, profile.runtime.timezone) == ("zh-CN", "Asia/Shanghai")
    assert device.runtime.timezone == "Asia/Tokyo"
    assert profile.input.text == "我最近换工作是否合适?"
    assert profile.event.data["divinationPayload"]["questionType"] == "事业"


def test_of_two_workers_the_later_one_goes_on_wherever_the_first_is(use: Use, monkeypatch: pytest.MonkeyPatch) -> None:
    """EVT-27, CMP-11: The first appends between the second's reading of the journal and its taking over."""
    run_key = submit().task_id
    first = runs.claim(run_key)
    assert first is not None
    line = events.encode(events.StepStarted(**first.ids, step_name="worker"))
    append = journal.append

    def late(key: str, attempt: int, at: journal.Position, lines: list[str]) -> journal.Position:
        monkeypatch.setattr(journal, "append", append)
        append(run_key, first.attempt, at, [line])
        return append(key, attempt, at, lines)

    monkeypatch.setattr(journal, "append", late)
    use(completed("一"), DONE)
    execute_run.work(run_key)
    assert [event["type"] for event in stored(run_key)].count("STEP_STARTED") == 1
    assert types(run_key)[-1] == "RUN_FINISHED"


def test_a_worker_that_reads_of_a_later_one_leaves_the_run_to_it(use: Use) -> None:
    """EVT-27, CMP-11."""
    run_key = submit().task_id
    first, second = runs.claim(run_key), runs.claim(run_key)
    assert first is not None
    assert second is not None
    journal.append(run_key, second.attempt, end_of(run_key), [])
    with pytest.raises(ReplacedError):
        execute_run._take_over(first, runs.read_work(run_key)[1])
    order, at, _ = execute_run._take_over(replace(second, attempt=3), [])
    assert order.started
    assert at.empties == 2


def test_a_worker_that_is_replaced_fails_for_the_state_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """CMP-11: it does not report success of a run that another worker goes on with."""
    run_key = submit().task_id

    def replaced(*_: object) -> None:
        raise ReplacedError

    monkeypatch.setattr(execute_run, "_take_over", replaced)
    with pytest.raises(ReplacedError):
        execute_run.work(run_key)
    assert not runs.must_read(run_key).ended
