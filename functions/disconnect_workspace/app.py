"""`$disconnect` of the WebSocket API: a workspace connection has closed. The call is best effort."""

from yarrow.web.cold_start import pause_garbage_collection, resume_garbage_collection

pause_garbage_collection()

from yarrow.store.clients import at_start, dynamodb
from yarrow.web.lambda_websocket import WebSocketEvent, websocket
from yarrow.workspace.disconnect_workspace import disconnect_workspace


@websocket
def handler(event: WebSocketEvent) -> None:
    """Forget the connection (WSP-38)."""
    by = event.authorized
    disconnect_workspace(event.connection_id, by.caller, by.task_name, event.close_status)


at_start(dynamodb)
resume_garbage_collection()
