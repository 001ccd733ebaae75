"""`GET /api/v1/agent/history`: one session in full, or the latest answer of each session."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from yarrow.host.history import latest_by_session, whole_session
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.run_input import is_uuid
from yarrow.web.app import caller, create_app
from yarrow.web.lambda_http import buffered


def endpoint(request: Request) -> Response:
    """A snapshot in one of the two scopes (HIS-01, HIS-02)."""
    user_id = caller(request).user_id
    thread_id = request.query_params.get("threadId")
    if thread_id is None:
        snapshot = latest_by_session(user_id, request.query_params.get("session_limit"))
    elif is_uuid(thread_id):
        snapshot = whole_session(thread_id, user_id)
    else:
        raise Problem(Code.AGENT_SESSION_ID_INVALID, "threadId must be a valid UUID")
    return Response(snapshot.model_dump_json(), media_type="application/json")


app = create_app(Route("/api/v1/agent/history", endpoint, methods=["GET"]))
handler = buffered(app)
