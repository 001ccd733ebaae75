"""`POST /api/v1/agent/runs` and `…/{threadId}/fork`: submit a run, or one that repeats another from a step on."""

from yarrow.web.cold_start import pause_garbage_collection, resume_garbage_collection

pause_garbage_collection()

from yarrow.agents.bindings import check_default
from yarrow.routes.submit_run import ROUTES
from yarrow.settings import settings
from yarrow.store.clients import at_start, dynamodb, step_functions
from yarrow.web.app import create_app
from yarrow.web.lambda_http import buffered

check_default(settings.default_agent)
at_start(dynamodb, step_functions)
app = create_app(*ROUTES)
handler = buffered(app)
resume_garbage_collection()
