"""Tells operators which runs ended and how, and what users used, from sums that the table's stream keeps (EVB-12)."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from yarrow.observability.logs import user_of
from yarrow.protocol.caller import Caller
from yarrow.protocol.operations import (
    AgentOperations,
    EndCounts,
    EndedRuns,
    FailureCount,
    LogGroup,
    ModelSums,
    Refusals,
    TimeCounts,
    UsersOfDay,
    UserUse,
    WaitingDeliveries,
)
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.usage import ModelPrices
from yarrow.runs.get_usage import day_of, days_of, invalid
from yarrow.runs.model_costs import cost, cost_of, model_prices
from yarrow.settings import settings
from yarrow.store import clock, run_hours, run_usage
from yarrow.store.run_hours import HourOfRuns
from yarrow.store.run_usage import DailyUse

MAX_DAYS: Final = 7
PAGE: Final = 200
AFTER: Final = r"[0-9a-f]{64}(\.[0-9a-f]{64})?"
MAX_SUBJECT: Final = 128
_DAY_LENGTH: Final = len("2026-11-28")


@dataclass(slots=True)
class _Agent:
    """The sums of an agent."""

    failures: Counter[str] = field(default_factory=Counter)
    latest: dict[str, str] = field(default_factory=dict)
    first_event: Counter[int] = field(default_factory=Counter)
    duration: Counter[int] = field(default_factory=Counter)
    models: dict[tuple[str | None, str | None], Counter[str]] = field(default_factory=dict)


def get_ended_runs(caller: Caller, query: Mapping[str, str]) -> EndedRuns:
    """Return the sums of at most MAX_DAYS days, by default of today. Raises Problem 403 or 422."""
    _must_operate(caller)
    per = query.get("per", "hour")
    if per not in ("hour", "day"):
        raise invalid("per must be hour or day")
    days = days_of(query, MAX_DAYS, 1)
    times: dict[tuple[str, str], Counter[str]] = {}
    agents: dict[str, _Agent] = {}
    is_whole = True
    for day in days:
        parts = list(run_hours.read(day))
        is_whole &= len(parts) < run_hours.MAX_ITEMS
        for part in parts:
            _add(agents.setdefault(part.agent, _Agent()), part)
            if part.counts:
                at = f"{part.hour}:00Z" if per == "hour" else part.hour[:_DAY_LENGTH]
                times.setdefault((at, part.agent), Counter()).update(part.counts)
    prices = model_prices()
    return EndedRuns(
        times=tuple(_counts(at, agent, counts) for (at, agent), counts in sorted(times.items())),
        agents=tuple(_agent(name, sums, prices) for name, sums in sorted(agents.items())),
        first_event_bounds=run_hours.FIRST_EVENT_BOUNDS,
        duration_bounds=run_hours.DURATION_BOUNDS,
        limits=_refused(days),
        waiting_deliveries=_waiting(),
        log_group=_log_group(),
        currency=prices.currency if prices.models else None,
        is_whole=is_whole,
    )


def get_users_of_day(caller: Caller, query: Mapping[str, str]) -> UsersOfDay:
    """Return a page of what users used on a day, or what one did, whose id is `subject`. Raises Problem 403 or 422."""
    _must_operate(caller)
    subject, after = query.get("subject"), query.get("after")
    if subject is not None and not 0 < len(subject) <= MAX_SUBJECT:
        raise invalid(f"subject must have 1 to {MAX_SUBJECT} characters")
    if after is not None and re.fullmatch(AFTER, after, re.ASCII) is None:
        raise invalid("after must be the next of a page")
    day = (day_of(query, "day") or clock.now().date()).isoformat()
    found = list(islice(run_usage.read(day, subject, after, PAGE + 1), PAGE + 1))
    page, prices = found[:PAGE], model_prices()
    has_more = len(found) > PAGE
    return UsersOfDay(
        day=day,
        users=tuple(_use(row, prices) for _, row in page),
        currency=prices.currency if prices.models else None,
        has_more=has_more,
        next=page[-1][0] if has_more else None,
    )


def percentile(counts: Sequence[int], bounds: Sequence[int], percent: int) -> int | None:
    """Return the bound up to which so many percent of the counted are; None for nothing, or above the last bound."""
    rank = -(-sum(counts) * percent // 100)
    if not rank:
        return None
    for bound, count in zip(bounds, counts, strict=False):
        rank -= count
        if rank <= 0:
            return bound
    return None


def _refused(days: Iterable[str]) -> tuple[Refusals, ...]:
    from yarrow.store.limits import refusals  # users ask for their own usage, and need none

    sums: Counter[tuple[str, str | None]] = Counter()
    for day in days:
        for part in refusals.read(day):
            sums[part.code, part.limit] += part.refusals
    return tuple(Refusals(code=code, limit=limit, count=count) for (code, limit), count in sums.most_common())


def _waiting() -> WaitingDeliveries:
    from yarrow.store.webhooks import deliveries  # as in `_refused`

    found = deliveries.waiting()
    return WaitingDeliveries(count=found.count, since=found.since, is_whole=found.is_whole)


def _log_group() -> LogGroup | None:
    group = settings.log_group
    return None if group is None else LogGroup(region=settings.region, name=group)


def _must_operate(caller: Caller) -> None:
    if not caller.operates:
        raise Problem(Code.AGENT_FORBIDDEN, "only operators see the runs of all users")


def _add(sums: _Agent, part: HourOfRuns) -> None:
    for code, (count, latest) in part.failures.items():
        sums.failures[code] += count
        sums.latest[code] = latest  # parts come by hour
    sums.first_event.update(dict(enumerate(part.first_event)))
    sums.duration.update(dict(enumerate(part.duration)))
    if part.tokens:
        sums.models.setdefault((part.provider, part.model), Counter()).update(part.tokens)


def _counts(at: str, agent: str, counts: Mapping[str, int]) -> EndCounts:
    names = ("runs", "completed", "asked", "failed", "canceled", "by_jobs")
    return EndCounts(at=at, agent=agent, **{name: counts.get(name, 0) for name in names})


def _agent(name: str, sums: _Agent, prices: ModelPrices) -> AgentOperations:
    return AgentOperations(
        agent=name,
        failures=tuple(
            FailureCount(code=code, count=count, latest_run=sums.latest[code])
            for code, count in sums.failures.most_common()
        ),
        first_event=_times(sums.first_event, run_hours.FIRST_EVENT_BOUNDS),
        duration=_times(sums.duration, run_hours.DURATION_BOUNDS),
        models=tuple(_models(sums.models.items(), prices)),
    )


def _times(found: Mapping[int, int], bounds: Sequence[int]) -> TimeCounts:
    counts = tuple(found.get(place, 0) for place in range(len(bounds) + 1))
    return TimeCounts(p50=percentile(counts, bounds, 50), p95=percentile(counts, bounds, 95), counts=counts)


def _models(
    found: Iterable[tuple[tuple[str | None, str | None], Mapping[str, int]]], prices: ModelPrices
) -> Iterable[ModelSums]:
    for (provider, model), tokens in found:
        paid = cost(
            prices.models.get(model or ""),
            input_tokens=tokens.get("input_tokens"),
            output_tokens=tokens.get("output_tokens"),
            cached_input_tokens=tokens.get("cached_input_tokens"),
            cache_write_tokens=tokens.get("cache_write_input_tokens"),
        )
        yield ModelSums(provider=provider, model=model, cost=paid, **tokens)


def _use(row: DailyUse, prices: ModelPrices) -> UserUse:
    return UserUse(
        user=user_of(row.user_id),
        agent=row.agent,
        model=row.model,
        provider=row.provider,
        runs=row.runs,
        input_tokens=row.input_tokens,
        output_tokens=row.output_tokens,
        cost=cost_of(row, prices),
    )
