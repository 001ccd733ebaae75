"""What a run's models were asked and answered, and what it was refused, for its author (STP-10).

It is stored only where the deployment or the agent's block wants that, and goes with the run's events, or with its
session.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from yarrow.store import clock, journal, table
from yarrow.store.items.records import JSON, Codec, in_key, stored_as
from yarrow.store.items.updates import IS_NEW, Attr, Condition

MAX_REFUSALS: Final = 64
"""Places for refusals of a run: an equal refusal has the same place, and the first in a place stays."""


@dataclass(frozen=True, slots=True)
class CallContents:
    """The contents of a call of a model, the step of this id; `contents` is as `yarrow.services.contents` makes it."""

    step: str = field(metadata=in_key("sk", "CONTENTS#"))
    attempt: int
    contents: Mapping[str, Any] = field(metadata=stored_as("contents", JSON))


@dataclass(frozen=True, slots=True)
class Refusal:
    """A call that was refused before it began, the first of its kind in a worker `attempt`."""

    place: str = field(metadata=in_key("sk", "REFUSED#"))
    attempt: int
    refused_at: str
    action: str = field(metadata=stored_as("runner_action"))
    code: str
    message: str
    name: str | None = field(default=None, metadata=stored_as("resource_name"))


_CONTENTS: Final = Codec(CallContents)
_REFUSALS: Final = Codec(Refusal)


def keep(log_key: str, contents: CallContents) -> None:
    """Store the contents of a call, unless a later worker has made it again."""
    attempt = Attr("attempt")
    _put(
        log_key,
        _CONTENTS.item(contents),
        f"CONTENTS#{contents.step}",
        attempt.not_exists() | attempt.lte(contents.attempt),
    )


def read(log_key: str, step_id: str) -> CallContents | None:
    """Read the contents of a call; None if they were not kept, or have expired."""
    return _CONTENTS.record_if(table.get(table.run_key_of(log_key, f"CONTENTS#{step_id}")))


def place_of(action: str, name: str | None, code: str) -> str:
    """Return the place of a refusal."""
    digest = hashlib.sha256(f"{action} {name} {code}".encode()).digest()
    return f"{digest[0] % MAX_REFUSALS:02d}"


def refuse(run_key: str, refusal: Refusal) -> None:
    """Store a refusal, unless there is one in its place."""
    _put(run_key, _REFUSALS.item(refusal), f"REFUSED#{refusal.place}", IS_NEW)


def refusals(run_key: str) -> list[Refusal]:
    """Read what a run was refused, the first first."""
    items = table.query(table.run_key_of(run_key)["pk"], start="REFUSED#", before="REFUSED#~", consistent=False)
    return sorted(map(_REFUSALS.record, items), key=lambda refusal: refusal.refused_at)


def delete(run_key: str) -> None:
    """Delete what a run's models were asked and answered, of the steps in its log, and what it was refused."""
    partition = table.run_key_of(run_key)["pk"]
    for prefix in ("CONTENTS#", "REFUSED#"):
        for key in table.query(partition, start=prefix, before=f"{prefix}~", attributes=("pk", "sk")):
            table.delete_alone(key)


def _put(run_key: str, item: table.Item, name: str, condition: Condition) -> None:
    expires_at = clock.epoch_in(journal.EVENT_DAYS + journal.LONGEST_RUN_DAYS)
    try:
        table.put_alone({**table.run_key_of(run_key, name), **item, "expires_at": expires_at}, condition)
    except table.ConditionFailedError:
        return
