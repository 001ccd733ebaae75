"""MCP servers whose tools an agent may use, as its block in the agents' file names them (MCP-01)."""

import hashlib
import re
from collections.abc import Mapping
from typing import Annotated, Final, Self
from urllib.parse import urlsplit

from pydantic import Field, JsonValue, StringConstraints, field_validator, model_validator

from yarrow.agents.tool_policies import Policy, ToolPolicy
from yarrow.protocol.runner.vocabulary import Retry

MAX_SERVERS: Final = 8
MAX_TOOLS: Final = 32
"""Tools of one server."""

_NAME_LENGTH: Final = 64
"""The longest tool name that every model provider takes."""
_DIGEST_LENGTH: Final = 8
_UNUSABLE: Final = re.compile(r"[^A-Za-z0-9_-]")

ServerName = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9-]{0,31}$")]
ToolId = Annotated[str, StringConstraints(pattern=r"^\S+$", max_length=128)]
HeaderName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9-]{1,64}$")]

_OWN_HEADERS: Final = frozenset({"accept", "content-length", "content-type", "host", "transfer-encoding"})
_CREDENTIALS: Final = frozenset({"authorization", "cookie", "proxy-authorization"})


class McpTool(ToolPolicy):
    """A tool, by its name on the server. Without `retry`, a call whose outcome is unknown is not repeated (STP-03)."""

    id: ToolId
    retry: Retry = "never"


class ClientSecret(Policy):
    """The name of a secret, as in `{secret: NAME}`."""

    secret: str


class McpOAuth(Policy):
    """Each user signs in to the server. Without `client_id`, Yarrow registers at the authorization server; without
    `scopes`, those are asked for that the server names.
    """

    client_id: Annotated[str, StringConstraints(pattern=r"^[!-~]+$", max_length=500)] | None = None
    client_secret: ClientSecret | None = None
    scopes: Annotated[
        tuple[Annotated[str, StringConstraints(pattern=r"^[!#-\[\]-~]+$", max_length=200)], ...], Field(max_length=40)
    ] = ()

    @model_validator(mode="after")
    def _has_whole_client(self) -> Self:
        if self.client_secret is not None and self.client_id is None:
            raise ValueError("client_secret is of a client_id")
        return self


class McpServer(Policy):
    """A server by its address. Only `tools` are offered; `seconds` are for one call.

    Values of `headers` are texts or `{secret: NAME}`. `private` allows an address in a private network.
    """

    url: Annotated[str, StringConstraints(max_length=2_000)]
    headers: dict[HeaderName, JsonValue] = Field(default_factory=dict, max_length=20)
    tools: Annotated[tuple[McpTool, ...], Field(min_length=1, max_length=MAX_TOOLS)]
    private: bool = False
    oauth: McpOAuth | None = None
    seconds: Annotated[int, Field(ge=1, le=50)] = 30
    """Less than a worker waits for calls under way when it hands over."""

    @field_validator("url")
    @classmethod
    def _is_an_address(cls, url: str) -> str:
        parts = urlsplit(url)
        if parts.scheme not in ("https", "http") or not parts.hostname or "@" in parts.netloc or parts.fragment:
            raise ValueError("is no http(s) address without user and fragment")
        return url

    @field_validator("headers")
    @classmethod
    def _are_free(cls, headers: dict[str, JsonValue]) -> dict[str, JsonValue]:
        taken = [name for name in headers if name.lower() in _OWN_HEADERS or name.lower().startswith("mcp-")]
        if taken:
            raise ValueError(f"{', '.join(taken)} is set by the protocol")
        for name, value in headers.items():
            if not isinstance(value, str) and not (isinstance(value, dict) and value.keys() == {"secret"}):
                raise ValueError("a value is a text or {secret: NAME}")
            if isinstance(value, str) and name.lower() in _CREDENTIALS:
                raise ValueError(f"{name} looks like a secret: keep it elsewhere and write {{secret: NAME}} here")
            if isinstance(value, str) and not (value.isascii() and value.isprintable()):
                raise ValueError("a value has printable ASCII characters")
        if len({name.lower() for name in headers}) != len(headers):
            raise ValueError("a header is named twice")
        return headers

    @model_validator(mode="after")
    def _names_tools_once(self) -> Self:
        ids = [tool.id for tool in self.tools]
        if len(set(ids)) != len(ids):
            raise ValueError("tools names one twice")
        if self.oauth is not None and any(name.lower() == "authorization" for name in self.headers):
            raise ValueError("oauth: the header Authorization is that of the user's token")
        return self


def tool_name(server: str, tool: str) -> str:
    """Return the name under which models know a server's tool: at most 64 of `A-Za-z0-9_-`, one for each tool."""
    plain = f"{server}_{tool}"
    name = _UNUSABLE.sub("_", plain)
    if name == plain and len(name) <= _NAME_LENGTH:
        return name
    digest = hashlib.sha256(plain.encode()).hexdigest()[:_DIGEST_LENGTH]
    return f"{name[: _NAME_LENGTH - _DIGEST_LENGTH - 1]}_{digest}"


def named(servers: Mapping[str, McpServer]) -> dict[str, tuple[str, McpTool]]:
    """Return server and tool by the tool's name for models. Raises ValueError if two have one name."""
    found: dict[str, tuple[str, McpTool]] = {}
    for server, policy in servers.items():
        for tool in policy.tools:
            name = tool_name(server, tool.id)
            if name in found:
                raise ValueError(f"mcp.{server}: {tool.id} has the name of another tool, {name}")
            found[name] = (server, tool)
    return found
