"""A user's sessions and runs as resources: a page of sessions, and what a URI names, as JSON.

Source: MCP 2026-07-28, `server/resources`.
"""

import re
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import unquote

from yarrow.access import limits, ownership
from yarrow.formats import json_text
from yarrow.mcp_server.json_rpc import Document, RpcCode, RpcError
from yarrow.mcp_server.requests import McpRequest
from yarrow.mcp_server.run_answers import read_answer, session_uri
from yarrow.protocol.caller import Caller
from yarrow.protocol.problems import Problem
from yarrow.protocol.response_body import to_json
from yarrow.runs import get_history
from yarrow.runs.stream_events import check_kept
from yarrow.store import runs

_MIME_TYPE: Final = "application/json"
_URI: Final = re.compile(r"yarrow://sessions/([^/?#]+)(?:/runs/([^/?#]+))?")
_TITLE_CHARACTERS: Final = 80
_TOO_MANY: Final = 429
_SERVER_ERROR: Final = 500

TEMPLATES: Final = (
    {
        "uriTemplate": "yarrow://sessions/{threadId}",
        "name": "session",
        "title": "Session",
        "description": "The messages of one of the user's sessions, oldest first.",
        "mimeType": _MIME_TYPE,
    },
    {
        "uriTemplate": "yarrow://sessions/{threadId}/runs/{runId}",
        "name": "run",
        "title": "Run",
        "description": "The phase of one of the user's runs, and its answer so far.",
        "mimeType": _MIME_TYPE,
    },
)


def list_sessions(request: McpRequest, caller: Caller) -> Document:
    """Return a page of the caller's sessions that have an answer, last active first. Raises RpcError, Problem 429."""
    cursor = request.params.get("cursor")
    if cursor is not None and not isinstance(cursor, str):
        raise RpcError(RpcCode.INVALID_PARAMS, "cursor must be a string")
    limits.count_history_read(caller.user_id)
    try:
        page = get_history.latest_by_session(caller.user_id, after_thread=cursor)
    except Problem as problem:
        raise _refused(problem, RpcCode.INVALID_PARAMS, "unknown cursor") from problem
    limits.charge_history(caller.user_id, len(to_json(page)))
    listed: Document = {"resources": [_session(message.thread_id, message) for message in page.messages]}
    if page.has_more and page.messages:
        listed["nextCursor"] = page.messages[-1].thread_id
    return listed


def list_templates(_request: McpRequest, _caller: Caller) -> Document:
    return {"resourceTemplates": list(TEMPLATES)}


def read(request: McpRequest, caller: Caller) -> Document:
    """Return the contents of a session or run of the caller. Raises RpcError, and Problem 429."""
    uri = request.params.get("uri")
    if not isinstance(uri, str):
        raise RpcError(RpcCode.INVALID_PARAMS, "uri must be a string")
    missing = RpcCode.INVALID_PARAMS if request.is_latest else RpcCode.RESOURCE_NOT_FOUND
    named = _URI.fullmatch(uri)
    if named is None:
        raise RpcError(missing, "resource not found", {"uri": uri[:200]})
    thread_id, run_id = unquote(named[1]), None if named[2] is None else unquote(named[2])
    try:
        text = _read_session(thread_id, caller) if run_id is None else _read_run(thread_id, run_id, caller)
    except Problem as problem:
        raise _refused(problem, missing, "resource not found", uri=uri[:200]) from problem
    return {"contents": [{"uri": uri, "mimeType": _MIME_TYPE, "text": text}]}


def _read_session(thread_id: str, caller: Caller) -> str:
    limits.count_history_read(caller.user_id)
    content = to_json(get_history.whole_session(thread_id, caller.user_id))
    limits.charge_history(caller.user_id, len(content))
    return content.decode()


def _read_run(thread_id: str, run_id: str, caller: Caller) -> str:
    run = ownership.run_of(caller.user_id, thread_id, run_id)
    limits.count_stream_read(caller.user_id)
    answer, size = read_answer(run)
    limits.charge_stream_read(caller.user_id, size)
    return json_text.dumps({**_described(run), **answer.members()})


def _described(run: runs.Run) -> Document:
    check_kept(run)
    members = {
        "agent": run.agent,
        "phase": run.phase,
        "createdAt": run.created_at,
        "endedAt": run.ended_at,
    }
    return {name: value for name, value in members.items() if value is not None}


def _session(thread_id: str, message: Any) -> Mapping[str, Any]:
    """Describe a session by its latest answer."""
    title = " ".join(message.content.split())
    return {
        "uri": session_uri(thread_id),
        "name": thread_id,
        "title": title if len(title) <= _TITLE_CHARACTERS else f"{title[: _TITLE_CHARACTERS - 1]}…",
        "mimeType": _MIME_TYPE,
        "annotations": {"lastModified": message.timestamp},
    }


def _refused(problem: Problem, code: RpcCode, message: str, **data: str) -> Exception:
    """Return what is raised for a problem: itself, if HTTP refuses it."""
    if problem.status == _TOO_MANY or problem.status >= _SERVER_ERROR:
        return problem
    return RpcError(code, message, {**data, "code": problem.code.name})
