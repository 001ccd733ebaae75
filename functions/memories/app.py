"""`/api/v1/memories`: list and delete what the assistant remembers of the caller."""

from yarrow.web.cold_start import pause_garbage_collection, resume_garbage_collection

pause_garbage_collection()

from yarrow.routes.memories import delete_memory, list_memories
from yarrow.store.clients import at_start, dynamodb
from yarrow.web.app import create_app
from yarrow.web.lambda_http import buffered

at_start(dynamodb)
app = create_app(list_memories.ROUTE, delete_memory.ROUTE)
handler = buffered(app)
resume_garbage_collection()
