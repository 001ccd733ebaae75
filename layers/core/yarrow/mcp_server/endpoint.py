"""The MCP endpoint: checks where a request comes from, reads it, and answers with JSON or a stream."""

from typing import Final
from urllib.parse import urlsplit

import anyio.to_thread
from starlette.requests import Request
from starlette.responses import Response

from yarrow.access import limits
from yarrow.mcp_server import requests
from yarrow.mcp_server.agent_tools import AgentCall
from yarrow.mcp_server.json_rpc import RpcError, response
from yarrow.mcp_server.methods import answer, complete, refused_call
from yarrow.mcp_server.requests import McpRequest
from yarrow.mcp_server.responses import RunResponse, error_response, json_response
from yarrow.protocol.caller import Caller
from yarrow.protocol.problems import Code, Problem
from yarrow.settings import settings
from yarrow.web.app import caller
from yarrow.web.json_body import json_body
from yarrow.web.problem_json import ProblemResponse
from yarrow.web.streams.event_stream import in_thread, window

MAX_BODY_BYTES: Final = 256 * 1024

_LOOPBACK: Final = frozenset({"127.0.0.1", "::1", "localhost"})
_TAKEN: Final = frozenset({"application/json", "text/event-stream"})


async def take_message(request: Request) -> Response:
    """Answer one JSON-RPC message. What HTTP refuses are problems, what MCP refuses are JSON-RPC errors.

    Raises Problem 403 for the page of another origin, 406, 413, 415 and 429.
    """
    check_origin(request)
    _check_accept(request)
    body, user = await json_body(request), caller(request)
    if len(body) > MAX_BODY_BYTES:
        raise Problem(Code.REQUEST_TOO_LARGE, f"a message has at most {MAX_BODY_BYTES} bytes")
    message_id, is_latest = None, True
    try:
        document = requests.read_document(body)
        message_id = requests.id_of(document)
        message = requests.read_request(document, request.headers)
        is_latest = message.is_latest
        if message.id is None:
            return Response(status_code=202)
        await anyio.to_thread.run_sync(limits.count, user.user_id, "mcp_messages")
        return await _answered(message, user, window(request))
    except RpcError as error:
        return error_response(error, message_id, is_latest=is_latest)


def refuse_method(request: Request) -> Response:
    """Respond 405 with the method that there is."""
    problem = Problem(Code.REQUEST_METHOD_UNSUPPORTED, "messages are sent by POST; there are no sessions")
    refused = ProblemResponse(problem, instance=request.url.path)
    refused.headers["Allow"] = "POST"
    return refused


async def _answered(message: McpRequest, user: Caller, seconds: float) -> Response:
    found = await anyio.to_thread.run_sync(answer, message, user)
    if not isinstance(found, AgentCall):
        return json_response(response(message.id or 0, found))
    try:
        subscription, run = await in_thread(found.subscribe)
    except Problem as problem:
        return json_response(response(message.id or 0, complete(message, refused_call(problem))))
    return RunResponse(run, subscription, message, seconds)


def _check_accept(request: Request) -> None:
    """Raise Problem 406 for a client that does not take both forms of an answer."""
    accepted = {part.partition(";")[0].strip().lower() for part in request.headers.get("accept", "*/*").split(",")}
    if "*/*" not in accepted and not accepted >= _TAKEN:
        detail = "Accept must list application/json and text/event-stream"
        raise Problem(Code.REQUEST_ACCEPT_UNSUPPORTED, detail)


def check_origin(request: Request) -> None:
    """Raise Problem 403 for the page of another origin than may call, and on this machine for another name of it.

    A page could else reach a server on its reader's machine by a name that it makes resolve there (DNS rebinding).
    """
    host, origin = request.headers.get("host", ""), request.headers.get("origin")
    is_local = _is_loopback(settings.mcp_url)
    if is_local and not _is_loopback(f"//{host}"):
        raise Problem(Code.REQUEST_ORIGIN_FORBIDDEN, "the host is not a name of this machine")
    if origin is None or origin == settings.cors_origin:
        return
    if not (_is_loopback(origin) if is_local else settings.cors_origin == "*"):
        raise Problem(Code.REQUEST_ORIGIN_FORBIDDEN, "pages of this origin may not call")


def _is_loopback(url: str) -> bool:
    try:
        return urlsplit(url).hostname in _LOOPBACK
    except ValueError:
        return False
