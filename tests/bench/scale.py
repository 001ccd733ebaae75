"""What so many daily users load: rates, limits, the hottest partitions, jobs at one time, the return after an outage.

What a run uses is counted (`run_use.json`, by `bench_cost`), quotas are AWS's (`quotas.json`), limits of requests the
template's defaults. How people behave is assumed: `Habits`. `figures.bill` is the month's bill, `figures.page` writes
the tables of docs/scale.md; `make load` compares the requests of a run with those of the local stack.
"""

import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from local.translation import translate
from tests.bench.figures.workspace_use import BEATS_A_SECOND, SHORT_SECONDS, WORKSPACE_RUN
from tests.support.paths import ROOT

HERE: Final = Path(__file__).parent
QUOTAS: Final[dict[str, Any]] = json.loads((HERE / "quotas.json").read_text(encoding="utf-8"))["quotas"]
USE: Final[dict[str, Any]] = json.loads((HERE / "run_use.json").read_text(encoding="utf-8"))

HOUR: Final = 3600


@dataclass(frozen=True)
class Habits:
    """What a daily user does in a day, on average."""

    runs: float = 3
    viewers: float = 1
    resumed: float = 0.05
    """Streams that break off and are opened again."""
    requests: float = 10
    """Other than submits and streams: history, jobs, signed URLs; each takes a short function."""
    cancels: float = 0.06
    workspace_minutes: float = 2
    workspace_connections: float = 0.2
    workspace_runs: float = 0.3
    """Of the runs, those shown in a workspace."""
    uploads: float = 0.1
    recordings: float = 0.05
    recording_seconds: float = 10
    sign_ins: float = 3
    """One, and two renewals of its tokens."""
    jobs: float = 0.1
    sharp_jobs: float = 0.05
    """Of the jobs, those at 09:00 in the time zone with the most users."""
    peak_hour: float = 0.1
    """Part of a day that is in its busiest hour."""
    monthly_users: float = 3
    """Users of a month for each of a day."""


HABITS: Final = Habits()


@cache
def default(parameter: str) -> int:
    return int(translate(ROOT / "template.yaml", {})["Parameters"][parameter]["Default"])


def peak(users: float, times: float) -> float:
    """How often a second, in the busiest hour, something happens that a user does so many times a day."""
    return users * times * HABITS.peak_hour / HOUR


RUN_SECONDS: Final[float] = USE["seconds"]
WRITES: Final[float] = USE["run"]["used"]["dynamodb write units"]
READS: Final[float] = USE["run"]["used"]["dynamodb read units"]
VIEWER_READS: Final[float] = USE["run"]["requests"]["Query"] * 0.5 / RUN_SECONDS
"""Read units a second of one stream, whose queries are eventually consistent."""
SHORT_OF_A_RUN: Final[float] = USE["run"]["used"]["lambda requests"] - 2
"""Executions of a run beside itself and its stream."""
JOURNAL_WRITES: Final[float] = USE["run"]["requests"]["PutItem"] / RUN_SECONDS


def runs_a_second(users: float) -> float:
    """Return the runs that people start a second in the busiest hour."""
    return peak(users, HABITS.runs)


def pages(users: float) -> float:
    """Return the workspace pages open at once."""
    return peak(users, HABITS.workspace_minutes) * 60


def concurrency(users: float) -> float:
    """Executions of functions at once: an open stream is one, a run another."""
    started = runs_a_second(users)
    short = started * (SHORT_OF_A_RUN + HABITS.viewers * HABITS.resumed) + peak(users, HABITS.requests)
    short += pages(users) * BEATS_A_SECOND
    return started * RUN_SECONDS * (1 + HABITS.viewers) + short * SHORT_SECONDS


def table_writes(users: float) -> float:
    """Return the write units a second."""
    shown = peak(users, HABITS.workspace_runs) * WORKSPACE_RUN["dynamodb write units"]
    return runs_a_second(users) * WRITES + shown


def table_reads(users: float) -> float:
    """Return the read units a second."""
    shown = peak(users, HABITS.workspace_runs) * WORKSPACE_RUN["dynamodb read units"]
    return runs_a_second(users) * READS + shown + pages(users) * BEATS_A_SECOND + peak(users, HABITS.requests)


def frames(users: float) -> float:
    """That pages of workspaces send, a second."""
    return pages(users) * BEATS_A_SECOND


def requests(users: float) -> float:
    """Of both APIs, a second, with what is posted to connections."""
    http = runs_a_second(users) * (1 + HABITS.viewers * (1 + HABITS.resumed)) + peak(users, HABITS.requests)
    return http + frames(users) * 2 + peak(users, HABITS.workspace_runs) * WORKSPACE_RUN["websocket messages"]


