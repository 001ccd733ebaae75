"""`$default` of the WebSocket API: a frame of a page."""

from yarrow.web.cold_start import pause_garbage_collection, resume_garbage_collection

pause_garbage_collection()

from yarrow.access import limits
from yarrow.protocol.problems import Problem
from yarrow.store.clients import at_start, connections, dynamodb, step_functions
from yarrow.web.lambda_websocket import WebSocketEvent, patiently, websocket
from yarrow.workspace.counted_post import CountedPost
from yarrow.workspace.workspace_command import ReceivedFrame, refuse, workspace_command


@websocket
@patiently
def handler(event: WebSocketEvent) -> None:
    """Apply the frame; errors are sent on the connection (WSP-31)."""
    by = event.authorized
    frame = ReceivedFrame(
        event.connection_id, by.caller, by.task_name, by.client_tag, event.text, event.message_id, event.at_ms
    )
    post = CountedPost()
    try:
        limits.count_workspace_frame(by.caller.user_id)
    except Problem as problem:
        refuse(frame, problem, post)
        post.emit()
        return
    try:
        workspace_command(frame, post)
    finally:
        post.emit()


at_start(connections, dynamodb, step_functions)
resume_garbage_collection()
