"""The body of `POST /api/v1/agent/sessions/{threadId}/outcome`."""

from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from pydantic.alias_generators import to_camel

from yarrow.protocol import request_body
from yarrow.protocol.problems import Code
from yarrow.protocol.reading_outcome import Outcome
from yarrow.protocol.run_ids import MAX_RUN_ID_LENGTH

MAX_NOTE_LENGTH: Final = 500
"""The most characters of a note."""
MAX_BODY_BYTES: Final = 8_192


class OutcomeRequest(BaseModel):
    """How a reading turned out: that of `runId`, else the latest reading of the session."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="forbid", frozen=True)

    outcome: Outcome
    note: Annotated[str, StringConstraints(strip_whitespace=True, max_length=MAX_NOTE_LENGTH)] | None = None
    run_id: Annotated[str, Field(min_length=1, max_length=MAX_RUN_ID_LENGTH)] | None = None


def read_outcome_request(raw: bytes) -> OutcomeRequest:
    """Read the request in a body. Raises Problem 413 or 422."""
    request_body.check_size(raw, MAX_BODY_BYTES, "outcome")
    return request_body.read(raw, OutcomeRequest, Code.AGENT_OUTCOME_INVALID)
