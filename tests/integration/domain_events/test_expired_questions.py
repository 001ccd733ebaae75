"""The timer of an open question, and what it does at its time (ASK-07, EVB-01)."""

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from functions.expire_question import app as expire_app
from functions.publish_events import app as publish_app
from local.dynamodb.table import ItemChange
from local.stack import Stack
from tests.support.divination_runs import THREAD, execute, submit
from tests.support.domain_events.bus import record
from tests.support.domain_events.deployment import Deployment
from tests.support.functions.calls import Context
from tests.support.functions.deployment import configured
from tests.support.journals import stored
from tests.support.memory_aws.table import error
from tests.support.runners.asking import YES, Asker, answered, cancelled, interrupts_of, refused
from tests.support.runners.scripted import install
from yarrow.domain_events import expire_question as expiry
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.protocol.runner.questions import Question
from yarrow.protocol.runner.vocabulary import OnExpiry
from yarrow.runs.delete_session import delete_session
from yarrow.settings import settings
from yarrow.store import questions, runs, sessions

LATER = timedelta(days=8)


class Timed(Deployment):
    """A deployment with a scheduler."""

    def publish(self, changes: list[ItemChange] | None = None) -> list[str]:
        """Return the types of the events, those of earlier calls too."""
        assert self.deliver(changes) == []
        return [event["type"] for event in self.bus.events]

    @property
    def timers(self) -> list[dict[str, Any]]:
        return list(self.aws.schedules.schedules.values())

    def fire(self, index: int = 0) -> None:
        """Call the target of a timer, as Scheduler does."""
        expire_app.handler(json.loads(self.timers[index]["Target"]["Input"]), Context("expire_question"))


