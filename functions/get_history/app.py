"""`GET /api/v1/agent/history`: one session in full, the latest answer of each session, or the older view of one day."""

from yarrow.web.cold_start import pause_garbage_collection, resume_garbage_collection

pause_garbage_collection()

from starlette.requests import Request
from starlette.routing import Route

from yarrow.access import limits
from yarrow.protocol.problems import Code, Problem
from yarrow.runs import get_history
from yarrow.store.clients import at_start, dynamodb
from yarrow.web.app import caller, create_app
from yarrow.web.json_body import NO_STORE, BodyResponse
from yarrow.web.lambda_http import buffered

SCOPES = ("history_session_full", "history_sessions_latest_assistant", "history_day")


async def endpoint(request: Request) -> BodyResponse:
    """Respond with a snapshot: the older view for `before`, `cursor` or `scope=history_day`, else by `threadId`."""
    query = request.query_params
    thread_id, before, scope = query.get("threadId"), query.get("before"), query.get("scope")
    cursor = query.get("cursor")
    is_day = before is not None or cursor is not None or scope == SCOPES[2]
    implied = SCOPES[2] if is_day else SCOPES[0] if thread_id else SCOPES[1]
    if scope not in (None, implied):
        raise Problem(Code.AGENT_HISTORY_QUERY_INVALID, f"scope must be {implied} for this query")
    ui = get_history.wants_ui(query.get("ui"))
    user_id = caller(request).user_id
    limits.count_history_read(user_id)
    snapshot = (
        get_history.day_of_session(caller(request), thread_id, before, cursor)
        if is_day
        else get_history.whole_session(thread_id, user_id, ui=ui)
        if thread_id is not None
        else get_history.latest_by_session(user_id, query.get("session_limit"), query.get("after_thread"), ui=ui)
    )
    response = BodyResponse(snapshot, headers=NO_STORE)
    limits.charge_history(user_id, len(response.body))
    return response


at_start(dynamodb)
app = create_app(Route("/api/v1/agent/history", endpoint, methods=["GET"]))
handler = buffered(app)
resume_garbage_collection()
