"""What runs have used, summed by day, user, API key, agent and model (EVB-05).

A run is counted when it has ended, from its event on the deployment's bus: once, whoever publishes that how often. Its
mark is written in the transaction that adds to the sums, and outlives the stream's record of its end.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from yarrow.formats import json_text
from yarrow.protocol.domain_events import EndedRun
from yarrow.protocol.usage import TokenCounts
from yarrow.store import clock, table
from yarrow.store.items.records import Codec, in_key, stored_as
from yarrow.store.items.updates import IS_NEW, Update

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import TransactWriteItemTypeDef as WriteItem

KEPT_DAYS: Final = 400

MARK_KEPT_DAYS: Final = 3
"""The stream keeps a record for one day."""

_PREFIX: Final = "USED#"


@dataclass(frozen=True, slots=True)
class DailyUse:
    """The sums of a day. A run is in `runs` with the model that it used first, so that it is counted once."""

    day: str = field(metadata=in_key("pk", _PREFIX))
    user_id: str
    agent: str = field(metadata=stored_as("agent_name"))
    runs: int
    model: str | None = None
    provider: str | None = None
    api_key: str | None = None
    """The id of the key by which the runs were submitted, if one was."""
    input_tokens: int | None = None
    output_tokens: int | None = None
    reasoning_tokens: int | None = None
    cached_input_tokens: int | None = None
    cache_write_input_tokens: int | None = None


_SUMS: Final = Codec(DailyUse)


def count(run: EndedRun, others: Sequence["WriteItem"] = ()) -> bool:
    """Add what a run has used to the sums of the day on which it ended; False if that was done before.

    `others` are counts of the run that are written with it: once, as it is.
    """
    mark = {"pk": f"COUNTED#{run.run_key}", "sk": "COUNTED", "user_id": run.user_id}
    writes = [table.put({**mark, "expires_at": clock.epoch_in(MARK_KEPT_DAYS)}, IS_NEW)]
    for place, used in enumerate(run.usage or (TokenCounts(),)):
        named = Update().set(
            user_id=run.user_id,
            agent_name=run.agent,
            model=used.model,
            provider=used.provider,
            expires_at=clock.epoch_in(KEPT_DAYS),
        )
        if run.api_key is not None:
            named = named.set(api_key=run.api_key)
        writes.append(table.update(_key(run, used), named.add(runs=int(place == 0), **_tokens(used))))
    try:
        table.transact(*writes, *others)
    except table.ConditionFailedError:
        return False
    return True


def read(day: str, user_id: str | None, after: str | None, limit: int) -> Iterator[tuple[str, DailyUse]]:
    """Read the sums of a day, of one user or of all, with the place of each in this list; a moment may be missing.

    `after` is a place of the same list.
    """
    prefix = _PREFIX if user_id is None else f"{_PREFIX}{_digest(user_id)}#"
    start = prefix if after is None else f"{prefix}{after.replace('.', '#')}~"
    rows = table.query(f"{_PREFIX}{day}", start=start, before=f"{prefix}~", limit=limit, consistent=False)
    for item in rows:
        yield item["sk"].removeprefix(prefix).replace("#", "."), _SUMS.record(item)


def _tokens(used: TokenCounts) -> dict[str, int]:
    """Return the counts that somebody reported; `totalTokens` follow from them."""
    found = {
        "input_tokens": used.input_tokens,
        "output_tokens": used.output_tokens,
        "reasoning_tokens": used.reasoning_tokens,
        "cached_input_tokens": used.cached_input_tokens,
        "cache_write_input_tokens": used.cache_write_input_tokens,
    }
    return {name: count for name, count in found.items() if count is not None}


def _key(run: EndedRun, used: TokenCounts) -> table.Item:
    by_key = [] if run.api_key is None else [run.api_key]
    of = _digest(json_text.dumps([run.agent, used.provider, used.model, *by_key]))
    return {"pk": f"{_PREFIX}{run.ended_at[:10]}", "sk": f"{_PREFIX}{_digest(run.user_id)}#{of}"}


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
