"""JSON-RPC 2.0 as MCP uses it: error codes with their HTTP status, responses and notifications.

Source: MCP 2026-07-28, `basic/index`, `basic/transports/streamable-http`; JSON-RPC 2.0, section 5.
"""

from collections.abc import Mapping
from enum import Enum
from typing import Any, Final

Document = dict[str, Any]
RequestId = str | int

LATEST: Final = "2026-07-28"
"""The newest revision: every request stands alone."""

INITIALIZED: Final = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
"""The revisions whose clients begin with `initialize`, newest first."""

WITHOUT_HEADER: Final = "2025-03-26"
"""The revision of a request without MCP-Protocol-Version, which came later."""


class RpcCode(Enum):
    """Error codes; `status` is that of HTTP, which clients of `INITIALIZED` get for unreadable messages only."""

    PARSE_ERROR = -32700, 400
    INVALID_REQUEST = -32600, 400
    METHOD_NOT_FOUND = -32601, 404
    INVALID_PARAMS = -32602, 400
    INTERNAL_ERROR = -32603, 200
    HEADER_MISMATCH = -32020, 400
    RESOURCE_NOT_FOUND = -32002, 200
    """Of revisions before the newest."""
    MISSING_CAPABILITY = -32021, 400
    UNSUPPORTED_VERSION = -32022, 400

    def __init__(self, number: int, status: int) -> None:
        self.number = number
        self.status = status


UNREADABLE: Final = frozenset({RpcCode.PARSE_ERROR, RpcCode.INVALID_REQUEST, RpcCode.UNSUPPORTED_VERSION})
"""The errors of messages that are not answered as requests."""


class RpcError(Exception):
    """A request is refused; the message and `data` are public."""

    def __init__(self, code: RpcCode, message: str, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data

    def response(self, request_id: RequestId | None) -> Document:
        """Return the response to a request; its id is null if it could not be read."""
        error: Document = {"code": self.code.number, "message": self.message}
        if self.data is not None:
            error["data"] = dict(self.data)
        return {"jsonrpc": "2.0", "id": request_id, "error": error}


def response(request_id: RequestId, result: Mapping[str, Any]) -> Document:
    return {"jsonrpc": "2.0", "id": request_id, "result": dict(result)}


def notification(method: str, params: Mapping[str, Any]) -> Document:
    return {"jsonrpc": "2.0", "method": method, "params": dict(params)}
