"""`/api/v1/usage`: what runs have used; `/api/v1/operations`: for operators, the ends of all runs, and their users."""

from yarrow.web.cold_start import pause_garbage_collection, resume_garbage_collection

pause_garbage_collection()

from yarrow.routes.usage import ROUTES
from yarrow.store.clients import at_start, dynamodb
from yarrow.web.app import create_app
from yarrow.web.lambda_http import buffered

at_start(dynamodb)
app = create_app(*ROUTES)
handler = buffered(app)
resume_garbage_collection()
