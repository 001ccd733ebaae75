"""`/mcp`: the MCP server."""

from yarrow.web.cold_start import pause_garbage_collection, resume_garbage_collection

pause_garbage_collection()

from yarrow.routes.mcp import ROUTES
from yarrow.store.clients import at_start, dynamodb, step_functions
from yarrow.web.app import create_app
from yarrow.web.lambda_http import Streaming

at_start(dynamodb, step_functions)
app = create_app(*ROUTES)
handler = Streaming(app)
resume_garbage_collection()
