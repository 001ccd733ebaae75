"""Jobs, Scheduler and a calendar: a week in which schedules fire as a test says, with AWS in memory."""

import heapq
import itertools
import json
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from functions.start_job.app import handler as start_job
from tests.support.automation.calendar_clock import CalendarClock
from tests.support.automation.time_zones import walked
from tests.support.functions.api_calls import ApiCalls, Fault, Killed, watched
from tests.support.memory_aws.aws import MemoryAws
from yarrow.automation.access import shown
from yarrow.automation.create_job import create_job
from yarrow.protocol.caller import Caller
from yarrow.runs import cancel_run
from yarrow.store import runs
from yarrow.store.automation import jobs
from yarrow.web.lambda_runtime import InvocationContext

LATE: Final = timedelta(hours=1)
RETRY: Final = timedelta(minutes=1)
"""When Lambda invokes a function again that died."""

DEPLOYMENT: Final = {
    "JOB_CHANGES_PER_MINUTE": "0",
    "RUNS_PER_MINUTE": "0",
    "RUN_BYTES_PER_MINUTE": "0",
    "RUNS_PER_USER": "0",
}
"""Besides what the template says: no rates."""
TEMPLATE: Final = "It is {{weekday}}, {{date}}, in {{time_zone}}."


CONTEXT: Final = InvocationContext(
    aws_request_id="c5f9e3a0-0000-4000-8000-000000000000",
    invoked_function_arn="arn:aws:lambda:us-east-1:123456789012:function:start-job",
    deadline_ms=0,
    function_name="start-job",
    function_version="$LATEST",
    memory_limit_in_mb=512,
    log_group_name="/aws/lambda/start-job",
    log_stream_name="",
)


@dataclass(frozen=True, slots=True)
class JobPlan:
    """A job: daily, or weekly on ISO's `weekdays`."""

    time_zone: str
    hour: int
    minute: int
    weekdays: tuple[int, ...] = ()

    def body(self) -> bytes:
        schedule: dict[str, Any] = {"type": "daily", "run_at": {"hour": self.hour, "minute": self.minute}}
        if self.weekdays:
            schedule |= {"type": "weekly", "weekdays": list(self.weekdays)}
        job = {"input_template": TEMPLATE, "schedule": schedule, "timezone": self.time_zone}
        return json.dumps(job).encode()

    def walk(self, after: datetime, until: datetime) -> list[datetime]:
        """Its slots, found minute by minute."""
        return list(walked(self.time_zone, self.hour, self.minute, self.weekdays or range(1, 8), after, until))

    def local(self, slot: datetime) -> datetime:
        return slot.astimezone(ZoneInfo(self.time_zone))


@dataclass(frozen=True, slots=True)
class Firing:
    """One invocation for a slot: so late, and what becomes of the AWS call of that number."""

    delay: timedelta = timedelta()
    at_call: int = 0
    fault: Fault | None = None


@dataclass
class FiredJob:
    """A job that was created, its true slots, and for each what was delivered without a fault within the hour."""

    plan: JobPlan
    id: str
    slots: list[datetime]
    punctual: set[datetime] = field(default_factory=set)
    disturbed: set[datetime] = field(default_factory=set)
    """Begun within the hour, and broken off."""


