"""`GET /api/v1/automation/jobs`: list the caller's jobs."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from yarrow.access import limits
from yarrow.automation.access import shown
from yarrow.automation.list_jobs import list_jobs
from yarrow.protocol.automation.job import JobList
from yarrow.web.app import caller


async def endpoint(request: Request) -> Response:
    """Respond 200 with all jobs of the caller."""
    user_id = caller(request).user_id
    limits.count(user_id, "job_reads")
    jobs = JobList(jobs=tuple(map(shown, list_jobs(user_id))))
    return Response(jobs.model_dump_json(), media_type="application/json", headers={"Cache-Control": "no-store"})


ROUTE = Route("/api/v1/automation/jobs", endpoint, methods=["GET"])
