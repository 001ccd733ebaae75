"""`/api/v1/webhooks`: create, read, change, delete, test and replay webhooks."""

from yarrow.web.cold_start import pause_garbage_collection, resume_garbage_collection

pause_garbage_collection()

from yarrow.routes.webhooks import ROUTES
from yarrow.store.clients import at_start, dynamodb, sqs
from yarrow.web.app import create_app
from yarrow.web.lambda_http import buffered

at_start(dynamodb, sqs)
app = create_app(*ROUTES)
handler = buffered(app)
resume_garbage_collection()
