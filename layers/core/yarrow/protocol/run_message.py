"""The body of `POST /api/v1/agent/runs/{threadId}/messages` and its answer (RNR-87)."""

from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field

from yarrow.protocol import request_body
from yarrow.protocol.problems import Code
from yarrow.protocol.response_body import Body
from yarrow.protocol.run_ids import MAX_RUN_ID_LENGTH
from yarrow.protocol.run_input.body import MAX_USER_TEXT_LENGTH

MAX_BODY_BYTES: Final = 65_536


class RunMessage(BaseModel):
    """A message that the user adds to a run which goes on: its id, unique in the session, and its text."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: Annotated[str, Field(min_length=1, max_length=MAX_RUN_ID_LENGTH)]
    content: Annotated[str, Field(min_length=1, max_length=MAX_USER_TEXT_LENGTH, pattern=r"\S")]


class RunMessageAccepted(Body, frozen=True, kw_only=True):
    """The message is accepted: `place` counts those that were added to the run, from 1."""

    thread_id: str
    run_id: str
    id: str
    place: int


def read_run_message(raw: bytes) -> RunMessage:
    """Read the message in a body. Raises Problem 413 or 422."""
    request_body.check_size(raw, MAX_BODY_BYTES, "message")
    return request_body.read(raw, RunMessage, Code.AGENT_RUN_MESSAGES_INVALID)
