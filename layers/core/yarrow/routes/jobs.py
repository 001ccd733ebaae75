"""The routes of `functions/jobs`."""

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from yarrow.access import limits
from yarrow.automation.access import etag, get_job, list_jobs, shown
from yarrow.automation.change_job import change_job
from yarrow.automation.create_job import create_job
from yarrow.automation.delete_job import delete_job
from yarrow.automation.list_job_runs import list_job_runs
from yarrow.automation.run_job import run_job
from yarrow.protocol.automation.job import JobList
from yarrow.store.automation.jobs import StoredJob
from yarrow.web.app import caller
from yarrow.web.json_body import NO_STORE, BodyResponse, json_body

_JOBS = "/api/v1/automation/jobs"
_JOB = f"{_JOBS}/{{jobId}}"


async def _create_job(request: Request) -> Response:
    """Respond 201 with the job (AUT-02)."""
    body = await json_body(request)
    return _shown(create_job(body, caller(request)), 201)


async def _list_jobs(request: Request) -> Response:
    """Respond 200 with all jobs of the caller."""
    user_id = caller(request).user_id
    limits.count(user_id, "job_reads")
    return BodyResponse(JobList(jobs=tuple(map(shown, list_jobs(user_id)))), headers=NO_STORE)


async def _get_job(request: Request) -> Response:
    """Respond 200 with the job and its ETag."""
    user_id = caller(request).user_id
    limits.count(user_id, "job_reads")
    return _shown(get_job(user_id, request.path_params["jobId"]))


async def _change_job(request: Request) -> Response:
    """Respond 200 with the changed, paused or resumed job."""
    body, job_id = await json_body(request), request.path_params["jobId"]
    return _shown(change_job(body, caller(request).user_id, job_id, request.headers.get("if-match")))


async def _delete_job(request: Request) -> Response:
    """Respond 204, also for a job that is deleted already."""
    delete_job(caller(request).user_id, request.path_params["jobId"], request.headers.get("if-match"))
    return Response(status_code=204)


async def _run_job(request: Request) -> Response:
    """Run the job at once; respond 202 with TaskAcceptedResponse (RUN-19)."""
    body = await json_body(request)
    accepted = run_job(body, caller(request).user_id, request.path_params["jobId"])
    return JSONResponse(accepted.document(), status_code=202)


async def _list_job_runs(request: Request) -> Response:
    """Respond 200 with a page of past runs, latest first."""
    query, user_id = request.query_params, caller(request).user_id
    limits.count(user_id, "job_run_reads")
    page = list_job_runs(user_id, request.path_params["jobId"], query.get("limit"), query.get("cursor"))
    return BodyResponse(page, headers=NO_STORE)


def _shown(job: StoredJob, status: int = 200) -> Response:
    return BodyResponse(shown(job), status, {"ETag": etag(job), **NO_STORE})


ROUTES = (
    Route(_JOBS, _create_job, methods=["POST"], name="create_job"),
    Route(_JOBS, _list_jobs, methods=["GET"], name="list_jobs"),
    Route(_JOB, _get_job, methods=["GET"], name="get_job"),
    Route(_JOB, _change_job, methods=["PATCH"], name="change_job"),
    Route(_JOB, _delete_job, methods=["DELETE"], name="delete_job"),
    Route(f"{_JOB}/run", _run_job, methods=["POST"], name="run_job"),
    Route(f"{_JOB}/runs", _list_job_runs, methods=["GET"], name="list_job_runs"),
)