def streams_opened(users: float) -> float:
    """A second, those that go on after a break included."""
    return runs_a_second(users) * HABITS.viewers * (1 + HABITS.resumed)


def pages_opened(users: float) -> float:
    """Return the connections of workspaces a second."""
    return peak(users, HABITS.workspace_connections)


def recordings(users: float) -> float:
    """Return the recordings being recognised at once."""
    return peak(users, HABITS.recordings) * HABITS.recording_seconds


Load = Callable[[float], float]
"""Of so many daily users."""


@dataclass(frozen=True)
class Limit:
    """Something that is full at `value`, of which `load` users take so much; `raised` says how to have more."""

    name: str
    unit: str
    value: float
    load: Load
    raised: str

    @property
    def users(self) -> float:
        """How many fill it; the load is in proportion to them."""
        return self.value / self.load(1)


def _quota(name: str) -> float:
    return float(QUOTAS[name]["value"])


def limits() -> list[Limit]:
    """In the order in which growing users reach them."""
    quota = "a quota of AWS: request more"
    warm = "`WarmThroughput` of the table before a launch; an older one doubles its last peak in 30 minutes"
    other_issuer = f"{quota}; longer-lived tokens; an issuer of your own"

    def aws(name: str, figure: str, unit: str, load: Load, raised: str = quota) -> Limit:
        return Limit(name, unit, _quota(figure), load, raised)

    def parameter(name: str, what: str, load: Load) -> Limit:
        return Limit(f"`{name}`: {what}", "/s", default(name), load, "the parameter")

    every = [
        aws("Lambda: executions at once", "lambda concurrency", "", concurrency, f"{quota}, and `AccountConcurrency`"),
        aws("DynamoDB: writes of a new table", "dynamodb writes of a new table", "/s", table_writes, warm),
        aws("DynamoDB: reads of a new table", "dynamodb reads of a new table", "/s", table_reads, warm),
        aws("DynamoDB: writes of a table", "dynamodb writes of a table", "/s", table_writes),
        aws("API Gateway: requests of all routes", "api gateway requests", "/s", requests),
        aws("API Gateway: WebSockets opened", "websocket connections opened", "/s", pages_opened),
        aws("Cognito: sign-ins and renewals", "cognito sign-ins", "/s", _daily(HABITS.sign_ins), other_issuer),
        aws("Step Functions: StartExecution", "step functions starts", "/s", runs_a_second),
        aws("Step Functions: StopExecution", "step functions stops", "/s", _daily(HABITS.cancels)),
        aws("Transcribe: recordings at once", "transcribe jobs at once", "", recordings),
        aws("S3: uploads to one prefix", "s3 writes of a prefix", "/s", _daily(HABITS.uploads)),
        aws("EventBridge Scheduler: schedules", "scheduler schedules", "", lambda users: users * HABITS.jobs),
        parameter("WorkspaceRateLimit", "frames", frames),
        parameter("RunRateLimit", "submits of a route", runs_a_second),
        parameter("RateLimit", "streams opened", streams_opened),
        parameter("UploadRateLimit", "uploads", _daily(HABITS.uploads)),
    ]
    return sorted(every, key=lambda limit: limit.users)


def _daily(times: float) -> Load:
    return lambda users: peak(users, times)


def recommended(users: float) -> list[tuple[str, float]]:
    """What to ask for or set before so many users, with half of it left free: only what the defaults do not reach."""
    return [(limit.name, rounded(2 * limit.load(users))) for limit in limits() if 2 * limit.load(users) > limit.value]


def rounded(value: float) -> float:
    """Round up to one digit, or one and a half: 1, 1.5, 2, 2.5 … times a power of ten."""
    power: float = 10.0 ** math.floor(math.log10(value)) / 2
    return math.ceil(value / power) * power


@dataclass(frozen=True)
class Sharp:
    """All jobs of a time of day, spread over so many minutes."""

    minutes: int
    starts: float
    executions: float
    writes: float


def sharp(users: float, minutes: int) -> Sharp:
    """Return the load of the jobs at 09:00, spread over one minute, to which Scheduler is precise."""
    starts = users * HABITS.sharp_jobs / (60 * max(1, minutes))
    starts = min(starts, _quota("scheduler invocations"))
    firing = USE["firing"]["dynamodb write units"]
    return Sharp(minutes, starts, starts * (RUN_SECONDS + SHORT_SECONDS), starts * (WRITES + firing))


@dataclass(frozen=True)
class Partition:
    """One partition of the table at its hottest: units a second, and how often what heats it would fit."""

    name: str
    writes: float
    reads: float

    @property
    def part(self) -> float:
        writes, reads = _quota("dynamodb writes of a partition"), _quota("dynamodb reads of a partition")
        return max(self.writes / writes, self.reads / reads)


