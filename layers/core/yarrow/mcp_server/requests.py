"""Reads a POST to the MCP endpoint: one JSON-RPC request or notification, of the newest revision or of older ones.

A request of the newest revision names it in its `_meta` and repeats what routes it in headers, which must agree. Older
clients send `initialize` first. This server keeps nothing of that: their later requests name the revision in a header.
Source: MCP 2026-07-28, `basic/transports/streamable-http` and `basic/versioning`.
"""

import base64
import binascii
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeGuard

from starlette.datastructures import Headers

from yarrow.formats import json_text
from yarrow.mcp_server.json_rpc import (
    INITIALIZED,
    LATEST,
    WITHOUT_HEADER,
    RequestId,
    RpcCode,
    RpcError,
)

INITIALIZE: Final = "initialize"

_META: Final = "io.modelcontextprotocol/"
_VERSION: Final = f"{_META}protocolVersion"
_CAPABILITIES: Final = f"{_META}clientCapabilities"

_NAMED_BY: Final[Mapping[str, str]] = {
    "tools/call": "name",
    "prompts/get": "name",
    "resources/read": "uri",
    "tasks/get": "taskId",
    "tasks/update": "taskId",
    "tasks/cancel": "taskId",
}
"""The parameter that the header Mcp-Name repeats, by method."""

_ENCODED: Final = re.compile(r"=\?base64\?([A-Za-z0-9+/]*={0,2})\?=")
_MAX_ID_LENGTH: Final = 256


@dataclass(frozen=True, slots=True)
class McpRequest:
    """A request, or a notification if its `id` is None. `version` is its revision, `capabilities` the client's."""

    id: RequestId | None
    method: str
    params: Mapping[str, Any]
    version: str
    capabilities: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_latest(self) -> bool:
        return self.version == LATEST

    @property
    def meta(self) -> Mapping[str, Any]:
        meta = self.params.get("_meta")
        return meta if isinstance(meta, dict) else {}

    @property
    def progress_token(self) -> str | int | None:
        """Return the token by which the client wants to hear of progress."""
        token = self.meta.get("progressToken")
        return token if _is_id(token) else None

    def has_extension(self, name: str) -> bool:
        """Return whether the client declares an extension of the protocol with this request."""
        extensions = self.capabilities.get("extensions")
        return isinstance(extensions, dict) and isinstance(extensions.get(name), dict)


def read_document(raw: bytes) -> dict[str, Any]:
    """Read a body: one message with a method. Raises RpcError."""
    try:
        document = json_text.loads(raw)
        json_text.canonical(document)
    except json_text.UnreadableError as error:
        raise RpcError(RpcCode.PARSE_ERROR, f"the request body {error}") from error
    if not isinstance(document, dict) or document.get("jsonrpc") != "2.0" or "method" not in document:
        raise RpcError(RpcCode.INVALID_REQUEST, "the body must be one JSON-RPC 2.0 request or notification")
    return document


def id_of(document: Mapping[str, Any]) -> RequestId | None:
    """Return the id for the response to a message, None if it has none that is valid."""
    request_id = document.get("id")
    return request_id if _is_id(request_id) else None


def read_request(document: Mapping[str, Any], headers: Headers) -> McpRequest:
    """Check a message with the headers of its request. Raises RpcError."""
    method, params = document["method"], document.get("params", {})
    if not isinstance(method, str):
        raise RpcError(RpcCode.INVALID_REQUEST, "method must be a string")
    if "id" in document and id_of(document) is None:
        detail = f"id must be an integer, or a string of at most {_MAX_ID_LENGTH} characters"
        raise RpcError(RpcCode.INVALID_REQUEST, detail)
    if not isinstance(params, dict):
        raise RpcError(RpcCode.INVALID_PARAMS, "params must be an object")
    named = _one(headers, "mcp-protocol-version")
    request = McpRequest(id_of(document), method, params, named or WITHOUT_HEADER)
    if _VERSION not in request.meta and method == INITIALIZE:
        return replace(request, version=WITHOUT_HEADER)
    if _VERSION not in request.meta and (named is None or named in INITIALIZED):
        return request
    if request.id is None:
        _check_version(named or str(request.meta.get(_VERSION)))
        return request
    return _checked(request, headers)


def _checked(request: McpRequest, headers: Headers) -> McpRequest:
    """Check a request of the newest revision, or of one that is not known."""
    meta = request.meta
    if _VERSION not in meta and request.version != LATEST:
        _check_version(request.version)
    if missing := [name for name in (_VERSION, _CAPABILITIES) if name not in meta]:
        raise RpcError(RpcCode.INVALID_PARAMS, f"params._meta must have {' and '.join(missing)}")
    version, capabilities = meta[_VERSION], meta[_CAPABILITIES]
    if not isinstance(capabilities, dict):
        raise RpcError(RpcCode.INVALID_PARAMS, f"params._meta: {_CAPABILITIES} must be an object")
    _check_header(headers, "MCP-Protocol-Version", version)
    _check_header(headers, "Mcp-Method", request.method)
    _check_version(version)
    if (member := _NAMED_BY.get(request.method)) is not None and isinstance(request.params.get(member), str):
        _check_header(headers, "Mcp-Name", request.params[member])
    return McpRequest(request.id, request.method, request.params, version, capabilities)


def _check_version(version: Any) -> None:
    if version != LATEST and version not in INITIALIZED:
        data = {"supported": [LATEST, *INITIALIZED], "requested": version}
        raise RpcError(RpcCode.UNSUPPORTED_VERSION, "unsupported protocol version", data)
    if version != LATEST:
        data = {"supported": [LATEST], "requested": version}
        raise RpcError(RpcCode.UNSUPPORTED_VERSION, f"{version} begins with initialize", data)


def _check_header(headers: Headers, name: str, value: Any) -> None:
    sent = _one(headers, name)
    if sent is None or _decoded(sent) != value:
        raise RpcError(RpcCode.HEADER_MISMATCH, f"the header {name} must be there once and repeat the body")


def _one(headers: Headers, name: str) -> str | None:
    values = headers.getlist(name)
    return values[0].strip() if len(values) == 1 else None


def _decoded(value: str) -> str | None:
    """Decode a header's value that has other characters than ASCII; None if it cannot be read."""
    encoded = _ENCODED.fullmatch(value)
    if encoded is None:
        return value
    try:
        return base64.b64decode(encoded[1], validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return None


def _is_id(value: object) -> TypeGuard[RequestId]:
    if isinstance(value, str):
        return len(value) <= _MAX_ID_LENGTH
    return isinstance(value, int) and not isinstance(value, bool)
