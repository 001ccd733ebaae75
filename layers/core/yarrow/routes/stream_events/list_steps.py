"""`GET /api/v1/agent/runs/{threadId}/steps?runId=`: the steps of a run."""

import anyio.to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from yarrow.protocol.response_body import to_json
from yarrow.web.app import caller


async def endpoint(request: Request) -> Response:
    """Respond 200 with the steps, without the contents of calls and results (STP-07)."""
    from yarrow.runs.list_steps import list_steps  # not at a stream's cold start

    user_id, thread_id = caller(request).user_id, request.path_params["threadId"]
    listed = await anyio.to_thread.run_sync(list_steps, user_id, thread_id, request.query_params.get("runId"))
    return Response(to_json(listed), media_type="application/json", headers={"Cache-Control": "no-store"})


ROUTE = Route("/api/v1/agent/runs/{threadId}/steps", endpoint, methods=["GET"])
