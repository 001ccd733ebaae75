"""The runs of a job: what they are given, once a slot, and what becomes of a slot that gets none."""

import importlib
import json
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from botocore.exceptions import ClientError

from tests.support.divination_runs import execute
from tests.support.runners.asking import Asker, answered, interrupts_of
from tests.support.runners.scripted import DONE, Scripted, completed
from yarrow.automation.access import get_job
from yarrow.automation.change_job import change_job
from yarrow.automation.create_job import create_job
from yarrow.automation.list_job_runs import list_job_runs
from yarrow.automation.run_job import run_job
from yarrow.automation.start_job import start_job
from yarrow.automation.waiting_slots import start_waiting
from yarrow.domain_events.job_slots import release_of
from yarrow.protocol.automation.job_runs import JobRun
from yarrow.protocol.caller import Caller
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.runner.models import InstalledRunner
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.runs import end_run, submit_run
from yarrow.runs.delete_session import delete_session
from yarrow.settings import settings
from yarrow.store import clients, questions, runs, sessions, table
from yarrow.store.automation import job_runs, jobs
from yarrow.store.automation.jobs import StoredJob
from yarrow.worker.invocation.registry import registry
from yarrow_agents.assistant import runner as assistant

pytestmark = [pytest.mark.usefixtures("aws"), pytest.mark.memory]

ALICE = Caller("alice", "zh-CN", "Asia/Shanghai")
ZONE = ZoneInfo("Asia/Shanghai")
CHAT = "550e8400-e29b-41d4-a716-446655440000"


@pytest.fixture
def due() -> datetime:
    """Return a slot of now, to the minute."""
    return datetime.now(UTC).replace(second=0, microsecond=0)


@pytest.fixture(autouse=True)
def runner(monkeypatch: pytest.MonkeyPatch) -> Scripted:
    scripted = Scripted(completed("今天没有安排。"), DONE)
    monkeypatch.setattr(registry, "find", lambda _: InstalledRunner(assistant.RUNNER.manifest, lambda: scripted))
    return scripted


def new_job(due: datetime, **members: Any) -> StoredJob:
    """A job that is due then, every day."""
    local = due.astimezone(ZONE)
    fields = {
        "input_template": "{{date}}: what is on?",
        "enabled_tools": ["calendar_read"],
        "schedule": {"type": "daily", "run_at": {"hour": local.hour, "minute": local.minute}},
        "timezone": ZONE.key,
    }
    return create_job(json.dumps(fields | members).encode(), ALICE)


def fire(job: StoredJob, due: datetime) -> None:
    start_job(job.id, job.version, due)


def past(job: StoredJob) -> tuple[JobRun, ...]:
    return list_job_runs("alice", job.id).runs


def key_of(run: JobRun) -> str:
    return runs.key_of("alice", run.thread_id, run.run_id)


def finish(run: JobRun) -> None:
    execute(key_of(run))


def fail(run: JobRun) -> None:
    end_run.end_with_error(key_of(run), end_run.FAILED)


def schedule_names() -> list[str]:
    listed = clients.scheduler().list_schedules(GroupName=settings.schedule_group)["Schedules"]
    return sorted(item["Name"] for item in listed)


def test_a_run_is_given_what_its_job_names_and_nothing_else(due: datetime, runner: Scripted) -> None:
    """AUT-01, FWD-12, C20: It has the mode automation, the job's tools among the agent's, its time zone, and a session
    of its own."""
    job = new_job(due)
    fire(job, due)
    (run,) = past(job)
    finish(run)
    (context,) = runner.contexts
    assert [tool.tool_name for tool in context.resources.tools] == ["calendar_read"]
    assert (context.trigger.type, context.trigger.source) == ("automation.job", "scheduler")
    assert context.event.data["runtime_mode"] == "automation"
    assert context.input.text == f"{due.astimezone(ZONE):%Y-%m-%d}: what is on?"
    assert context.runtime.timezone == "Asia/Shanghai"
    assert context.bootstrap is None
    assert run.thread_id == job.thread_id
    assert [(message.role, message.content) for message in sessions.messages(job.thread_id)] == [
        ("user", context.input.text),
        ("assistant", "今天没有安排。"),
    ]


