"""The OpenAPI description of `GET /api/v1/agent/history`."""

from typing import Final, get_args, get_type_hints

from functions.openapi import NO_STORE, TO_ANY_CALLER, Operation, ref, refused
from yarrow.protocol.history import DaySnapshot, Snapshot
from yarrow.protocol.problems import Code
from yarrow.runs.get_history import CURSOR, DEFAULT_SESSIONS, MAX_SESSIONS, UI_VERSION


def _scopes(snapshot: type[Snapshot | DaySnapshot]) -> tuple[str, ...]:
    return get_args(get_type_hints(snapshot)["scope"])


OPERATION: Final = Operation(
    "get",
    "/api/v1/agent/history",
    operation_id="get_history",
    summary="Read a session, or list the sessions",
    description="With `threadId`, all messages of the session; without it, the latest answer of each session, most "
    "recently active first. `before`, `cursor` or `scope=history_day` selects the view of a single day. Parameters "
    "that do not apply to the view are ignored.",
    parameters=[
        {"name": "threadId", "in": "query", "schema": {"type": "string", "format": "uuid"}},
        {
            "name": "session_limit",
            "in": "query",
            "description": "The number of sessions to list.",
            "schema": {"type": "integer", "minimum": 1, "maximum": MAX_SESSIONS, "default": DEFAULT_SESSIONS},
        },
        {
            "name": "after_thread",
            "in": "query",
            "description": "The last session of the previous page.",
            "schema": {"type": "string", "format": "uuid"},
        },
        {
            "name": "before",
            "in": "query",
            "description": "Selects the last day with messages before this date, in the caller's time zone.",
            "schema": {"type": "string", "format": "date"},
        },
        {
            "name": "cursor",
            "in": "query",
            "description": "The `nextCursor` of a day: selects what came before, the rest of the day first.",
            "schema": {"type": "string", "pattern": f"^{CURSOR}$"},
        },
        {
            "name": "scope",
            "in": "query",
            "description": "The view to return; it must match the other parameters.",
            "schema": {"enum": [*_scopes(Snapshot), *_scopes(DaySnapshot)]},
        },
        {
            "name": "ui",
            "in": "query",
            "description": "The version of the cards to return beside the messages, as `ui_schema`. The view of a day "
            "has them always, the other views none without it.",
            "schema": {"enum": [UI_VERSION]},
        },
    ],
    responses={
        "200": {
            "description": "A snapshot.",
            "headers": NO_STORE,
            "content": {
                "application/json": {"schema": {"anyOf": [ref("Snapshot"), ref("CardSnapshot"), ref("DaySnapshot")]}}
            },
        }
    },
    refusals=(
        *TO_ANY_CALLER,
        *refused(Code.AGENT_SESSION_NOT_FOUND, Code.AGENT_SESSION_ID_INVALID, Code.AGENT_HISTORY_QUERY_INVALID),
        *refused(Code.AGENT_RATE_LIMIT),
    ),
)