def partitions() -> dict[str, Partition]:
    """The hottest, by what heats them."""
    commands = default("WorkspaceCommandsPerMinute") / 60
    connections = default("WorkspaceConnectionsPerUser")
    streams, opened = default("StreamsPerUser"), default("StreamsPerMinute") / 60
    renewed = streams / RENEW_SECONDS
    every = [
        Partition("one run, one viewer", JOURNAL_WRITES, VIEWER_READS),
        Partition(f"one run, {streams} viewers (`StreamsPerUser`)", JOURNAL_WRITES, streams * VIEWER_READS),
        Partition(f"one run, {most_viewers():,} viewers", JOURNAL_WRITES, most_viewers() * VIEWER_READS),
        Partition("one run, 10,000 viewers", JOURNAL_WRITES, 10_000 * VIEWER_READS),
        Partition("a user's slots of streams, at `StreamsPerMinute`", opened * 2 + renewed, opened),
        Partition(
            f"a workspace, {connections} pages, at `WorkspaceCommandsPerMinute`",
            commands * (2 + 2 * connections),
            commands * 4 * (1 + connections) + connections * BEATS_A_SECOND,
        ),
        Partition("the list of all jobs, 1,000 created a second", 1_000, 0),
        Partition("API keys, 100,000 in use", 0, 100_000 / KEY_SECONDS),
        Partition("a job, its session and its user at 09:00", WRITES / RUN_SECONDS, READS / RUN_SECONDS),
    ]
    return {partition.name: partition for partition in every}


def most_viewers() -> int:
    """Of one run, that its partition can serve."""
    return int(_quota("dynamodb reads of a partition") / VIEWER_READS)


RENEW_SECONDS: Final = 20
KEY_SECONDS: Final = 60
"""How long the authorizer's decision about a key is kept."""


CALL_SECONDS: Final = 0.005
"""How long a call of the table takes."""
DAY: Final = 24 * HOUR


@dataclass(frozen=True)
class Consumer:
    """A function that empties a queue: so many executions at once take so many messages each, handle them one after the
    other with `calls` of the table, and send them side by side.
    """

    name: str
    calls: int
    executions: int
    batch: int
    raised: str

    def rate(self, latency: float) -> float:
        """Messages a second, if a receiver takes so many seconds to answer."""
        return self.executions * self.batch / (self.batch * self.calls * CALL_SECONDS + latency)


def consumers() -> list[Consumer]:
    """Those of the deployment's events, as the template maps them to their queues."""
    resources = translate(ROOT / "template.yaml", {})["Resources"]

    def consumer(name: str, mapping: str, calls: int) -> Consumer:
        properties = resources[mapping]["Properties"]
        most = properties["ScalingConfig"]["MaximumConcurrency"]
        by = f"`{most['Ref']}`" if isinstance(most, dict) else "`MaximumConcurrency` in the template"
        executions = default(most["Ref"]) if isinstance(most, dict) else int(most)
        return Consumer(name, calls, executions, int(properties["BatchSize"]), by)

    return [
        consumer("a device of each user is told", "SendNotificationsOfQueue", NOTIFICATION_CALLS),
        consumer("a webhook gets each event", "DeliverWebhooksOfQueue", DELIVERY_CALLS),
    ]


NOTIFICATION_CALLS: Final = 2
"""The devices of the user, and whether somebody watches the run."""
DELIVERY_CALLS: Final = 4
"""The webhooks of operators and of the user, the delivery, and what came of it."""


@dataclass(frozen=True)
class Return:
    """One thing that clients do when a service is back: how many wait, how many a second are let in, and how many
    executions at once those take.
    """

    name: str
    waiting: float
    admitted: float
    arriving: float
    executions: float

    @property
    def seconds(self) -> float:
        """Until nobody waits; infinite if more come than are let in."""
        left = self.admitted - self.arriving
        return self.waiting / left if left > 0 else math.inf


def outage(users: float, minutes: float, factor: float = 1) -> list[Return]:
    """Everybody comes back after so many minutes in the busiest hour, with limits that many times the defaults."""
    started = runs_a_second(users)
    streams, open_pages = started * RUN_SECONDS * HABITS.viewers, pages(users)
    submits, connects = factor * default("RunRateLimit"), factor * default("WorkspaceRateLimit")
    beats = open_pages * BEATS_A_SECOND * SHORT_SECONDS
    return [
        Return("streams opened again", streams, factor * default("RateLimit"), started, streams),
        Return("submits", started * minutes * 60, submits, started, submits * RUN_SECONDS * (1 + HABITS.viewers)),
        Return("workspace pages connected again", open_pages, connects, pages_opened(users), beats),
    ]