def test_a_client_that_sends_mode_automation_gets_nothing(due: datetime, runner: Scripted) -> None:
    """AUT-04: neither tools nor context, whatever it says about a job."""
    job = new_job(due)
    body = {
        "threadId": CHAT,
        "runId": "run-1",
        "messages": [{"id": "m-1", "role": "user", "content": "甲"}],
        "forwardedProps": {"runtime_mode": "automation"},
        "trigger": {
            "type": "automation.job",
            "source": "scheduler",
            "data": {
                "job_id": job.id,
                "slot": None,
                "enabled_tools": ["calendar_write"],
                "context": None,
                "context_thread": None,
            },
        },
    }
    accepted = submit_run.submit_run(json.dumps(body).encode(), ALICE)
    execute(accepted.task_id)
    (context,) = runner.contexts
    assert (context.resources.tools, context.bootstrap) == ((), None)
    assert context.trigger.type == "message.received"
    assert runs.must_read(accepted.task_id).job is None


def chat(thread: str, run: str, text: str) -> None:
    body = {
        "threadId": thread,
        "runId": run,
        "messages": [{"id": f"m-{run}", "role": "user", "content": text}],
        "forwardedProps": {"runtime_mode": "chat"},
    }
    execute(submit_run.submit_run(json.dumps(body).encode(), ALICE, "assistant").task_id)


def test_the_context_is_that_of_the_users_latest_chat(due: datetime, runner: Scripted) -> None:
    """AUT-01, AUT-02: so many messages of it; never of a job's session, and of no chat that was deleted."""
    window = {"source": "latest_chat", "window_mode": "number", "window_count": 3}
    job, other = new_job(due, context=window), new_job(due)
    chat(CHAT, "run-1", "一")
    chat(CHAT, "run-2", "二")
    run_job(b"", "alice", other.id)
    finish(past(other)[0])
    fire(job, due)
    (run,) = past(job)
    finish(run)
    context = runner.contexts[-1]
    assert context.bootstrap is not None
    messages = [(message.role, message.content) for message in context.bootstrap.messages]
    assert messages == [("assistant", "今天没有安排。"), ("user", "二"), ("assistant", "今天没有安排。")]
    delete_session("alice", CHAT)
    run_job(b"", "alice", job.id)
    finish(past(job)[0])
    assert runner.contexts[-1].bootstrap is None


def test_a_slot_that_fires_again_is_the_same_run(due: datetime) -> None:
    """AUT-03: whatever changed in between; its id is made of job and slot."""
    job = new_job(due)
    for _ in range(2):
        fire(job, due)
    change_job(b'{"input_template": "other"}', "alice", job.id)
    fire(job, due)
    (run,) = past(job)
    assert run.run_id == f"job-{job.id}-{due.astimezone(ZONE):%Y%m%d%H%M}"
    assert run.status == "queued"
    finish(run)
    fire(job, due)
    assert [run.status for run in past(job)] == ["finished"]
    assert [message.content for message in sessions.messages(job.thread_id)][1:] == ["今天没有安排。"]
    assert get_job("alice", job.id).last_run_at == run.due_at


