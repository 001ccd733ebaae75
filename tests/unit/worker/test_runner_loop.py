"""How hearing a runner ends: by its last result, its deadline, a cancel, or what it raises."""

import asyncio
import logging
import re
from collections.abc import AsyncGenerator, Callable
from typing import Any

import pytest

from tests.support.runners.work import (
    API,
    CONTEXT,
    RUN,
    SOON,
    STARTED,
    Journal,
    Watched,
    completed,
    delta,
    due,
    result,
    texts,
    types,
    work,
)
from tests.support.runners.work import RunnerRaised as Raised
from yarrow.protocol.runner.models import AgentRunContext, AgentRunResult
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.settings import settings
from yarrow.store.runs import ReplacedError, RunOutcome
from yarrow.worker import runner_loop
from yarrow.worker.orchestrator import Orchestrator
from yarrow.worker.runner_loop import RunnerFailedError, failure_message


class Runner:
    def __init__(self, run: Callable[[], AsyncGenerator[Any]]) -> None:
        self._run = run

    def run(self, _context: AgentRunContext, _api: AgentRunAPIProxy) -> AsyncGenerator[Any]:
        return self._run()


async def orchestrate(
    run: Callable[[], AsyncGenerator[Any]], journal: Journal, context: AgentRunContext = CONTEXT
) -> RunOutcome:
    return await Orchestrator(RUN, (), journal).run(Runner(run), context, API)


def failure(run: Callable[[], AsyncGenerator[Any]], journal: Journal, context: AgentRunContext) -> RunnerFailedError:
    with pytest.raises(RunnerFailedError) as raised:
        asyncio.run(orchestrate(run, journal, context))
    return raised.value


# ---- The deadline ----------------------------------------------------------------------------------------------------
def test_a_runner_over_its_deadline_fails_the_run_and_is_closed() -> None:
    """RNR-70: while it is silent; the run may be tried again."""
    closed = []

    async def silent() -> AsyncGenerator[AgentRunResult]:
        try:
            yield result(*delta("一"))
            await asyncio.Event().wait()
        finally:
            closed.append(True)

    journal = Journal(STARTED, None)
    failed = failure(silent, journal, due(SOON))
    assert (failed.code, failed.message, failed.retryable) == ("runner.timeout", "the agent took too long", True)
    assert closed == [True]
    assert "TEXT_MESSAGE_CONTENT" in journal.lines[-1]


def test_a_deadline_that_has_passed_lets_nothing_through() -> None:
    """RNR-70."""

    async def quick() -> AsyncGenerator[AgentRunResult]:
        await asyncio.sleep(0)
        yield result(*completed("一"))

    journal = Journal(STARTED, None)
    assert failure(quick, journal, due(-1)).code == "runner.timeout"
    assert len(journal.lines) == len(STARTED)


def test_the_deadline_holds_for_a_runner_that_talks_all_the_time() -> None:
    """RNR-70."""

    async def talkative() -> AsyncGenerator[AgentRunResult]:
        while True:
            await asyncio.sleep(0)
            yield result(*delta("一"))

    assert failure(talkative, Journal(STARTED, None), due(SOON)).code == "runner.timeout"


@pytest.mark.parametrize(
    "last", [result("run.completed"), result("run.failed", {"code": "cancelled"}), result(*delta("二")), None]
)
def test_what_a_runner_says_after_its_deadline_is_not_heard(last: AgentRunResult | None) -> None:
    """RNR-70, RNR-72: whatever it makes of being interrupted."""

    async def deaf() -> AsyncGenerator[AgentRunResult]:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            if last is not None:
                yield last

    journal = Journal(STARTED, None)
    assert failure(deaf, journal, due(SOON)).code == "runner.timeout"
    assert len(journal.lines) == len(STARTED)


# ---- Cancelling ------------------------------------------------------------------------------------------------------
def test_a_host_that_cancels_interrupts_the_runner() -> None:
    """RNR-71: it is closed before the cancel goes on."""
    closed = []

    async def silent() -> AsyncGenerator[AgentRunResult]:
        try:
            yield result(*delta("一"))
            await asyncio.Event().wait()
        finally:
            closed.append(True)

    async def cancel() -> None:
        journal = Watched()
        running = asyncio.create_task(orchestrate(silent, journal))
        await journal.written.wait()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running

    asyncio.run(cancel())
    assert closed == [True]


