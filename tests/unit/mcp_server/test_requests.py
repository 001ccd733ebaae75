"""What a message to the MCP endpoint must be, in both eras."""

import json
from typing import Any

import pytest
from starlette.datastructures import Headers

from tests.support.mcp_client import LATEST, META, envelope
from yarrow.mcp_server.json_rpc import INITIALIZED, RpcCode, RpcError
from yarrow.mcp_server.requests import McpRequest, read_document, read_request

LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": envelope()}}
CALL = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "ask_a", "_meta": envelope()}}
HEADERS = {"MCP-Protocol-Version": LATEST, "Mcp-Method": "tools/list"}
OF_CALL = {**HEADERS, "Mcp-Method": "tools/call"}


def read(document: Any, *headers: tuple[str, str]) -> McpRequest:
    raw = [(name.lower().encode(), value.encode()) for name, value in headers]
    return read_request(read_document(json.dumps(document).encode()), Headers(raw=raw))


def refusal(document: Any, headers: dict[str, str]) -> RpcError:
    with pytest.raises(RpcError) as caught:
        read(document, *headers.items())
    return caught.value


def test_a_request_of_the_newest_revision_is_read() -> None:
    """MCP-02."""
    request = read({**LIST, "params": {"_meta": envelope(extensions={"x": {}})}}, *HEADERS.items())
    assert (request.id, request.method, request.version) == (1, "tools/list", LATEST)
    assert request.has_extension("x")
    assert not request.has_extension("y")


@pytest.mark.parametrize("version", [None, *INITIALIZED])
def test_a_request_of_an_older_revision_is_read(version: str | None) -> None:
    """MCP-02: a request without the header is of the revision before there was one."""
    headers = [] if version is None else [("MCP-Protocol-Version", version)]
    request = read({"jsonrpc": "2.0", "id": "a", "method": "tools/list"}, *headers)
    assert (request.version, request.is_latest) == (version or "2025-03-26", False)


def test_initialize_is_of_an_older_revision_whatever_the_header_says() -> None:
    """MCP-02."""
    message = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": LATEST}}
    assert not read(message, ("MCP-Protocol-Version", LATEST)).is_latest


@pytest.mark.parametrize(
    ("value", "name"),
    [("ask_a", "ask_a"), ("=?base64?YXNrX2E=?=", "ask_a"), ("=?base64?6ZmE?=", "附")],
)
def test_a_name_may_be_encoded_in_its_header(value: str, name: str) -> None:
    """MCP-02."""
    message = {**CALL, "params": {**CALL["params"], "name": name}}  # type: ignore[dict-item]
    assert read(message, *OF_CALL.items(), ("Mcp-Name", value)).params["name"] == name


@pytest.mark.parametrize(
    "headers",
    [
        {"Mcp-Method": "tools/list"},
        {"MCP-Protocol-Version": LATEST},
        {**HEADERS, "MCP-Protocol-Version": "2025-11-25"},
        {**HEADERS, "Mcp-Method": "tools/call"},
        {**HEADERS, "Mcp-Method": "TOOLS/LIST"},
    ],
)
def test_headers_repeat_the_body(headers: dict[str, str]) -> None:
    """MCP-02: what routes a request is what is answered."""
    assert refusal(LIST, headers).code is RpcCode.HEADER_MISMATCH


@pytest.mark.parametrize("name", [None, "ask_b", "=?base64?YXNrX2I=?=", "=?base64?!?=", "=?base64?/w==?="])
def test_the_name_in_the_header_is_that_of_the_body(name: str | None) -> None:
    """MCP-02."""
    headers = OF_CALL if name is None else {**OF_CALL, "Mcp-Name": name}
    assert refusal(CALL, headers).code is RpcCode.HEADER_MISMATCH


def test_a_header_that_is_there_twice_does_not_count() -> None:
    """MCP-02: a proxy and this server might take different ones."""
    with pytest.raises(RpcError) as caught:
        read(LIST, *HEADERS.items(), ("Mcp-Method", "tools/list"))
    assert caught.value.code is RpcCode.HEADER_MISMATCH


@pytest.mark.parametrize("version", ["1999-01-01", "2027-01-01", "x" * 100])
def test_an_unknown_revision_is_told_the_known_ones(version: str) -> None:
    """MCP-02: with the header alone, and with the body."""
    error = refusal({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, {"MCP-Protocol-Version": version})
    assert (error.code, error.data) == (
        RpcCode.UNSUPPORTED_VERSION,
        {"supported": [LATEST, *INITIALIZED], "requested": version},
    )
    meta = {**envelope(), f"{META}protocolVersion": version}
    error = refusal({**LIST, "params": {"_meta": meta}}, {**HEADERS, "MCP-Protocol-Version": version})
    assert error.code is RpcCode.UNSUPPORTED_VERSION


@pytest.mark.parametrize("name", ["protocolVersion", "clientCapabilities"])
def test_a_request_of_the_newest_revision_says_who_asks(name: str) -> None:
    """MCP-02."""
    meta = {key: value for key, value in envelope().items() if key != META + name}
    assert refusal({**LIST, "params": {"_meta": meta}}, HEADERS).code is RpcCode.INVALID_PARAMS


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"\xff", b"[" * 5_000, b'{"a":1,"a":2}', b"NaN", b"\xef\xbb\xbf{}", b'"\\ud800"'],
)
def test_what_is_no_json_is_a_parse_error(body: bytes) -> None:
    """MCP-02."""
    with pytest.raises(RpcError) as caught:
        read_document(body)
    assert caught.value.code is RpcCode.PARSE_ERROR


@pytest.mark.parametrize(
    "document",
    [
        [],
        [LIST],
        "tools/list",
        None,
        {"jsonrpc": "2.0", "id": 1, "result": {}},
        {"jsonrpc": "1.0", "id": 1, "method": "ping"},
        {"id": 1, "method": "ping"},
        {"jsonrpc": "2.0", "id": 1, "method": 1},
        {"jsonrpc": "2.0", "id": None, "method": "ping"},
        {"jsonrpc": "2.0", "id": 1.5, "method": "ping"},
        {"jsonrpc": "2.0", "id": True, "method": "ping"},
        {"jsonrpc": "2.0", "id": "x" * 257, "method": "ping"},
    ],
)
def test_what_is_no_request_is_an_invalid_one(document: Any) -> None:
    """MCP-02: a batch or a response is none either."""
    assert refusal(document, {}).code is RpcCode.INVALID_REQUEST


@pytest.mark.parametrize("params", [[], "a", None, 1])
def test_params_are_an_object(params: Any) -> None:
    """MCP-02."""
    assert refusal({**LIST, "params": params}, HEADERS).code is RpcCode.INVALID_PARAMS


@pytest.mark.parametrize(("token", "expected"), [("a", "a"), (7, 7), (True, None), ({}, None), ("x" * 300, None)])
def test_a_progress_token_is_a_text_or_a_number(token: Any, expected: Any) -> None:
    """MCP-02."""
    request = McpRequest(1, "tools/call", {"_meta": {"progressToken": token}}, LATEST)
    assert request.progress_token == expected
