"""`/api/v1/automation/jobs`: create, read, change, delete and run a user's automation jobs."""

from yarrow.web.cold_start import pause_garbage_collection, resume_garbage_collection

pause_garbage_collection()

from yarrow.routes.jobs import ROUTES
from yarrow.store.clients import at_start, dynamodb, scheduler, step_functions
from yarrow.web.app import create_app
from yarrow.web.lambda_http import buffered

at_start(dynamodb, scheduler, step_functions)
app = create_app(*ROUTES)
handler = buffered(app)
resume_garbage_collection()
