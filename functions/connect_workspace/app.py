"""`$connect` of the WebSocket API: a workspace connection opens."""

from yarrow.web.cold_start import pause_garbage_collection, resume_garbage_collection

pause_garbage_collection()

from yarrow.access import limits
from yarrow.observability.metrics import Metric, emit
from yarrow.store.clients import at_start, dynamodb
from yarrow.web.lambda_websocket import WebSocketEvent, websocket
from yarrow.workspace.connect_workspace import OpeningConnection, connect_workspace


@websocket
def handler(event: WebSocketEvent) -> None:
    """Store the connection; its first frames are sent by the table's stream (C54)."""
    by = event.authorized
    limits.count(by.caller.user_id, "workspace_connections")
    connect_workspace(OpeningConnection(event.connection_id, by.caller, by.task_name, by.client_tag, event.at_ms))
    emit("a connection opened", {Metric.WORKSPACE_CONNECTIONS: 1})


at_start(dynamodb)
resume_garbage_collection()
