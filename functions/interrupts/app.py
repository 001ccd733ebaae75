"""`/api/v1/agent/interrupts`: list the open questions of the caller's runs, and answer one."""

from yarrow.web.cold_start import pause_garbage_collection, resume_garbage_collection

pause_garbage_collection()

from yarrow.routes.interrupts import ROUTES
from yarrow.store.clients import at_start, dynamodb, step_functions
from yarrow.web.app import create_app
from yarrow.web.lambda_http import buffered

at_start(dynamodb, step_functions)
app = create_app(*ROUTES)
handler = buffered(app)
resume_garbage_collection()
