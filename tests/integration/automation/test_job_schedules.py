"""A job and its schedule: never apart for long, wherever the way from one to the other breaks off."""

import json
import uuid
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from botocore.client import BaseClient

from tests.support.functions.calls import invoke
from yarrow.automation.access import get_job, list_jobs, shown
from yarrow.automation.change_job import change_job
from yarrow.automation.create_job import create_job
from yarrow.automation.delete_job import delete_job
from yarrow.automation.list_job_runs import list_job_runs
from yarrow.automation.repair_schedules import repair_schedules
from yarrow.automation.timing.slots import delay_of, schedule_expression
from yarrow.protocol.caller import Caller
from yarrow.protocol.problems import Code, Problem, ProblemCode
from yarrow.settings import settings
from yarrow.store import clients
from yarrow.store.automation import jobs
from yarrow.store.automation.jobs import StoredJob

pytestmark = [pytest.mark.usefixtures("aws"), pytest.mark.memory]

ALICE, BOB = Caller("alice", "zh-CN", "Asia/Shanghai"), Caller("bob")
JOB: dict[str, Any] = {
    "input_template": "What is on {{date}}?",
    "enabled_tools": ["calendar_read"],
    "schedule": {"type": "daily", "run_at": {"hour": 7, "minute": 30}},
    "timezone": "Europe/Berlin",
}


class CrashError(Exception):
    """The process ends here."""


def raw(**members: Any) -> bytes:
    return json.dumps({**JOB, **members}).encode()


def schedules() -> dict[str, dict[str, Any]]:
    group = settings.schedule_group
    listed = clients.scheduler().list_schedules(GroupName=group)["Schedules"]
    return {item["Name"]: clients.scheduler().get_schedule(GroupName=group, Name=item["Name"]) for item in listed}


def agree() -> bool:
    """Whether each active job has its schedule, and nothing else has one."""
    wanted = {
        f"job-{job.id}": (schedule_expression(job.fields.schedule), job) for job in list_jobs("alice") if job.is_active
    }
    found = schedules()
    return found.keys() == wanted.keys() and all(
        (member["ScheduleExpression"], member["ScheduleExpressionTimezone"]) == (wanted[name][0], JOB["timezone"])
        and json.loads(member["Target"]["Input"])["version"] == wanted[name][1].version
        for name, member in found.items()
    )


def crash_at(monkeypatch: pytest.MonkeyPatch, call: int, *, after: bool) -> None:
    """End the process before or after its nth call of AWS, and let it live no longer."""
    original, made = vars(BaseClient)["_make_api_call"], 0

    def make_api_call(client: BaseClient, operation: str, parameters: Any) -> Any:
        nonlocal made
        made += 1
        if made > call or (made == call and not after):
            raise CrashError
        answer = original(client, operation, parameters)
        if made == call:
            raise CrashError
        return answer

    monkeypatch.setattr(BaseClient, "_make_api_call", make_api_call)


def changing(job: StoredJob) -> None:
    change_job(b'{"schedule": {"type": "daily", "run_at": {"hour": 9, "minute": 0}}}', "alice", job.id)


def pausing(job: StoredJob) -> None:
    change_job(b'{"status": "disabled"}', "alice", job.id)


def deleting(job: StoredJob) -> None:
    delete_job("alice", job.id)


def creating(_: StoredJob) -> None:
    create_job(raw(), ALICE)


def test_a_job_has_a_schedule_that_calls_the_function_with_its_slot() -> None:
    """AUT-03: in its time zone, as a role of its own, tried again for as long as a slot may be late."""
    job = create_job(raw(), ALICE)
    ((name, schedule),) = schedules().items()
    assert name == f"job-{job.id}"
    assert (schedule["ScheduleExpression"], schedule["ScheduleExpressionTimezone"]) == (
        "cron(30 7 * * ? *)",
        "Europe/Berlin",
    )
    target = schedule["Target"]
    assert (target["Arn"], target["RoleArn"]) == (settings.start_job_arn, settings.schedule_role_arn)
    assert json.loads(target["Input"]) == {
        "jobId": job.id,
        "version": 1,
        "scheduledTime": "<aws.scheduler.scheduled-time>",
    }
    assert target["RetryPolicy"] == {"MaximumRetryAttempts": 20, "MaximumEventAgeInSeconds": 3600}
    assert target["DeadLetterConfig"] == {"Arn": settings.undelivered_jobs_arn}


def in_days(days: int) -> str:
    """Return a date in the job's time zone, give or take one."""
    return (datetime.now(UTC) + timedelta(days=days)).date().isoformat()


def timed(kind: str, **members: Any) -> dict[str, Any]:
    return {"type": kind, "run_at": {"hour": 7, "minute": 30}, **members}


