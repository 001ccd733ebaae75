"""How readings turned out: what `POST …/sessions/{threadId}/outcome` answers, and what the history shows."""

from collections.abc import Mapping
from typing import Final, Literal, get_args

from yarrow.protocol.response_body import Body

Outcome = Literal["came_true", "partly", "did_not"]
OUTCOMES: Final[tuple[Outcome, ...]] = get_args(Outcome)


class SessionOutcome(Body, frozen=True, kw_only=True):
    """What the user recorded. `runId` is null for readings of early versions, `recordedAt` in ISO 8601."""

    thread_id: str
    run_id: str | None
    outcome: Outcome
    note: str | None
    recorded_at: str


class OutcomeRecord(Body, frozen=True, kw_only=True):
    """The outcomes of all the user's sessions; `rate` is the share that came true, to three decimals."""

    came_true: int
    partly: int
    did_not: int
    rate: float


def record_of(counts: Mapping[Outcome, int]) -> OutcomeRecord | None:
    """Make the record of a user's outcomes, None if there are none."""
    came_true, partly, did_not = (counts.get(outcome, 0) for outcome in OUTCOMES)
    total = came_true + partly + did_not
    if not total:
        return None
    return OutcomeRecord(came_true=came_true, partly=partly, did_not=did_not, rate=round(came_true / total, 3))
