"""The steps of a run: its calls that cost or change something, so that no later worker repeats one (STP-01).

A step is stored once it has ended and before the runner gets its result. The first stored result counts: a later writer
gets it. A step that must not be repeated, or that changes what the run has read, is also stored before it begins, on
condition that its worker still has the run. Large results are in the bucket. Runs that continue another one after a
question use its log, whose key is that of the first of them.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from yarrow.store import clock, journal, objects, table
from yarrow.store.items.records import JSON, Codec, in_key, stored_as
from yarrow.store.items.updates import EXISTS, IS_NEW, Attr, Update

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import TransactWriteItemTypeDef as WriteItem

MAX_STEPS: Final = 2_000
"""Steps of one worker; a run has at most three."""

INLINE_BYTES: Final = 32 * 1024
"""Bytes of a result in the table: a write unit per KiB costs more than an object from here on."""

TOKENS: Final = {
    "inputTokens": "input_tokens",
    "outputTokens": "output_tokens",
    "reasoningTokens": "reasoning_tokens",
    "cachedInputTokens": "cached_input_tokens",
    "cacheWriteInputTokens": "cache_write_tokens",
}
"""The fields of a step with tokens, by the counts that AG-UI names."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step. `ms` is None until it has ended; then it has a `result` or an `error`."""

    id: str = field(metadata=in_key("sk", "STEP#"))
    action: str = field(metadata=stored_as("runner_action"))
    number: int = field(metadata=stored_as("step_number", always=True))
    """Its number in the order in which the worker began steps."""
    attempt: int
    started_at: str
    name: str | None = field(default=None, metadata=stored_as("resource_name"))
    """The resource: a model, a tool, a knowledge base, or the runner's own name."""
    retry: str = "safe"
    ms: int | None = None
    outcome: str | None = None
    """`ok`, `failed`, `cut`, or the code of its error; None until it has ended."""
    result: str | None = field(default=None, metadata=stored_as("result_json"))
    """JSON text."""
    is_in_bucket: bool = False
    error: Mapping[str, Any] | None = field(default=None, metadata=stored_as("failure", JSON))
    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_input_tokens: int | None = None
    cache_write_tokens: int | None = None
    reasoning_tokens: int | None = None
    """Parts of the input, twice, and of the output."""
    reads: Mapping[str, Any] | None = field(default=None, metadata=stored_as("earlier_reads", JSON))
    """Documents that earlier steps read and this step changed, by step id: a later worker reads the same."""
    part: str | None = field(default=None, metadata=stored_as("runner_part"))
    """The part of the runner that made it, such as a node of a graph: a rerun may keep what that made instead."""

    @property
    def has_ended(self) -> bool:
        return self.ms is not None

    @property
    def is_in_doubt(self) -> bool:
        """Whether it must not be repeated, and may have been carried out."""
        return self.retry == "never" and not self.has_ended


_STEPS: Final = Codec(Step)


def read_all(run_key: str, *, consistent: bool = True) -> Iterator[Step]:
    """Read all steps of a run, sorted by id; results in the bucket are not loaded."""
    partition = table.run_key_of(run_key)["pk"]
    items = table.query(partition, start="STEP#", before="STEP#~", consistent=consistent)
    return map(_STEPS.record, items)


def in_order(found: Iterable[Step]) -> list[Step]:
    """Return steps in the order in which they began."""
    return sorted(found, key=lambda step: (step.started_at, step.number))


def before(found: Iterable[Step], step_id: str) -> list[Step] | None:
    """Return the steps that began before this one, in order; None if it is not among them."""
    ordered = in_order(found)
    place = next((index for index, step in enumerate(ordered) if step.id == step_id), None)
    return None if place is None else ordered[:place]


def read(run_key: str, step_id: str) -> Step | None:
    """Read a step; a result in the bucket is not loaded."""
    return _STEPS.record_if(table.get(_key(run_key, step_id)))


def loaded(run_key: str, step: Step) -> Step:
    """Return the step with its result from the bucket. Raises LookupError if it has expired."""
    if not step.is_in_bucket:
        return step
    key = object_key(run_key, step.id)
    data = objects.get(key if step.result is None else f"{key}.{step.result}")
    if data is None:
        raise LookupError(f"the result of step {step.id} of run {run_key} has expired")
    return replace(step, result=data.decode())


def begin(log_key: str, step: Step, run_key: str) -> None:
    """Store that a step of the run begins, in the log of the first run that it continues.

    Raises table.ConditionFailedError if it has begun before or the run is another worker's.
    """
    is_held = journal.IS_ACTIVE & Attr("attempt").eq(step.attempt)
    table.transact(table.check(table.run_key_of(run_key), is_held), table.put(_item(log_key, step), IS_NEW))


def answered(log_key: str, step: Step) -> "WriteItem":
    """Make the put of a step that ends outside a worker: a question that has its answer.

    A worker that was replaced may have stored, by a clock of its own, that the question had expired: no run got that.
    """
    return table.put(_item(log_key, step), IS_NEW | Attr("outcome").eq("expired"))


def end(run_key: str, step: Step) -> Step:
    """Store a step that has ended; returns the one stored first, which may be another worker's."""
    stored = step
    if step.result is not None and len(data := step.result.encode()) > INLINE_BYTES:
        # By its content: a replaced worker's upload may arrive late, and must not change what is stored.
        digest = hashlib.sha256(data).hexdigest()[:32]
        objects.put(f"{object_key(run_key, step.id)}.{digest}", data, "application/json")
        stored = replace(step, result=digest, is_in_bucket=True)
    if _end(run_key, stored):
        return step
    first = read(run_key, step.id)
    if first is None or not first.has_ended:
        raise LookupError(f"step {step.id} of run {run_key} did not begin")
    return loaded(run_key, first)


def _end(run_key: str, step: Step) -> bool:
    """Store the end of a step; returns False if it had ended before."""
    has_not_ended = Attr("ms").not_exists()
    if step.retry == "never":  # it has begun
        ended = Update().set(**_STEPS.item(step))
        return table.update_returning(_key(run_key, step.id), ended, EXISTS & has_not_ended) is not None
    try:
        table.put_alone(_item(run_key, step), has_not_ended)
    except table.ConditionFailedError:
        return False
    return True


def forget(log_key: str, step: Step) -> None:
    """Delete a step that has begun, so that it may begin again; a no-op if it has ended or begun again meanwhile."""
    is_same = Attr("ms").not_exists() & Attr("started_at").eq(step.started_at)
    with suppress(table.ConditionFailedError):
        table.transact(table.delete(_key(log_key, step.id), is_same))


def object_key(run_key: str, step_id: str) -> str:
    """Return the key of a large result in the bucket."""
    return f"steps/{run_key}/{step_id}"


def _item(run_key: str, step: Step) -> table.Item:
    return {
        **_key(run_key, step.id),
        **_STEPS.item(step),
        "expires_at": clock.epoch_in(journal.EVENT_DAYS + journal.LONGEST_RUN_DAYS),
    }


def _key(run_key: str, step_id: str) -> table.Item:
    return table.run_key_of(run_key, f"STEP#{step_id}")
