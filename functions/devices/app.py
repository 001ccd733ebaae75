"""`/api/v1/devices`: register, list and remove the caller's devices that get notifications."""

from yarrow.web.cold_start import pause_garbage_collection, resume_garbage_collection

pause_garbage_collection()

from yarrow.routes.devices import ROUTES
from yarrow.store.clients import at_start, dynamodb
from yarrow.web.app import create_app
from yarrow.web.lambda_http import buffered

at_start(dynamodb)
app = create_app(*ROUTES)
handler = buffered(app)
resume_garbage_collection()