def test_a_runner_that_cancels_itself_was_cancelled() -> None:
    """RNR-71."""

    async def gives_up() -> AsyncGenerator[AgentRunResult]:
        yield result(*delta("一"))
        raise asyncio.CancelledError

    assert failure(gives_up, Journal(STARTED, None), CONTEXT).code == "cancelled"


# ---- What it raises --------------------------------------------------------------------------------------------------
def test_what_a_runner_raises_is_given_to_the_log_and_is_not_public(caplog: pytest.LogCaptureFixture) -> None:
    """RNR-40, SEC-05: what was said before stays."""
    done = work([delta("一"), Raised("a secret of the agent")])
    assert isinstance(done.error, RunnerFailedError)
    assert (done.error.code, done.error.message) == ("runner.error", "the agent failed")
    assert list(texts(done.events()).values()) == ["一"]
    (logged,) = caplog.records
    assert logged.levelno == logging.ERROR
    assert "a secret of the agent" in caplog.text


@pytest.mark.parametrize("made", [None, [], object(), RuntimeError])
def test_what_is_no_runner_at_all_fails_the_run(made: Any) -> None:
    """RNR-40: it raises when it is called, or yields nothing that can be awaited."""

    def run() -> Any:
        if made is RuntimeError:
            raise RuntimeError("no")
        return made

    assert failure(run, Journal(STARTED, None), CONTEXT).code == "runner.error"


def test_a_worker_that_was_replaced_is_no_failure_of_its_runner() -> None:
    """RNR-71: the run is another worker's."""

    async def replaced() -> AsyncGenerator[AgentRunResult]:
        raise ReplacedError
        yield

    with pytest.raises(ReplacedError):
        asyncio.run(orchestrate(replaced, Journal(STARTED, None)))


def test_what_the_journal_raises_is_not_the_runners_fault() -> None:
    """RNR-40."""

    class Broken(Journal):
        async def write(self, _: Any) -> None:
            raise ConnectionError("the table")

    async def talks() -> AsyncGenerator[AgentRunResult]:
        yield result(*delta("一"))

    with pytest.raises(ConnectionError):
        asyncio.run(orchestrate(talks, Broken(STARTED, None)))


# ---- Closing ---------------------------------------------------------------------------------------------------------
def test_a_runner_that_will_not_close_has_completed_all_the_same() -> None:
    """RNR-39: its cleaning up is its own affair, and is done before the run goes on."""
    journal, closed = Journal(STARTED, None), []

    async def stubborn() -> AsyncGenerator[AgentRunResult]:
        try:
            yield result(*completed("一"))
            yield result("run.completed")
        finally:
            closed.append(len(journal.lines))
            raise ValueError("not now")

    outcome = asyncio.run(Orchestrator(RUN, ("worker",), journal).run(Runner(stubborn), CONTEXT, API))
    assert [message.content for message in outcome.messages] == ["一"]
    assert closed == [len(journal.lines) - 1]


def test_cleaning_up_has_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """RNR-72."""
    monkeypatch.setattr(runner_loop, "CLOSE_SECONDS", SOON)

    async def slow() -> AsyncGenerator[AgentRunResult]:
        try:
            yield result(*completed("一"))
            yield result("run.completed")
        finally:
            await asyncio.Event().wait()

    outcome = asyncio.run(orchestrate(slow, Journal(STARTED, None)))
    assert [message.content for message in outcome.messages] == ["一"]


def test_a_run_without_a_deadline_has_none() -> None:
    """RNR-70: hosts may leave it open."""
    assert CONTEXT.runtime.deadline_at is None
    assert types(work([completed("一")]).events()) == "START CONTENT END"


@pytest.mark.parametrize(("shown", "in_lambda"), [("shown", True), ("", False), ("shown", False)])
def test_what_a_runner_raised_is_shown_on_the_local_stack_alone(
    shown: str, in_lambda: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """RNR-40: a deployment's users never see it, whatever its variables are."""
    monkeypatch.setenv("RUNNER_EXCEPTIONS", shown)
    monkeypatch.setitem(settings.__dict__, "in_lambda", in_lambda)
    monkeypatch.delitem(settings.__dict__, "shows_exceptions", raising=False)
    with pytest.raises(LookupError) as caught:
        raise LookupError("x" * 2_000)
    message = failure_message(caught.value)
    monkeypatch.delitem(settings.__dict__, "shows_exceptions", raising=False)
    if shown and not in_lambda:
        assert message.startswith("the agent failed: LookupError: xxx")
        assert re.search(r"x \(test_runner_loop\.py, line \d+\)$", message)
        assert len(message) < 1_100
    else:
        assert message == "the agent failed"
