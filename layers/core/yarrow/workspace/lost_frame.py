"""A frame that was too large for API Gateway, which disconnected the page; the frame is lost."""

from collections.abc import Sequence

from yarrow.protocol.workspace.errors import ErrorCode
from yarrow.workspace.open_workspace import LogPosition, Workspace
from yarrow.workspace.state import changes
from yarrow.workspace.state.changes import Change
from yarrow.workspace.state.notices import notice
from yarrow.workspace.state.state import WorkspaceState


def tell_of_lost_frame(key: str, connection_id: str) -> None:
    """Say in the session that the connection showed that a frame was lost, and what to do.

    No effect if the connection or its session is not known any more. Raises BusyError.
    """
    workspace = Workspace.load(key)
    connections = [] if workspace is None else workspace.stored.connections
    connection = next((stored for stored in connections if stored.id == connection_id), None)
    if workspace is None or connection is None:
        return

    def changes_of(state: WorkspaceState, position: LogPosition) -> Sequence[Change]:
        session_id = state.active(connection.active_session)
        if not session_id:
            return ()
        text, at, name = notice(state.language, "frame_lost"), position.stamp(), f"lost-{connection_id}"
        return [
            changes.message(session_id, {"id": name, "role": "assistant", "content": text, "createdAt": at}),
            changes.log(
                session_id,
                {
                    "id": f"log-{name}",
                    "time": at,
                    "text": f"{ErrorCode.PAYLOAD_TOO_LARGE.code}: {text}",
                    "level": "error",
                    "source": "system",
                },
            ),
            changes.touched(session_id, position.stamp()),
        ]

    workspace.append(changes_of, f"lost.{connection_id}")
