"""`GET /api/v1/automation/jobs/{jobId}/runs`: list a job's past runs."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from yarrow.access import limits
from yarrow.automation.list_job_runs import list_job_runs
from yarrow.protocol.response_body import to_json
from yarrow.web.app import caller


async def endpoint(request: Request) -> Response:
    """Respond 200 with a page of runs, latest first."""
    query, user_id = request.query_params, caller(request).user_id
    limits.count(user_id, "job_run_reads")
    page = list_job_runs(user_id, request.path_params["jobId"], query.get("limit"), query.get("cursor"))
    return Response(to_json(page), media_type="application/json", headers={"Cache-Control": "no-store"})


ROUTE = Route("/api/v1/automation/jobs/{jobId}/runs", endpoint, methods=["GET"])
