"""`GET …/runs/{threadId}/events`, `…/stream`, `…/steps` and `…/diagnostics`: what a run did."""

from yarrow.web.cold_start import pause_garbage_collection, resume_garbage_collection

pause_garbage_collection()

from yarrow.routes.stream_events import ROUTES
from yarrow.store.clients import at_start, dynamodb
from yarrow.web.app import create_app
from yarrow.web.lambda_http import Streaming

at_start(dynamodb)
app = create_app(*ROUTES)
handler = Streaming(app)
resume_garbage_collection()
