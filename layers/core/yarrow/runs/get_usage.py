"""Returns what a user's runs have used, or for operators those of all users (EVB-05)."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import islice
from typing import Final

from yarrow.access import limits
from yarrow.protocol.caller import Caller
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.usage import LimitsLeft, ModelPrices, RecognisedSpeech, Usage, UsageItem
from yarrow.runs.model_costs import cost_of, model_prices
from yarrow.settings import settings
from yarrow.store import clock, run_usage, table
from yarrow.store.limits import run_slots, usage
from yarrow.store.run_usage import DailyUse

MAX_DAYS: Final = 31
PAGE: Final = 500

DAY: Final = r"\d{4}-\d{2}-\d{2}"
AFTER: Final = rf"{DAY}(\.[0-9a-f]{{64}}){{1,2}}"


@dataclass(frozen=True, slots=True)
class _Asked:
    days: tuple[str, ...]
    user_id: str | None
    """None asks for all users."""
    after: str | None = None
    """A place in the list of the first of the days."""


def get_usage(caller: Caller, query: Mapping[str, str]) -> Usage:
    """Return a page of sums, by default of the last 30 days. Raises Problem 422, and 403 for `by` of no operator."""
    asked = _read(caller, query)
    found = list(islice(_rows(asked), PAGE + 1))
    page = found[:PAGE]
    has_more = len(found) > PAGE
    prices = model_prices()
    is_first_of_own = asked.user_id is not None and "after" not in query
    return Usage(
        days=tuple(_item(row, prices, of_all=asked.user_id is None) for _, row in page),
        speech=_speech(caller.user_id, asked.days) if is_first_of_own else None,
        left=_left(caller.user_id) if is_first_of_own else None,
        currency=prices.currency if prices.models else None,
        has_more=has_more,
        next=f"{page[-1][1].day}.{page[-1][0]}" if has_more else None,
    )


def _read(caller: Caller, query: Mapping[str, str]) -> _Asked:
    by = query.get("by")
    if by not in (None, "user"):
        raise invalid("by must be user")
    if by and not caller.operates:
        raise Problem(Code.AGENT_FORBIDDEN, "only operators see the usage of all users")
    days = days_of(query, MAX_DAYS, MAX_DAYS - 1)
    user_id = None if by else caller.user_id
    if "after" not in query:
        return _Asked(days, user_id)
    if re.fullmatch(AFTER, query["after"], re.ASCII) is None:
        raise invalid("after must be the next of a page")
    first, _, after = query["after"].partition(".")
    if first not in days:
        raise invalid("after must be the next of a page of the same days")
    return _Asked(days[days.index(first) :], user_id, after)


def days_of(query: Mapping[str, str], most: int, usual: int) -> tuple[str, ...]:
    """Return the days `from` to `to`, by default the `usual` ones until today. Raises Problem 422 for over `most`."""
    until = day_of(query, "to") or clock.now().date()
    since = day_of(query, "from") or until - timedelta(days=min(usual - 1, (until - date.min).days))
    count = (until - since).days + 1
    if not 0 < count <= most:
        raise invalid(f"from must be before to, by at most {most - 1} days")
    return tuple((since + timedelta(days=number)).isoformat() for number in range(count))


def day_of(query: Mapping[str, str], name: str) -> date | None:
    """Return the day that a parameter names, if it is there. Raises Problem 422."""
    if name not in query:
        return None
    try:
        if re.fullmatch(DAY, query[name], re.ASCII):
            return date.fromisoformat(query[name])
    except ValueError:
        pass
    raise invalid(f"{name} must be a date, such as 2026-11-27")


def invalid(detail: str) -> Problem:
    return Problem(Code.AGENT_USAGE_QUERY_INVALID, detail)


def _rows(asked: _Asked) -> Iterator[tuple[str, DailyUse]]:
    for number, day in enumerate(asked.days):
        yield from run_usage.read(day, asked.user_id, None if number else asked.after, PAGE + 1)


def _item(row: DailyUse, prices: ModelPrices, *, of_all: bool) -> UsageItem:
    return UsageItem(
        day=row.day,
        agent=row.agent,
        model=row.model,
        provider=row.provider,
        user_id=row.user_id if of_all else None,
        api_key=row.api_key,
        runs=row.runs,
        input_tokens=row.input_tokens,
        output_tokens=row.output_tokens,
        reasoning_tokens=row.reasoning_tokens,
        cached_input_tokens=row.cached_input_tokens,
        cache_write_input_tokens=row.cache_write_input_tokens,
        cost=cost_of(row, prices),
    )


def _speech(user_id: str, days: tuple[str, ...]) -> tuple[RecognisedSpeech, ...]:
    found = usage.speech(user_id, days[0], days[-1])
    return tuple(RecognisedSpeech(day=day, seconds=seconds) for day, seconds in found)


def _left(user_id: str) -> LimitsLeft:
    today, runs = table.get_all(usage.key(user_id), run_slots.key(user_id))
    tokens, speech = settings.tokens_per_user_per_day, settings.transcription_seconds_per_day
    return LimitsLeft(
        tokens_today=max(0, tokens - usage.tokens(today)) if tokens else None,
        speech_seconds_today=max(0, speech - usage.speech_of(today)) if speech else None,
        runs_this_minute=limits.runs_left(runs),
    )