class JobWeek:
    """A week of jobs from `start`, for `days`."""

    def __init__(self, start: datetime, days: int = 7) -> None:
        self.start, self.end = start, start + timedelta(days=days)
        self.clock, self.aws = CalendarClock(start), MemoryAws()
        self.jobs: dict[str, FiredJob] = {}
        self.calls = 0
        """The most AWS calls of an invocation."""
        self._calls = ApiCalls()
        self._order = itertools.count()
        self._events: list[tuple[datetime, int, datetime, str, Firing]] = []

    @contextmanager
    def installed(self) -> Iterator["JobWeek"]:
        """Install its AWS and its clock in place of this process's own."""
        with self.aws.installed(), self.clock.installed(), watched() as self._calls:
            yield self

    def create(self, plan: JobPlan, user: str = "alice") -> FiredJob:
        job = create_job(plan.body(), Caller(user, "en", "UTC"))
        made = FiredJob(plan, job.id, plan.walk(self.start, self.end + timedelta(days=15)))
        self.jobs[job.id] = made
        return made

    def due(self) -> list[tuple[datetime, str]]:
        """Every time that Scheduler has for the week, and its target's input."""
        found = [
            (moment, str(item["Target"]["Input"])) for moment, item in self.aws.schedules.due(self.start, self.end)
        ]
        return sorted(found)

    def deliver(self, slot: datetime, target_input: str, firing: Firing = Firing()) -> None:
        """Invoke the function for a slot at some time, when the week runs."""
        event = slot + firing.delay, next(self._order), slot, target_input, firing
        heapq.heappush(self._events, event)

    def run(self) -> None:
        """Let everything happen in its time; after each event the next runs are as they must be."""
        while self._events:
            now, _, slot, target_input, firing = heapq.heappop(self._events)
            self.clock.now = max(self.clock.now, now)
            job = self.jobs[json.loads(target_input)["jobId"]]
            self._end_other_runs(job, slot)
            is_punctual = now - slot <= LATE
            if self._invoke(target_input, slot, firing):
                job.punctual |= {slot} if is_punctual else set()
            else:
                job.disturbed |= {slot} if is_punctual else set()
                self.deliver(slot, target_input, Firing(now - slot + RETRY))
            self.check_next(job)

    def check_next(self, job: FiredJob) -> None:
        """That `next_run_at` is the first slot after now."""
        stored = jobs.read(job.id)
        assert stored is not None
        expected = job.slots[bisect_right(job.slots, self.clock.now)]
        assert shown(stored).next_run_at == expected.isoformat(timespec="seconds")

    def runs_of(self, job: FiredJob) -> Mapping[str, Mapping[str, Any]]:
        """The runs that are stored, by run id."""
        items = [item for item in self.aws.table.items if item["sk"]["S"] == "RUN"]
        return {item["run_id"]["S"]: item for item in items if item.get("job_id", {}).get("S") == job.id}

    def noted(self, job: FiredJob) -> Mapping[str, str]:
        """The state of each slot that was noted, by its local time."""
        items = [item for item in self.aws.table.items if item["pk"]["S"] == f"JOB#{job.id}"]
        return {item["slot"]["S"]: item["job_run_state"]["S"] for item in items if item["sk"]["S"].startswith("RUN#")}

    def check(self, job: FiredJob) -> None:
        """That every due slot has one run, started once; one that nobody delivered in time is skipped and noted."""
        found, noted = self.runs_of(job), self.noted(job)
        started = [text for text in self.aws.executions.started if text in {self._key(run) for run in found.values()}]
        assert len(started) == len(found)
        slots = [slot for slot in job.slots if slot <= self.end]
        names = {slot: job.plan.local(slot).strftime("%Y-%m-%dT%H:%M") for slot in slots}
        assert noted.keys() == set(names.values())
        ran = []
        for slot, name in names.items():
            run_id = f"job-{job.id}-{''.join(filter(str.isdigit, name))}"
            has_run = run_id in found
            assert has_run or slot not in job.punctual
            assert not has_run or slot in job.punctual | job.disturbed
            assert noted[name] == ("started" if has_run else "skipped")
            ran += [slot] if has_run else []
        assert len(ran) == len(found)
        stored = jobs.read(job.id)
        assert stored is not None
        last = None if stored.last_run_at is None else datetime.fromisoformat(stored.last_run_at)
        assert last == max(ran, default=None)
        self._check_messages(job, ran)

    def _check_messages(self, job: FiredJob, ran: list[datetime]) -> None:
        """Each run was asked once, with the date of its slot."""
        items = [item for item in self.aws.table.items if item["sk"]["S"].startswith("MESSAGE#")]
        messages = [item["content"]["S"] for item in items if job.id in item["id"]["S"]]
        local = map(job.plan.local, ran)
        assert sorted(messages) == sorted(
            f"It is {item:%A}, {item:%Y-%m-%d}, in {job.plan.time_zone}." for item in local
        )

    @staticmethod
    def invoke(target_input: str, slot: datetime) -> None:
        event = json.loads(target_input.replace("<aws.scheduler.scheduled-time>", f"{slot:%Y-%m-%dT%H:%M:%SZ}"))
        start_job(event, CONTEXT)

    def _invoke(self, target_input: str, slot: datetime, firing: Firing) -> bool:
        self._calls.reset(firing.at_call, firing.fault)
        try:
            self.invoke(target_input, slot)
        except Killed:
            return False
        except Exception as error:
            if type(error).__name__ != "TransientError":  # what the function makes of AWS's
                raise
            return False
        finally:
            self.calls = max(self.calls, len(self._calls.made))
            self._calls.reset()
        return True

    def _end_other_runs(self, job: FiredJob, slot: datetime) -> None:
        """Those of earlier slots have ended long ago."""
        own = job.plan.local(slot).strftime("%Y%m%d%H%M")
        for run_id, run in self.runs_of(job).items():
            if run["phase"]["S"] == "queued" and not run_id.endswith(own):
                cancel_run.stop(self._key(run))

    @staticmethod
    def _key(run: Mapping[str, Any]) -> str:
        return runs.key_of(run["user_id"]["S"], run["thread_id"]["S"], run["run_id"]["S"])
