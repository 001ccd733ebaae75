"""Requests to the MCP endpoint that are not as they should be: each gets its answer, and nothing is told or lost."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as examples_of
from hypothesis import strategies as st

from tests.support.effort import examples
from tests.support.functions.payloads import with_header
from tests.support.mcp_client import LATEST, McpClient, Reply, envelope
from tests.support.runners.scripted import DONE, Use, completed
from yarrow.mcp_server.endpoint import MAX_BODY_BYTES
from yarrow.settings import settings

pytestmark = [pytest.mark.usefixtures("aws"), pytest.mark.memory]

PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
LOCAL = "http://127.0.0.1:3000/mcp"
HIDDEN = ("Traceback", "/layers/", "site-packages", "yarrow.mcp_server", "Error:")


def sent(client: McpClient, body: str = PING, **headers: str) -> Reply:
    event = client.case.payload("api_gateway_send_mcp_message") | {"body": body}
    for name in ("MCP-Protocol-Version", "Mcp-Method"):
        event["headers"].pop(name)
        event["multiValueHeaders"].pop(name)
    for name, value in headers.items():
        event = with_header(event, name.replace("_", "-"), value)
    return client.send(event)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("", -32700),
        ("{", -32700),
        ("[" * 100_000, -32700),
        ('{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', -32700),
        ("null", -32600),
        (f"[{PING}]", -32600),
        ('{"jsonrpc":"2.0","id":1,"result":{}}', -32600),
        ('{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600),
    ],
)
def test_what_is_no_message_is_told_so(body: str, code: int, mcp: McpClient) -> None:
    """MCP-02: with the status 400, in both eras."""
    reply = sent(mcp, body)
    assert (reply.status, reply.messages[0]["error"]["code"], reply.messages[0]["id"]) == (400, code, None)


@pytest.mark.parametrize("method", ["", "ping", "initialize", "logging/setLevel", "tools", "__init__", "x" * 1_000])
def test_a_method_that_the_newest_revision_does_not_have_is_not_found(method: str, mcp: McpClient) -> None:
    """MCP-02: those of older revisions neither."""
    meta = {"params": {"_meta": envelope()}}
    message = json.dumps({"jsonrpc": "2.0", "id": "a", "method": method, **meta})
    headers = {"MCP_Protocol_Version": LATEST, "Mcp_Method": method}
    reply = sent(mcp, message, **headers)
    assert reply.error[:2] == (404, -32601)
    assert reply.messages[0]["id"] == "a"


@pytest.mark.parametrize("method", ["server/discover", "tasks/get", "prompts/list", "completion/complete", "x"])
def test_a_method_that_older_revisions_do_not_have_is_not_found(method: str) -> None:
    """MCP-02: with the status 200, as their transport has it."""
    assert McpClient(version="2025-11-25").request(method).error[:2] == (200, -32601)


@pytest.mark.parametrize("method", ["notifications/initialized", "notifications/cancelled", "notifications/x"])
def test_a_notification_is_accepted(method: str, mcp: McpClient) -> None:
    """MCP-02: one that names a request cancels nothing, for ids are of a client and not of a user."""
    message = json.dumps({"jsonrpc": "2.0", "method": method, "params": {"requestId": 1}})
    for headers in ({}, {"MCP_Protocol_Version": LATEST}, {"MCP_Protocol_Version": "2025-11-25"}):
        reply = sent(mcp, message, **headers)
        assert (reply.status, reply.body) == (202, b"")


@pytest.mark.parametrize(
    ("asked", "agreed"),
    [("2025-11-25", "2025-11-25"), ("2024-11-05", "2024-11-05"), (LATEST, "2025-11-25"), ("1.0", "2025-11-25")],
)
def test_initialize_agrees_on_a_revision(asked: str, agreed: str, mcp: McpClient) -> None:
    """MCP-02: that of the client if it is known, else the newest that begins so; no session is made."""
    params = {"protocolVersion": asked, "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}
    reply = sent(mcp, json.dumps({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}))
    assert reply.result["protocolVersion"] == agreed
    assert reply.messages[0]["id"] == 0
    assert "mcp-session-id" not in reply.headers
    assert sent(mcp, '{"jsonrpc":"2.0","id":1,"method":"initialize"}').error[:2] == (200, -32602)


@pytest.mark.parametrize(
    ("headers", "status", "code"),
    [
        ({"Accept": "text/html"}, 406, "REQUEST_ACCEPT_UNSUPPORTED"),
        ({"Accept": "application/json"}, 406, "REQUEST_ACCEPT_UNSUPPORTED"),
        ({"Content_Type": "text/plain"}, 415, "REQUEST_CONTENT_TYPE_UNSUPPORTED"),
        ({"Content_Type": "application/x-www-form-urlencoded"}, 415, "REQUEST_CONTENT_TYPE_UNSUPPORTED"),
    ],
)
def test_what_http_refuses_is_a_problem(headers: dict[str, str], status: int, code: str, mcp: McpClient) -> None:
    """MCP-02, ERR-01."""
    assert sent(mcp, **headers).problem == (status, code)


def test_a_message_has_a_limit(mcp: McpClient) -> None:
    """MCP-02."""
    assert sent(mcp, PING + " " * MAX_BODY_BYTES).problem == (413, "REQUEST_TOO_LARGE")


@pytest.mark.parametrize(
    "accept", ["*/*", "application/json, text/event-stream", "text/event-stream;q=0.5,application/json"]
)
def test_who_takes_both_forms_is_answered(accept: str, mcp: McpClient) -> None:
    """MCP-02."""
    assert sent(mcp, Accept=accept).result == {}


@pytest.mark.parametrize("method", ["get_mcp", "delete_mcp"])
def test_there_is_no_stream_and_no_session(method: str, mcp: McpClient) -> None:
    """MCP-02."""
    reply = mcp.send(mcp.case.payload(f"api_gateway_{method}"))
    assert (reply.problem, reply.headers["allow"]) == ((405, "REQUEST_METHOD_UNSUPPORTED"), "POST")


@pytest.mark.parametrize(
    ("cors_origin", "origin", "is_taken"),
    [
        ("*", "https://anywhere.example", True),
        ("https://app.example.com", "https://app.example.com", True),
        ("https://app.example.com", "https://evil.example", False),
        ("https://app.example.com", "null", False),
        ("https://app.example.com", "https://app.example.com.evil.example", False),
    ],
)
def test_pages_of_other_origins_are_refused(
    cors_origin: str, origin: str, is_taken: bool, mcp: McpClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """MCP-02, SEC-02."""
    monkeypatch.setitem(settings.__dict__, "cors_origin", cors_origin)
    reply = sent(mcp, Origin=origin)
    assert reply.status == (200 if is_taken else 403)
    assert is_taken or reply.problem == (403, "REQUEST_ORIGIN_FORBIDDEN")


@pytest.mark.parametrize(
    ("headers", "is_taken"),
    [
        ({"Host": "127.0.0.1:3000"}, True),
        ({"Host": "localhost:3000", "Origin": "http://localhost:3000"}, True),
        ({"Host": "evil.example"}, False),
        ({"Host": "127.0.0.1.evil.example:3000"}, False),
        ({"Host": "127.0.0.1:3000", "Origin": "http://evil.example"}, False),
        ({"Host": "127.0.0.1:3000", "Origin": "null"}, False),
        ({"Host": "127.0.0.1:3000", "Origin": "http://["}, False),
    ],
)
def test_no_page_reaches_this_machine_by_another_name(
    headers: dict[str, str], is_taken: bool, mcp: McpClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """MCP-02: DNS rebinding."""
    monkeypatch.setitem(settings.__dict__, "mcp_url", LOCAL)
    assert sent(mcp, **headers).status == (200 if is_taken else 403)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=12,
)
METHODS = st.sampled_from(
    [
        "tools/call",
        "tools/list",
        "resources/read",
        "resources/list",
        "tasks/get",
        "tasks/update",
        "tasks/cancel",
        "initialize",
    ]
)
PARAMS = st.fixed_dictionaries(
    {},
    optional={
        "name": st.sampled_from(["ask_assistant", "cast_hexagram", "read_hexagram"]) | JSON,
        "arguments": st.fixed_dictionaries(
            {}, optional={"message": JSON, "threadId": JSON, "question": JSON, "lines": JSON}
        )
        | JSON,
        "uri": st.text(max_size=40) | JSON,
        "cursor": JSON,
        "taskId": JSON,
        "inputResponses": JSON,
        "requestState": JSON,
        "protocolVersion": JSON,
    },
)


@given(METHODS, PARAMS, st.booleans(), JSON)
@examples_of(
    max_examples=examples(60),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_whatever_is_sent_gets_an_answer_that_tells_nothing(
    method: str, params: dict[str, Any], is_latest: bool, extensions: Any
) -> None:
    """MCP-02, ERR-12: a JSON-RPC message with the request's id, and no failure of the service."""
    capabilities = {"extensions": {"io.modelcontextprotocol/tasks": {}}, "elicitation": extensions}
    client = McpClient(version=LATEST if is_latest else "2025-11-25", capabilities=capabilities)
    for name in ("name", "uri", "taskId"):
        if not isinstance(params.get(name), str) or not params[name].isascii() or not params[name].isprintable():
            params.pop(name, None)
    reply = client.request(method, params, lambda: None)
    assert reply.status in (200, 400, 404), reply.body
    assert not any(word in reply.body.decode() for word in HIDDEN)
    message = reply.messages[-1]
    assert (message["jsonrpc"], message["id"]) == ("2.0", 1)
    assert ("result" in message) != ("error" in message)


def test_a_run_survives_whoever_asks_badly(mcp: McpClient, use: Use) -> None:
    """MCP-02: what is refused changes nothing of what is there."""
    use(completed("Hello."), DONE)
    found = mcp.call("ask_assistant", message="Hi").result["structuredContent"]
    for body in ("{", "[]", '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}'):
        sent(mcp, body)
    run = f"yarrow://sessions/{found['threadId']}/runs/{found['runId']}"
    content = mcp.request("resources/read", {"uri": run}).result["contents"][0]
    assert json.loads(content["text"])["answer"] == "Hello."
