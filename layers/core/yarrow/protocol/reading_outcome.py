"""How readings turned out: what `POST …/sessions/{threadId}/outcome` answers, and what the history shows."""

from collections.abc import Mapping
from typing import Final, Literal, get_args

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel

Outcome = Literal["came_true", "partly", "did_not"]
OUTCOMES: Final[tuple[Outcome, ...]] = get_args(Outcome)

# Not of a base class: each model costs a cold start of the history.
_WIRE: Final = ConfigDict(alias_generator=to_camel, populate_by_name=True, serialize_by_alias=True, frozen=True)


class SessionOutcome(BaseModel):
    """What the user recorded. `runId` is null for readings of early versions, `recordedAt` in ISO 8601."""

    model_config = _WIRE

    thread_id: str
    run_id: str | None
    outcome: Outcome
    note: str | None
    recorded_at: str


class OutcomeRecord(BaseModel):
    """The outcomes of all the user's sessions; `rate` is the share that came true, to three decimals."""

    model_config = _WIRE

    came_true: int
    partly: int
    did_not: int
    rate: float


def record_of(counts: Mapping[Outcome, int]) -> OutcomeRecord | None:
    """None if no outcome is recorded."""
    came_true, partly, did_not = (counts.get(outcome, 0) for outcome in OUTCOMES)
    total = came_true + partly + did_not
    if not total:
        return None
    return OutcomeRecord(came_true=came_true, partly=partly, did_not=did_not, rate=round(came_true / total, 3))