@pytest.mark.parametrize(
    ("sent", "expression"),
    [
        (timed("monthly", month_days=[1, 15]), "cron(30 7 1,15 * ? *)"),
        (timed("once", date=in_days(3)), f"at({in_days(3)}T07:30:00)"),
        ({"type": "cron", "cron": "0 9,18 * * 1-5"}, "cron(0 9,18 ? * MON,TUE,WED,THU,FRI *)"),
    ],
)
def test_every_type_of_schedule_is_one_of_scheduler(sent: dict[str, Any], expression: str) -> None:
    """AUT-03: one for once goes after it fired."""
    job = create_job(raw(schedule=sent), ALICE)
    ((_, schedule),) = schedules().items()
    assert schedule["ScheduleExpression"] == expression
    assert schedule.get("ActionAfterCompletion") == ("DELETE" if sent["type"] == "once" else None)
    assert "EndDate" not in schedule
    repair_schedules()
    assert agree()
    assert shown(job).next_run_at is not None


def test_a_schedule_ends_after_its_last_day() -> None:
    """AUT-03: Scheduler ends it some hours later, when a time of its last day is no longer tried."""
    job = create_job(raw(schedule=timed("daily", end_date=in_days(3))), ALICE)
    ((_, schedule),) = schedules().items()
    last = datetime.fromisoformat(in_days(4)).replace(tzinfo=ZoneInfo(JOB["timezone"]))
    assert schedule["EndDate"] == last + timedelta(hours=4)
    assert schedule["ActionAfterCompletion"] == "DELETE"
    change_job(json.dumps({"schedule": timed("daily")}).encode(), "alice", job.id)
    ((_, schedule),) = schedules().items()
    assert "EndDate" not in schedule


@pytest.mark.parametrize(
    ("sent", "member"),
    [
        (timed("once", date=in_days(-3)), "schedule.date"),
        (timed("daily", end_date=in_days(-3)), "schedule.end_date"),
        # No 02:30 in Berlin on that day.
        ({"type": "once", "run_at": {"hour": 2, "minute": 30}, "date": "2027-03-28"}, "schedule.date"),
    ],
)
def test_a_job_without_a_time_to_come_is_refused(sent: dict[str, Any], member: str) -> None:
    """AUT-02: when it is created, changed or resumed; a disabled one is kept."""
    with pytest.raises(Problem) as caught:
        create_job(raw(schedule=sent), ALICE)
    assert caught.value.code is Code.AUTOMATION_JOB_INVALID
    assert caught.value.params == {"member": member, "reason": "must have a time in the future"}
    job = create_job(raw(schedule=sent, status="disabled"), ALICE)
    with pytest.raises(Problem):
        change_job(b'{"status": "active"}', "alice", job.id)
    assert schedules() == {}


def test_a_job_that_has_ended_has_no_schedule_and_can_still_be_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    """AUT-03: Scheduler deleted it, or the sweep does; it is not made again."""
    job = create_job(raw(schedule=timed("once", date=in_days(1))), ALICE)
    with monkeypatch.context() as later:
        after = datetime.now(UTC) + timedelta(days=3)
        for module in ("schedules", "access", "check_job"):
            clock = type("Clock", (datetime,), {"now": staticmethod(lambda _: after)})
            later.setattr(f"yarrow.automation.{module}.datetime", clock)
        assert shown(job).next_run_at is None
        repair_schedules()
        assert schedules() == {}
        change_job(b'{"title": "Done"}', "alice", job.id)
        repair_schedules()
        assert schedules() == {}
    repair_schedules()
    assert list(schedules()) == [f"job-{job.id}"]


def fired_at(schedule: dict[str, Any], moment: str) -> Any:
    """What Scheduler gives the function for a firing at this moment."""
    return json.loads(schedule["Target"]["Input"].replace("<aws.scheduler.scheduled-time>", f"{moment}Z"))


def test_jobs_of_one_time_start_within_the_minutes_after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """AUT-03: each at its own minute, and for its slot; next_run_at is the slot."""
    monkeypatch.setitem(settings.__dict__, "job_spread_minutes", 5)
    for limit in ("job_changes_per_minute", "runs_per_minute", "runs_per_user"):
        monkeypatch.setitem(settings.__dict__, limit, 0)
    monkeypatch.setattr("yarrow.automation.start_job.LATE", timedelta.max)
    minutes = set()
    for number in range(16):
        job = create_job(raw(id=f"{number:08x}-0000-4000-8000-000000000000"), BOB)
        ((_, schedule),) = schedules().items()
        minute = int(schedule["ScheduleExpression"].removeprefix("cron(").partition(" ")[0])
        assert schedule["ScheduleExpression"] == f"cron({minute} 7 * * ? *)"
        invoke("start_job", fired_at(schedule, f"2026-11-02T06:{minute}:00"))
        (run,) = list_job_runs("bob", job.id).runs
        assert run.slot == "2026-11-02T07:30"
        minutes.add(minute)
        delete_job("bob", job.id)
    assert minutes == {30, 31, 32, 33, 34, 35}