def test_a_run_that_was_submitted_but_not_noted_is_found(due: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    """AUT-03: killed after the submit; the second firing submits the very same body."""
    job = new_job(due, input_template="{{last_result}} {{date}}")
    with monkeypatch.context() as patch:
        patch.setattr(jobs, "ran", lambda *_: (_ for _ in ()).throw(RuntimeError))
        with pytest.raises(RuntimeError):
            fire(job, due)
    finish(past(job)[0])  # a last result that was not there before
    fire(job, due)
    (run,) = past(job)
    assert (run.status, run.reason) == ("finished", None)
    assert get_job("alice", job.id).last_run_at == run.due_at


def test_a_slot_missed_by_more_than_an_hour_is_skipped_and_noted(due: datetime) -> None:
    """AUT-03: Old slots never fire in a burst."""
    late = due - timedelta(hours=1, minutes=1)
    job = new_job(late)
    for _ in range(2):
        fire(job, late)
    (run,) = past(job)
    assert (run.status, run.reason) == ("skipped", "late")
    assert sessions.read(job.thread_id) is None


def test_a_schedule_of_an_earlier_version_starts_nothing_and_is_repaired(due: datetime) -> None:
    """AUT-03: what was fired for is no slot of the job any more, or the job is disabled or gone."""
    job = new_job(due)
    other = (due + timedelta(hours=2)).astimezone(ZONE)
    run_at = {"hour": other.hour, "minute": other.minute}
    change_job(json.dumps({"schedule": {"type": "daily", "run_at": run_at}}).encode(), "alice", job.id)
    fire(job, due)
    change_job(b'{"status": "disabled"}', "alice", job.id)
    fire(job, due)
    start_job("00000000-0000-4000-8000-000000000000", 1, due)
    assert past(job) == ()
    assert schedule_names() == []


def test_a_slot_whose_session_is_busy_is_tried_again(due: datetime) -> None:
    """AUT-03: A one-time schedule repeats the same slot."""
    job = new_job(due)
    run_job(b"", "alice", job.id)
    fire(job, due)
    assert schedule_names() == [f"job-{job.id}", f"job-{job.id}-again"]
    again = clients.scheduler().get_schedule(GroupName=settings.schedule_group, Name=f"job-{job.id}-again")
    assert again["ActionAfterCompletion"] == "DELETE"
    event = json.loads(again["Target"]["Input"])
    assert datetime.fromisoformat(event["scheduledTime"]) == due
    for run in past(job):
        if run.slot is None:
            finish(run)
    start_job(event["jobId"], event["version"], datetime.fromisoformat(event["scheduledTime"]))
    assert sorted(run.status for run in past(job)) == ["finished", "queued"]


def test_a_session_that_the_user_deleted_is_replaced(due: datetime) -> None:
    """AUT-03: the job goes on in another one."""
    job = new_job(due)
    run_job(b"", "alice", job.id)
    finish(past(job)[0])
    delete_session("alice", job.thread_id)
    fire(job, due)
    renewed = get_job("alice", job.id)
    assert renewed.thread_id != job.thread_id
    assert sorted((run.thread_id, run.status) for run in past(job) if run.slot) == [(renewed.thread_id, "queued")]


def test_five_failures_in_a_row_pause_a_job(due: datetime, runner: Scripted) -> None:
    """AUT-03: a success between them starts the count again; resuming does as well."""
    job = new_job(due)
    for number in range(9):
        run_job(b"", "alice", job.id)
        runner.results = (completed("好"), DONE) if number == 3 else (RuntimeError(),)
        finish(past(job)[0])
        paused = get_job("alice", job.id)
        assert paused.paused_reason == ("failures" if number == 8 else None), number
    assert (paused.fields.status, paused.version) == ("disabled", 2)
    fire(job, due)
    assert len(past(job)) == 9
    assert schedule_names() == []
    change_job(b'{"status": "active"}', "alice", job.id)
    run_job(b"", "alice", job.id)
    finish(past(job)[0])
    resumed = get_job("alice", job.id)
    assert (resumed.paused_reason, resumed.fields.status) == (None, "active")
    assert schedule_names() == [f"job-{job.id}"]


def test_failures_that_no_worker_counted_are_found_by_the_next_slot(due: datetime) -> None:
    """AUT-03: ended from outside."""
    job = new_job(due)
    for _ in range(5):
        run_job(b"", "alice", job.id)
        fail(past(job)[0])
    assert get_job("alice", job.id).is_active
    fire(job, due)
    assert get_job("alice", job.id).paused_reason == "failures"
    assert len(past(job)) == 5
    assert schedule_names() == []


def test_failures_count_of_runs_whose_start_was_never_noted(due: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    """AUT-03: what submitted them died before it could."""
    job = new_job(due)
    with monkeypatch.context() as patch:
        patch.setattr(job_runs, "settle", lambda *_: None)
        for _ in range(5):
            run_job(b"", "alice", job.id)
            fail(past(job)[0])
    assert {run.state for run in job_runs.latest(job.id, 9)[0]} == {"starting"}
    fire(job, due)
    assert get_job("alice", job.id).paused_reason == "failures"


def test_running_a_job_at_once_is_idempotent_by_its_run_id(due: datetime) -> None:
    """RUN-23: and cannot take a slot's id."""
    job = new_job(due, status="disabled")
    body = json.dumps({"runId": f"job-{job.id}-now-1"}).encode()
    first = run_job(body, "alice", job.id)
    assert run_job(body, "alice", job.id) == first
    assert [run.run_id for run in past(job)] == [f"job-{job.id}-now-1"]
    for wrong in (f"job-{job.id}-202611010130", "run-1", f"job-{job.id}-now-{'a' * 128}", 1):
        with pytest.raises(Problem) as caught:
            run_job(json.dumps({"runId": wrong}).encode(), "alice", job.id)
        assert caught.value.code is Code.AUTOMATION_JOB_INVALID
    with pytest.raises(Problem) as caught:
        run_job(b"", "bob", job.id)
    assert caught.value.code is Code.AGENT_FORBIDDEN


def test_past_runs_come_page_by_page(due: datetime) -> None:
    """AUT-03: latest first; a cursor or limit that is none is refused."""
    job = new_job(due)
    for number in range(3):
        run_job(json.dumps({"runId": f"job-{job.id}-now-{number}"}).encode(), "alice", job.id)
        finish(past(job)[0])
    first = list_job_runs("alice", job.id, "2")
    second = list_job_runs("alice", job.id, "2", first.next_cursor)
    assert [run.run_id[-1] for run in (*first.runs, *second.runs)] == ["2", "1", "0"]
    assert second.next_cursor is None
    for query in ({"limit": "0"}, {"limit": "51"}, {"limit": "x"}, {"cursor": "?"}, {"cursor": "/w=="}):
        with pytest.raises(Problem) as caught:
            list_job_runs("alice", job.id, **query)
        assert caught.value.code is Code.AUTOMATION_JOB_INVALID


async def _confirm(_: Asker, api: AgentRunAPIProxy) -> str:
    return (await api.ask("Shall I?")).status


@pytest.fixture
def asker(monkeypatch: pytest.MonkeyPatch) -> None:
    asker = Asker(_confirm)
    monkeypatch.setattr(registry, "find", lambda _: InstalledRunner(assistant.RUNNER.manifest, lambda: asker))


def asked(due: datetime, **members: Any) -> StoredJob:
    """A job whose run has asked."""
    job = new_job(due, **members)
    fire(job, due)
    finish(past(job)[0])
    assert sessions.must_read(job.thread_id).open_questions
    return job


@pytest.mark.usefixtures("asker")
class TestQuestion:
    """A run of a job asks its user (ASK-01)."""

    @pytest.fixture
    def job(self, due: datetime) -> StoredJob:
        return asked(due)

    def test_until_it_is_answered_the_next_slots_are_skipped(self, job: StoredJob, due: datetime) -> None:
        (first,) = past(job)
        (interrupt,) = interrupts_of(key_of(first))
        later = due + timedelta(days=1)
        fire(job, later)
        skipped, _ = past(job)
        assert (skipped.status, skipped.reason) == ("skipped", "waiting")
        assert sessions.must_read(job.thread_id).open_questions
        goes_on = runs.must_read(answered(interrupt["id"], {"approved": True}).task_id)
        assert goes_on.job == job.id
        execute(goes_on.key)
        fire(job, due + timedelta(days=2))
        assert past(job)[0].status == "queued"

    def test_the_slot_that_has_its_run_goes_on_to_have_it(self, job: StoredJob, due: datetime) -> None:
        fire(job, due)
        (run,) = past(job)
        assert run.status == "finished"

    def test_a_run_at_once_leaves_the_question(self, job: StoredJob) -> None:
        run_job(b"", "alice", job.id)
        assert not sessions.must_read(job.thread_id).open_questions


@pytest.mark.usefixtures("asker")
class TestSlotsThatWait:
    """A job queues its slots while its run waits for the user (ASK-01, AUT-03)."""

    @pytest.fixture
    def job(self, due: datetime) -> StoredJob:
        return asked(due, while_waiting="queue")

    @staticmethod
    def answer(job: StoredJob) -> runs.Run:
        """Answer the question of the latest run, and let the run that goes on end."""
        ran = next(run for run in past(job) if run.status == "finished")
        (interrupt,) = interrupts_of(key_of(ran))
        goes_on = runs.must_read(answered(interrupt["id"], {"approved": True}).task_id)
        execute(goes_on.key)
        return goes_on

    def test_they_run_in_their_order_after_the_answer(self, job: StoredJob, due: datetime) -> None:
        for day in (2, 1):  # events may come in any order
            fire(job, due + timedelta(days=day))
        assert [run.status for run in past(job)] == ["waiting", "waiting", "finished"]
        goes_on = self.answer(job)
        assert release_of([("1", {"pk": f"RUN#{goes_on.key}", "job_id": job.id})]) == []
        (released,) = waiting_schedules(job)
        (following,) = let_go(job, released)
        second = past(job)[1]
        assert (second.status, second.slot) == (
            "queued",
            f"{(due + timedelta(days=1)).astimezone(ZONE):%Y-%m-%dT%H:%M}",
        )
        assert past(job)[0].status == "waiting"
        finish(second)
        self.answer(job)
        assert let_go(job, following) == []
        assert past(job)[0].status == "queued"
        assert get_job("alice", job.id).waiting == frozenset()

    def test_a_try_while_the_question_is_open_changes_nothing(self, job: StoredJob, due: datetime) -> None:
        fire(job, due + timedelta(days=1))
        assert waiting_schedules(job) == []
        start_waiting(job.id, datetime.now(UTC))
        assert [run.status for run in past(job)] == ["waiting", "finished"]

    def test_the_end_of_the_question_releases_them(self, job: StoredJob, due: datetime) -> None:
        """The user left it for another message, say."""
        fire(job, due + timedelta(days=1))
        session = sessions.must_read(job.thread_id)
        (line,) = session.open_questions
        table.transact(*questions.abandon("alice", [line.id]))
        (closed,) = questions.read("alice", [line.id])
        assert closed is not None
        assert closed.job == job.id
        release_of([("1", {"pk": "QUESTIONS#alice", "job_id": closed.job})])
        assert len(waiting_schedules(job)) == 1

    def test_no_more_than_five_wait(self, job: StoredJob, due: datetime) -> None:
        for day in range(1, 8):
            fire(job, due + timedelta(days=day))
            fire(job, due + timedelta(days=day))
        assert [(run.status, run.reason) for run in past(job)[:2]] == [("skipped", "waiting")] * 2
        assert [run.status for run in past(job)[2:]] == [*["waiting"] * 5, "finished"]

    def test_one_that_finds_the_session_busy_is_tried_for_an_hour(self, job: StoredJob, due: datetime) -> None:
        fire(job, due + timedelta(days=1))
        (interrupt,) = interrupts_of(key_of(past(job)[1]))
        answered(interrupt["id"], {"approved": True})  # a run that goes on for long
        now = datetime.now(UTC)
        start_waiting(job.id, now)
        assert past(job)[0].status == "starting"
        assert len(waiting_schedules(job)) == 1
        start_waiting(job.id, now - timedelta(hours=2))
        assert (past(job)[0].status, past(job)[0].reason) == ("skipped", "late")
        assert get_job("alice", job.id).waiting == frozenset()

    def test_one_that_was_tried_before_the_question_came_waits_with_its_text(
        self, due: datetime, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Its session was busy with the run that then asked."""
        job = new_job(due, while_waiting="queue")
        fire(job, due)
        later = due + timedelta(days=1)
        fire(job, later)
        assert past(job)[0].status == "starting"
        finish(past(job)[1])
        fire(job, later)
        assert past(job)[0].status == "waiting"
        self.answer(job)
        start_waiting(job.id, datetime.now(UTC))
        assert past(job)[0].status == "queued"

    def test_those_of_a_paused_job_are_skipped(self, job: StoredJob, due: datetime) -> None:
        fire(job, due + timedelta(days=1))
        fire(job, due + timedelta(days=2))
        change_job(b'{"status": "disabled"}', "alice", job.id)
        self.answer(job)
        start_waiting(job.id, datetime.now(UTC))
        assert [(run.status, run.reason) for run in past(job)[:2]] == [("skipped", "paused")] * 2
        assert get_job("alice", job.id).waiting == frozenset()

    def test_a_later_slot_queues_behind_those_that_wait(self, job: StoredJob, due: datetime) -> None:
        fire(job, due + timedelta(days=1))
        self.answer(job)
        fire(job, due + timedelta(days=2))
        assert [run.status for run in past(job)] == ["waiting", "waiting", "finished"]
        assert len(waiting_schedules(job)) == 1

    def test_a_release_that_fails_is_redelivered(self, job: StoredJob, monkeypatch: pytest.MonkeyPatch) -> None:
        refusal = ClientError({"Error": {"Code": "ThrottlingException"}}, "GetItem")
        monkeypatch.setattr(jobs, "read", lambda _: (_ for _ in ()).throw(refusal))
        assert release_of([("7", {"pk": "RUN#x", "job_id": job.id}), ("8", {"pk": "RUN#y"})]) == ["7"]


def waiting_schedules(job: StoredJob) -> list[str]:
    return [name for name in schedule_names() if name in (f"job-{job.id}-again-3", f"job-{job.id}-again-4")]


def let_go(job: StoredJob, schedule: str) -> list[str]:
    """Fire the schedule, as Scheduler does, which then deletes it; return those that it has made."""
    target = clients.scheduler().get_schedule(GroupName=settings.schedule_group, Name=schedule)["Target"]
    clients.scheduler().delete_schedule(GroupName=settings.schedule_group, Name=schedule)
    importlib.import_module("functions.start_job.app").handler(json.loads(target["Input"]), None)
    return waiting_schedules(job)
