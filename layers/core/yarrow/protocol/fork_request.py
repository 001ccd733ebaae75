"""The body of `POST /api/v1/agent/runs/{threadId}/fork` (STP-09)."""

from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from yarrow.protocol import request_body
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.run_ids import MAX_RUN_ID_LENGTH, is_uuid

MAX_BODY_BYTES: Final = 4_096


class ForkRequest(BaseModel):
    """The new run: its session, which it creates, its id there, and the first step that it makes itself."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="forbid", frozen=True)

    thread_id: Annotated[str, Field(json_schema_extra={"format": "uuid"})]
    run_id: Annotated[str, Field(min_length=1, max_length=MAX_RUN_ID_LENGTH)]
    step: Annotated[str, Field(min_length=1, max_length=64)]


def read_fork_request(raw: bytes) -> ForkRequest:
    """Read the request in a body. Raises Problem 413 or 422."""
    request_body.check_size(raw, MAX_BODY_BYTES, "request")
    request = request_body.read(raw, ForkRequest, Code.AGENT_RUN_INPUT_INVALID)
    if not is_uuid(request.thread_id):
        raise Problem(Code.AGENT_RUN_INPUT_INVALID, "threadId must be a valid UUID")
    return request