def test_a_schedule_follows_the_deployments_spread_when_it_fires(monkeypatch: pytest.MonkeyPatch) -> None:
    """AUT-03: one made before; then its second firing of the day is the same run."""
    monkeypatch.setattr("yarrow.automation.start_job.LATE", timedelta.max)
    job = create_job(raw(id="00000001-0000-4000-8000-000000000000"), BOB)
    delay = delay_of(job.id, job.fields.schedule, 5)
    assert delay > 0
    name = f"job-{job.id}"
    monkeypatch.setitem(settings.__dict__, "job_spread_minutes", 5)
    assert schedules()[name]["ScheduleExpression"] == "cron(30 7 * * ? *)"
    invoke("start_job", fired_at(schedules()[name], "2026-11-02T06:30:00"))
    assert schedules()[name]["ScheduleExpression"] == f"cron({30 + delay} 7 * * ? *)"
    invoke("start_job", fired_at(schedules()[name], f"2026-11-02T06:{30 + delay}:00"))
    assert len(list_job_runs("bob", job.id).runs) == 1


def refusal(create: Callable[[], object]) -> ProblemCode:
    with pytest.raises(Problem) as caught:
        create()
    return caught.value.code


def test_a_repeated_creation_is_the_same_job(monkeypatch: pytest.MonkeyPatch) -> None:
    """AUT-02: with the client's id, whatever became of the first answer; at the cap of jobs and of changes as well."""
    body = raw(id=str(uuid.uuid4()))
    job = create_job(body, ALICE)
    monkeypatch.setattr(settings, "jobs_per_user", 1)
    assert create_job(body, ALICE).id == job.id
    assert [job.id for job in list_jobs("alice")] == [job.id]
    assert len(schedules()) == 1
    assert refusal(lambda: create_job(raw(id=str(uuid.uuid4())), ALICE)) is Code.AUTOMATION_JOB_LIMIT
    assert refusal(lambda: create_job(raw(id=job.id, timezone="Asia/Tokyo"), ALICE)) is Code.AUTOMATION_JOB_INVALID
    assert refusal(lambda: create_job(body, BOB)) is Code.AGENT_FORBIDDEN
    deleting(job)
    assert refusal(lambda: create_job(body, ALICE)) is Code.AUTOMATION_JOB_INVALID


@pytest.mark.parametrize("after", [False, True])
def test_a_creation_is_repeated_after_a_crash_at_any_call(monkeypatch: pytest.MonkeyPatch, after: bool) -> None:
    """AUT-03: There is one job, with its schedule."""
    for call in range(1, 20):
        body = raw(id=str(uuid.uuid4()), title=f"the {call}th")
        with monkeypatch.context() as patch:
            crash_at(patch, call, after=after)
            try:
                create_job(body, ALICE)
                break
            except CrashError:
                pass
        create_job(body, ALICE)
        assert agree()
    assert len(list_jobs("alice")) == call
    assert call > 3


def test_two_creations_at_once_are_one_job(monkeypatch: pytest.MonkeyPatch) -> None:
    """AUT-02: the one finds the other between its look and its write; at the cap of jobs too."""
    body = raw(id=str(uuid.uuid4()))
    monkeypatch.setattr(settings, "jobs_per_user", 1)
    store = jobs.create

    def create(job: StoredJob, most: int) -> None:
        monkeypatch.setattr(jobs, "create", store)
        create_job(body, ALICE)
        store(job, most)

    monkeypatch.setattr(jobs, "create", create)
    assert create_job(body, ALICE).id == list_jobs("alice")[0].id
    assert agree()
    assert len(schedules()) == 1


