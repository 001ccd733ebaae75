"""`/api/v1/mcp-connections`: sign in to MCP servers of agents, list and remove the connections that came of it."""

from yarrow.web.cold_start import pause_garbage_collection, resume_garbage_collection

pause_garbage_collection()

from yarrow.routes.mcp_connections import ROUTES
from yarrow.store.clients import at_start, dynamodb, kms
from yarrow.web.app import create_app
from yarrow.web.lambda_http import buffered

at_start(dynamodb, kms)
app = create_app(*ROUTES)
handler = buffered(app)
resume_garbage_collection()
