"""The request for a workspace ticket and its response (C52)."""

from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from yarrow.protocol import request_body
from yarrow.protocol.problems import Code

MAX_TASK_NAME_LENGTH: Final = 128


class _Wire(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, serialize_by_alias=True, frozen=True)


class TicketRequest(_Wire):
    """The task whose workspace the ticket opens."""

    task_name: Annotated[str, Field(min_length=1, max_length=MAX_TASK_NAME_LENGTH)]


class Ticket(_Wire):
    """A ticket, the WebSocket address with it, and the seconds it waits for its connection."""

    ticket: str
    url: str
    expires_in: int


def read_ticket_request(raw: bytes) -> TicketRequest:
    """Read the request in a body. Raises Problem 422."""
    return request_body.read(raw, TicketRequest, Code.AGENT_WORKSPACE_TICKET_INVALID)