def test_a_schedule_follows_its_job() -> None:
    """AUT-02, AUT-03: changed, gone while the job is disabled, back when it is resumed, gone with it."""
    job = create_job(raw(), ALICE)
    for change in (changing, pausing):
        change(job)
        assert agree()
    assert schedules() == {}
    change_job(b'{"status": "active"}', "alice", job.id)
    assert agree()
    assert len(schedules()) == 1
    deleting(job)
    deleting(job)  # idempotent
    assert schedules() == {}
    with pytest.raises(Problem) as caught:
        get_job("alice", job.id)
    assert caught.value.code is Code.AUTOMATION_JOB_NOT_FOUND


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("act", [creating, changing, pausing, deleting])
def test_wherever_it_breaks_off_the_sweep_brings_them_together(
    act: Callable[[StoredJob], None], after: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """AUT-03: The process is killed before and after each call between the item and the schedule."""
    job = create_job(raw(), ALICE)
    for call in range(1, 20):
        with monkeypatch.context() as patch:
            crash_at(patch, call, after=after)
            try:
                act(job)
                finished = True
            except CrashError:
                finished = False
        repair_schedules()
        assert agree(), call
        if finished:
            break
        if act is deleting:
            job = create_job(raw(), ALICE)
        elif act is not creating:
            change_job(raw(status="active"), "alice", job.id)
    else:
        pytest.fail("it never came to its end")
    assert call > 4


def test_the_next_change_repairs_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    """AUT-03: the same one, repeated by a client that got no answer."""
    job = create_job(raw(), ALICE)
    with monkeypatch.context() as patch:
        patch.setattr("yarrow.automation.apply_schedule.schedules.put", lambda _: (_ for _ in ()).throw(CrashError))
        with pytest.raises(CrashError):
            changing(job)
    assert not agree()
    changing(job)
    assert agree()


def test_the_sweep_removes_what_is_no_jobs_and_makes_what_was_lost() -> None:
    """AUT-03: The state is that after a restore of the table."""
    job = create_job(raw(), ALICE)
    scheduler, group = clients.scheduler(), settings.schedule_group
    lost = schedules()[f"job-{job.id}"]
    scheduler.delete_schedule(GroupName=group, Name=lost["Name"])
    scheduler.create_schedule(
        GroupName=group,
        Name="job-00000000-0000-4000-8000-000000000000",
        ScheduleExpression="rate(1 hour)",
        FlexibleTimeWindow={"Mode": "OFF"},
        Target={"Arn": lost["Target"]["Arn"], "RoleArn": lost["Target"]["RoleArn"]},
    )
    repair_schedules()
    assert agree()


def test_a_change_names_the_version_that_it_knows() -> None:
    """AUT-02: If-Match; without it the change is of whatever is there."""
    job = create_job(raw(), ALICE)
    after = change_job(b'{"title": "a"}', "alice", job.id, '"1"')
    assert (after.version, after.fields.title) == (2, "a")
    for refused in (
        lambda: change_job(b'{"title": "b"}', "alice", job.id, '"1"'),
        lambda: delete_job("alice", job.id, '"1"'),
    ):
        with pytest.raises(Problem) as caught:
            refused()
        assert (caught.value.status, caught.value.code) == (412, Code.AUTOMATION_JOB_CHANGED)
    assert get_job("alice", job.id).fields.title == "a"
    assert change_job(b'{"title": "c"}', "alice", job.id, "*").version == 3
    delete_job("alice", job.id, '"3"')


def test_anothers_job_is_closed() -> None:
    """SEC-03, AUT-02: 403, to read, change and delete; one that is none, 404."""
    job = create_job(raw(), ALICE)
    for act in (
        lambda user: get_job(user, job.id),
        lambda user: change_job(b"{}", user, job.id),
        lambda user: delete_job(user, job.id),
    ):
        with pytest.raises(Problem) as caught:
            act(BOB.user_id)
        assert caught.value.code is Code.AGENT_FORBIDDEN
    assert list_jobs("bob") == []
    for none in ("00000000-0000-4000-8000-000000000000", "x", ""):
        with pytest.raises(Problem) as caught:
            get_job("alice", none)
        assert caught.value.code is Code.AUTOMATION_JOB_NOT_FOUND


def test_a_user_has_at_most_so_many_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    """AUT-02."""
    monkeypatch.setitem(settings.__dict__, "jobs_per_user", 2)
    for _ in range(2):
        create_job(raw(), ALICE)
    with pytest.raises(Problem) as caught:
        create_job(raw(), ALICE)
    assert (caught.value.code, caught.value.params) == (Code.AUTOMATION_JOB_LIMIT, {"limit": 2})
    assert len(schedules()) == 2


@pytest.mark.parametrize(
    ("members", "member"),
    [
        ({"enabled_tools": ["calendar_read", "shell"]}, "enabled_tools[1]"),
        ({"input_template": "{{secret}}"}, "input_template"),
    ],
)
def test_a_job_asks_for_what_its_agent_has(members: dict[str, Any], member: str) -> None:
    """AUT-01, AUT-02: nothing is stored of what is refused."""
    with pytest.raises(Problem) as caught:
        create_job(raw(**members), ALICE)
    assert caught.value.params is not None
    assert caught.value.params["member"] == member
    assert list_jobs("alice") == []
    assert schedules() == {}
