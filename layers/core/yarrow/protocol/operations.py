"""Responses of `GET /api/v1/operations/…` (EVB-12): what operators are told of all runs."""

from yarrow.protocol.response_body import Body


class EndCounts(Body, frozen=True, kw_only=True):
    """Runs that ended in an hour or a day (UTC), by agent: `runs` is the sum of the four that follow."""

    at: str
    """The hour, such as `2026-11-28T14:00Z`, or the day, such as `2026-11-28`."""
    agent: str
    runs: int
    completed: int
    asked: int
    """Those that ended with a question to their user."""
    failed: int
    canceled: int
    by_jobs: int
    """Those of automation jobs, among all."""


class FailureCount(Body, frozen=True, kw_only=True):
    """How many runs failed with a code. `latestRun` is the key of one of the last, by which logs find it."""

    code: str
    count: int
    latest_run: str


class TimeCounts(Body, frozen=True, kw_only=True):
    """Counts of runs by time. The percentiles are upper bounds in ms; absent where nothing or too long was measured."""

    p50: int | None = None
    p95: int | None = None
    counts: tuple[int, ...]
    """A count for each of the bounds, and a last one for what took longer."""


class ModelSums(Body, frozen=True, kw_only=True):
    """What the runs of an agent used of a model, as `GET /api/v1/usage` counts it."""

    model: str | None = None
    provider: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    reasoning_tokens: int | None = None
    cached_input_tokens: int | None = None
    cache_write_input_tokens: int | None = None
    cost: float | None = None


class AgentOperations(Body, frozen=True, kw_only=True):
    """An agent over all of the days."""

    agent: str
    failures: tuple[FailureCount, ...]
    """The most frequent first."""
    first_event: TimeCounts
    """From the submit to the first event of the agent."""
    duration: TimeCounts
    """From the submit to the end, with the time that the run slept."""
    models: tuple[ModelSums, ...]


class Refusals(Body, frozen=True, kw_only=True):
    """How often a limit refused users something. `limit` is what is limited a minute, for AGENT_RATE_LIMIT."""

    code: str
    limit: str | None = None
    count: int


class WaitingDeliveries(Body, frozen=True, kw_only=True):
    """Deliveries to webhooks of all users that wait for another attempt, at this moment, whatever the days."""

    count: int
    since: str | None = None
    """Since when the oldest waits; absent if there is none."""
    is_whole: bool
    """False if more wait than were counted."""


class LogGroup(Body, frozen=True, kw_only=True):
    """Where the deployment's logs are, in CloudWatch."""

    region: str
    name: str


class EndedRuns(Body, frozen=True, kw_only=True):
    """Runs that ended in some days: by time and agent, the oldest first, and by agent."""

    times: tuple[EndCounts, ...]
    agents: tuple[AgentOperations, ...]
    first_event_bounds: tuple[int, ...]
    """Milliseconds up to which each of the counts goes."""
    duration_bounds: tuple[int, ...]
    limits: tuple[Refusals, ...]
    """The most frequent first."""
    waiting_deliveries: WaitingDeliveries
    log_group: LogGroup | None = None
    """Absent where logs are not in CloudWatch."""
    currency: str | None = None
    """Of each `cost`; absent without prices."""
    is_whole: bool
    """False if a day has more than was read."""


class UserUse(Body, frozen=True, kw_only=True):
    """What a user's runs of an agent used of a model on a day (UTC). `user` is the user's pseudonym in the logs."""

    user: str
    agent: str
    model: str | None = None
    provider: str | None = None
    runs: int
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost: float | None = None


class UsersOfDay(Body, frozen=True, kw_only=True):
    """A page of a day's use by user."""

    day: str
    users: tuple[UserUse, ...]
    currency: str | None = None
    has_more: bool
    next: str | None = None