@pytest.fixture
def deployment(stack: Stack) -> Iterator[Timed]:
    found = Timed(stack)
    with configured(stack), found.aws.installed():
        yield found


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Return what lets eight days pass for all that asks whether a question is over."""

    class Later(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return datetime.now(tz) + LATER

    def pass_days() -> None:
        monkeypatch.setattr(questions, "datetime", Later)
        monkeypatch.setattr(sessions, "datetime", Later)

    return pass_days


def asked(monkeypatch: pytest.MonkeyPatch, on_expiry: OnExpiry = "stop") -> tuple[str, dict[str, Any]]:
    """Have a run ask; returns its key and the question."""

    async def ask(_: Asker, api: AgentRunAPIProxy) -> Any:
        return await api.ask("Delete it?", on_expiry=on_expiry)

    asker = Asker(ask)
    install(monkeypatch, lambda: asker)
    run_key = submit().task_id
    execute(run_key)
    (interrupt,) = interrupts_of(run_key)
    return run_key, interrupt


def test_an_open_question_has_one_timer(deployment: Timed, monkeypatch: pytest.MonkeyPatch) -> None:
    """ASK-07: set with the event that it is open, however often that is sent; it names no content."""
    _, interrupt = asked(monkeypatch)
    changes = deployment.changes()
    for _ in range(3):
        deployment.publish(changes)
    (timer,) = deployment.timers
    due = datetime.strptime(timer["ScheduleExpression"], "at(%Y-%m-%dT%H:%M:%S)").replace(tzinfo=UTC)
    assert timedelta(seconds=1) <= due - datetime.fromisoformat(interrupt["expiresAt"]) <= timedelta(seconds=2)
    assert timer["ActionAfterCompletion"] == "DELETE"
    assert json.loads(timer["Target"]["Input"]) == {"userId": "alice", "interruptId": interrupt["id"], "attempt": 1}


def test_a_question_whose_timer_was_not_set_is_published_again(
    deployment: Timed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """ASK-07, EVB-01: by the stream, until it has one."""
    asked(monkeypatch)
    changes = deployment.changes()
    event = {"Records": [record(change) for change in changes]}

    def throttled(**_: Any) -> Any:
        raise error("CreateSchedule", "ThrottlingException")

    with monkeypatch.context() as patch:
        patch.setattr(deployment.aws.schedules, "CreateSchedule", throttled)
        assert publish_app.handler(event, Context("publish_events"))["batchItemFailures"]
    deployment.publish(changes)
    assert len(deployment.timers) == 1
    assert len(deployment.bus.once) == len(deployment.bus.events) - 2


def test_an_expired_question_is_told_of_at_its_time(
    deployment: Timed, monkeypatch: pytest.MonkeyPatch, later: Callable[[], None]
) -> None:
    """ASK-07, EVB-01: once, although its timer fires twice and a cancel closes it afterwards."""
    run_key, interrupt = asked(monkeypatch)
    deployment.publish()
    later()
    deployment.fire()
    deployment.fire()
    assert deployment.publish()[-1] == "interrupt.expired"
    assert runs.must_read(run_key).phase == "finished"
    assert cancelled(interrupt["id"]).task_id != run_key
    deployment.publish()
    expired = [event for event in deployment.bus.events if event["type"] == "interrupt.expired"]
    assert len({json.dumps(event, sort_keys=True) for event in expired}) == 1
    assert expired[0]["timestamp"] == interrupt["expiresAt"]


def test_no_clock_that_is_behind_takes_an_answer_after_it(deployment: Timed, monkeypatch: pytest.MonkeyPatch) -> None:
    """ASK-07: the question has lapsed, whatever a function thinks of its time."""
    _, interrupt = asked(monkeypatch)
    questions.lapse("alice", interrupt["id"])
    assert refused(lambda: answered(interrupt["id"], YES)) == (410, "AGENT_INTERRUPT_EXPIRED")


def test_an_answer_that_races_its_timer_is_taken_or_refused(deployment: Timed, monkeypatch: pytest.MonkeyPatch) -> None:
    """ASK-07: the question lapses after it was read as open, before the answer is stored."""
    _, interrupt = asked(monkeypatch)
    read, reads = questions.read, 0

    def read_before(*arguments: Any) -> Any:
        nonlocal reads
        found, reads = read(*arguments), reads + 1
        if reads == 1:
            questions.lapse("alice", interrupt["id"])
        return found

    monkeypatch.setattr(questions, "read", read_before)
    assert refused(lambda: answered(interrupt["id"], YES)) == (410, "AGENT_INTERRUPT_EXPIRED")


def test_a_run_goes_on_when_its_question_expires(
    deployment: Timed, monkeypatch: pytest.MonkeyPatch, later: Callable[[], None]
) -> None:
    """ASK-07: once, with an answer that is expired, from the same steps."""
    run_key, interrupt = asked(monkeypatch, "continue")
    deployment.publish()
    later()
    deployment.fire()
    (question,) = questions.read("alice", [interrupt["id"]])
    assert question is not None
    assert question.ended == "expired"
    assert question.answered_in is not None
    execute(question.answered_in)
    deployment.fire()
    (question,) = questions.read("alice", [interrupt["id"]])
    second = runs.must_read(str(question.answered_in if question else None))
    assert (second.phase, second.earlier) == ("finished", (run_key,))
    assert "expired" in json.dumps(stored(second.key))
    assert deployment.publish().count("interrupt.expired") == 1


def test_a_run_that_cannot_go_on_is_tried_again(
    deployment: Timed, monkeypatch: pytest.MonkeyPatch, later: Callable[[], None]
) -> None:
    """ASK-07, RUN-20: its user has too many runs; after an hour, the question is left to them."""
    _, interrupt = asked(monkeypatch, "continue")
    deployment.publish()
    later()
    monkeypatch.setitem(settings.__dict__, "runs_per_user", 1)
    submit(threadId="550e8400-e29b-41d4-a716-446655440009")
    for attempt in range(expiry.ATTEMPTS):
        deployment.fire(attempt)
        (question,) = questions.read("alice", [interrupt["id"]])
        assert question is not None
        assert question.lapsed
        assert question.ended is None
    assert len(deployment.timers) == expiry.ATTEMPTS + 1
    deployment.fire(expiry.ATTEMPTS)
    assert len(deployment.timers) == expiry.ATTEMPTS + 1
    assert deployment.publish()[-1] == "interrupt.expired"


@pytest.mark.parametrize("close", ["answer", "cancel", "delete"])
def test_the_timer_of_a_closed_question_does_nothing(
    deployment: Timed, monkeypatch: pytest.MonkeyPatch, later: Callable[[], None], close: str
) -> None:
    """ASK-07."""
    _, interrupt = asked(monkeypatch, "continue")
    deployment.publish()
    match close:
        case "answer":
            answered(interrupt["id"], YES)
        case "cancel":
            cancelled(interrupt["id"])
        case _:
            delete_session("alice", THREAD)
    later()
    before = len(deployment.aws.table.changes)
    deployment.fire()
    assert len(deployment.aws.table.changes) == before
    assert "interrupt.expired" not in deployment.publish()


def test_a_timer_that_fires_early_comes_again(deployment: Timed, monkeypatch: pytest.MonkeyPatch) -> None:
    """ASK-07: by Lambda's retries, as the clock of the function is behind."""
    asked(monkeypatch)
    deployment.publish()
    with pytest.raises(Exception, match="see the log") as failed:
        deployment.fire()
    assert type(failed.value).__name__ == "EarlyError"


def test_a_call_that_asks_as_before_is_the_same_call() -> None:
    """ASK-01: a question of before a deployment keeps its step; the default is not part of its digest."""
    assert "on_expiry" not in Question(message="?").model_dump(mode="json")
    assert Question(message="?", on_expiry="continue").model_dump(mode="json")["on_expiry"] == "continue"
