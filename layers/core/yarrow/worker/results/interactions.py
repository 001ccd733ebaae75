"""A runner's requests of interactions: one is a question to its user when the run has ended (ASK-05).

Unlike `api.ask`, nothing waits: the run ends as any other, and the submission is the event of a further run.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from pydantic import ValidationError

from yarrow.protocol import interactions
from yarrow.protocol.runner.interactions import InteractionRequest
from yarrow.protocol.runner.questions import DEFAULT_EXPIRY, MAX_EXPIRY
from yarrow.services.steps.step_log import key_of

MIN_EXPIRY: Final = 10
"""Seconds."""


@dataclass(frozen=True, slots=True)
class Interaction:
    """A valid request. `asked` is None if its user can only be shown its text."""

    request: InteractionRequest
    asked: interactions.InteractionQuestion | None
    expires_in: int
    """Seconds."""

    @property
    def message(self) -> str:
        """What the user is asked."""
        return "\n\n".join(filter(None, (self.request.title, self.request.description)))

    def message_id(self, log_key: str) -> str:
        """Return the id of the message that shows it as text, the same from each worker."""
        return key_of(log_key, self.step_id)

    @property
    def step_id(self) -> str:
        """Return what identifies it among the run's questions."""
        return f"interaction/{self.request.interaction_id}"


def read(payload: dict[str, Any], *, may_ask: bool) -> Interaction:
    """Read a request. Raises ValueError if it is malformed or has expired."""
    try:
        request = InteractionRequest.model_validate(payload)
    except ValidationError as error:
        raise ValueError("malformed interaction") from error
    seconds = DEFAULT_EXPIRY
    if request.expires_at is not None:
        seconds = min(MAX_EXPIRY, int(request.expires_at - datetime.now(UTC).timestamp()))
    if seconds < MIN_EXPIRY:
        raise ValueError("the interaction has expired")
    return Interaction(request, interactions.question_of(request) if may_ask else None, seconds)
