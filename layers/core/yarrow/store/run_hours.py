"""Sums of the runs that ended in an hour, by agent and model, for operators (EVB-12).

`run_usage.count` writes them in the transaction that marks the run as counted, so that a record of the stream that
comes again adds nothing. Times are counted in buckets, whose counts can be added, which percentiles of hours cannot.

An hour of an agent and model has `_SHARDS` items, among which runs are spread by their keys: transactions on one item
refuse each other, and up to ten copies of the function work at a time for each shard of the stream.
"""

import hashlib
import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, Literal

from yarrow.formats import json_text
from yarrow.protocol.domain_events import EndedRun
from yarrow.protocol.usage import TokenCounts
from yarrow.store import clock, journal, table
from yarrow.store.items.updates import Update

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import TransactWriteItemTypeDef as WriteItem

KEPT_DAYS: Final = 40

FIRST_EVENT_BOUNDS: Final = (250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000)
DURATION_BOUNDS: Final = (1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000, 256_000, 512_000, 3_600_000)
"""Milliseconds up to which a bucket counts; one more bucket has what took longer."""

MAX_ITEMS: Final = 20_000
"""Of a day; a deployment has more only with hundreds of agents and models."""

End = Literal["run.completed", "run.failed", "run.canceled"]

_SHARDS: Final = 8
_MS: Final = timedelta(milliseconds=1)
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_PREFIX: Final = "HOURS#"
_CODE: Final = re.compile(r"[A-Z][A-Z0-9_]{0,79}", re.ASCII)
_OTHER: Final = "unregistered"
_COUNTS: Final = ("runs", "completed", "asked", "failed", "canceled", "by_jobs")
_TOKENS: Final = (
    "input_tokens",
    "output_tokens",
    "reasoning_tokens",
    "cached_input_tokens",
    "cache_write_input_tokens",
)
_FIRST_EVENT: Final = "first_event_"
_DURATION: Final = "duration_"
_FAILED_WITH: Final = "failed_with_"
_LATEST_WITH: Final = "latest_with_"


@dataclass(frozen=True, slots=True)
class HourOfRuns:
    """A part of an hour's sums. A run is counted with the model that it used first; `tokens` are those of the model."""

    hour: str
    """In UTC, such as `2026-11-28T14`."""
    agent: str
    model: str | None
    provider: str | None
    counts: Mapping[str, int]
    """`runs`, of which `completed` with an answer, `asked` with a question, `failed` or `canceled`; `by_jobs` are those
    of automation jobs."""
    tokens: Mapping[str, int] = field(default_factory=dict)
    failures: Mapping[str, tuple[int, str]] = field(default_factory=dict)
    """By code: how many, and the key of the latest run."""
    first_event: tuple[int, ...] = ()
    """Counts by FIRST_EVENT_BOUNDS, from the submit to the first event of the agent; few runs have none."""
    duration: tuple[int, ...] = ()
    """Counts by DURATION_BOUNDS, from the submit to the end."""


def writes(run: EndedRun, end: End) -> list["WriteItem"]:
    """Make the items that count a run: one, and one more for each further model that it used."""
    used = run.usage or (TokenCounts(),)
    first = _counted(run, end)
    return [
        _write(run, one, first if place == 0 else Update())
        for place, one in enumerate(used)
        if place == 0 or _tokens(one)
    ]


def read(day: str) -> Iterator[HourOfRuns]:
    """Read the parts of a day (UTC) in the order of its hours, MAX_ITEMS at most; a moment may be missing."""
    items = table.query(f"{_PREFIX}{day}", start=_PREFIX, before=f"{_PREFIX}~", consistent=False)
    return map(_part, islice(items, MAX_ITEMS))


def _counted(run: EndedRun, end: End) -> Update:
    amounts = {"runs": 1, "by_jobs": int(run.job_id is not None)}
    changes = Update()
    match end:
        case "run.completed":
            amounts["asked" if run.outcome == "interrupt" else "completed"] = 1
        case "run.canceled":
            amounts["canceled"] = 1
        case _:
            code = run.code if run.code and _CODE.fullmatch(run.code) else _OTHER
            amounts |= {"failed": 1, f"{_FAILED_WITH}{code}": 1}
            changes = changes.set(**{f"{_LATEST_WITH}{code}": run.run_key})
    began = datetime.fromisoformat(run.created_at)
    lasted = (datetime.fromisoformat(run.ended_at) - began) // _MS
    amounts[f"{_DURATION}{bisect_left(DURATION_BOUNDS, lasted)}"] = 1
    if (stored := _first_event_at(run.run_key)) is not None:
        waited = stored - (began - _EPOCH) // _MS
        amounts[f"{_FIRST_EVENT}{bisect_left(FIRST_EVENT_BOUNDS, waited)}"] = 1
    return changes.add(**{name: amount for name, amount in amounts.items() if amount})


def _first_event_at(run_key: str) -> int | None:
    """Return when the first events after RUN_STARTED were stored, in ms; workers that took over left empty items."""
    for batch in journal.read(run_key, journal.AFTER_FIRST, limit=3, consistent=False):
        if batch.lines:
            return batch.at
    return None


def _tokens(used: TokenCounts) -> dict[str, int]:
    return {name: count for name in _TOKENS if (count := getattr(used, name)) is not None}


def _write(run: EndedRun, used: TokenCounts, counted: Update) -> "WriteItem":
    named = Update().set(
        agent_name=run.agent,
        model=used.model,
        provider=used.provider,
        expires_at=clock.epoch_in(KEPT_DAYS),
    )
    return table.update(_key(run, used), named + counted + Update().add(**_tokens(used)))


def _key(run: EndedRun, used: TokenCounts) -> table.Item:
    of = hashlib.sha256(json_text.dumps([run.agent, used.provider, used.model]).encode()).hexdigest()
    shard = hashlib.sha256(run.run_key.encode()).digest()[0] % _SHARDS
    return {"pk": f"{_PREFIX}{run.ended_at[:10]}", "sk": f"{_PREFIX}{run.ended_at[11:13]}#{of}#{shard}"}


def _part(item: table.Item) -> HourOfRuns:
    hour = item["sk"].removeprefix(_PREFIX)[:2]
    return HourOfRuns(
        hour=f"{item['pk'].removeprefix(_PREFIX)}T{hour}",
        agent=item["agent_name"],
        model=item.get("model"),
        provider=item.get("provider"),
        counts={name: int(item[name]) for name in _COUNTS if name in item},
        tokens={name: int(item[name]) for name in _TOKENS if name in item},
        failures={
            code: (int(count), item.get(f"{_LATEST_WITH}{code}", ""))
            for name, count in item.items()
            if name.startswith(_FAILED_WITH) and (code := name.removeprefix(_FAILED_WITH))
        },
        first_event=_buckets(item, _FIRST_EVENT, len(FIRST_EVENT_BOUNDS)),
        duration=_buckets(item, _DURATION, len(DURATION_BOUNDS)),
    )


def _buckets(item: Mapping[str, Any], prefix: str, bounds: int) -> tuple[int, ...]:
    return tuple(int(item.get(f"{prefix}{place}", 0)) for place in range(bounds + 1))
