"""Bodies of `/api/v1/mcp-connections`: users' sign-ins to MCP servers of agents, and what came of them (MCP-01)."""

from typing import Annotated, Final, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from yarrow.protocol import request_body
from yarrow.protocol.problems import Code
from yarrow.protocol.response_body import Body

MAX_BODY_BYTES: Final = 16_384

_Body = TypeVar("_Body", bound=BaseModel)


class _Request(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="forbid", frozen=True)


class SignInStart(_Request):
    """The MCP server that the caller wants to sign in to, as an agent of the deployment knows it."""

    agent: Annotated[str, Field(min_length=1, max_length=64)]
    server: Annotated[str, Field(min_length=1, max_length=32)]


class SignInEnd(_Request):
    """What the authorization server has added to the console's address: `state`, with `code` or `error`."""

    state: Annotated[str, Field(min_length=1, max_length=200)]
    code: Annotated[str, Field(min_length=1, max_length=4_096)] | None = None
    iss: Annotated[str, Field(max_length=2_000)] | None = None
    error: Annotated[str, Field(max_length=200)] | None = None


class McpSignIn(Body, frozen=True, kw_only=True):
    """Where the caller's browser goes to sign in, which has to be done by `expires_at`."""

    authorization_url: str
    expires_at: str


class McpConnection(Body, frozen=True, kw_only=True):
    """A connection of the caller to the server on a host. One that has lapsed needs another sign-in."""

    id: str
    host: str
    issuer: str
    status: Literal["active", "lapsed"]
    created_at: str
    updated_at: str


class McpServerOffer(Body, frozen=True, kw_only=True):
    """A server that an agent may use for callers who sign in to it. `connection_id` is that of the caller's connection
    to it.
    """

    agent: str
    server: str
    host: str
    connection_id: str | None = None


class McpConnectionList(Body, frozen=True, kw_only=True):
    """The caller's connections, oldest first, and the servers that they can sign in to."""

    connections: tuple[McpConnection, ...]
    servers: tuple[McpServerOffer, ...]


def read_start(raw: bytes) -> SignInStart:
    """Read which server the caller wants. Raises Problem 413 or 422."""
    return _read(raw, SignInStart)


def read_end(raw: bytes) -> SignInEnd:
    """Read what the authorization server has answered. Raises Problem 413 or 422."""
    return _read(raw, SignInEnd)


def _read(raw: bytes, body: type[_Body]) -> _Body:
    request_body.check_size(raw, MAX_BODY_BYTES, "body")
    return request_body.read(raw, body, Code.MCP_CONNECTION_INVALID)
