"""Replaces the last session after it was deleted elsewhere (C23)."""

from collections.abc import Sequence

from yarrow.protocol.caller import Caller
from yarrow.protocol.workspace.commands import Init, PageSettings
from yarrow.workspace.commands.draft import CommandRequest, Draft
from yarrow.workspace.commands.sessions import init
from yarrow.workspace.open_workspace import LogPosition, Workspace
from yarrow.workspace.state.changes import Change
from yarrow.workspace.state.state import WorkspaceState


def new_session(workspace: Workspace, state: WorkspaceState, position: LogPosition) -> Sequence[Change]:
    if state.sessions:
        return ()
    request = CommandRequest(Init(), PageSettings(), None, Caller(workspace.user_id, zoneinfo=state.zoneinfo), None, "")
    draft = Draft(request, workspace.binding, state, position)
    init(draft)
    return draft.changes
