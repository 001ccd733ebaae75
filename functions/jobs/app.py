"""`/api/v1/automation/jobs`: create, read, change, delete and run a user's automation jobs."""

from yarrow.web.cold_start import pause_garbage_collection, resume_garbage_collection

pause_garbage_collection()

from yarrow.routes.jobs import change_job, create_job, delete_job, get_job, list_job_runs, list_jobs, run_job
from yarrow.store.clients import at_start, dynamodb, scheduler, step_functions
from yarrow.web.app import create_app
from yarrow.web.lambda_http import buffered

at_start(dynamodb, scheduler, step_functions)
app = create_app(
    create_job.ROUTE,
    list_jobs.ROUTE,
    get_job.ROUTE,
    change_job.ROUTE,
    delete_job.ROUTE,
    run_job.ROUTE,
    list_job_runs.ROUTE,
)
handler = buffered(app)
resume_garbage_collection()
