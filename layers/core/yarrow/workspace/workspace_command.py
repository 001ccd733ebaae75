"""A frame of a page: parse it, apply it, answer it (WSP-01 … WSP-18, WSP-31, WSP-35, WSP-36)."""

from collections.abc import Sequence
from dataclasses import dataclass

from yarrow.access import limits
from yarrow.agents import bindings
from yarrow.observability.logs import logger
from yarrow.protocol.caller import Caller
from yarrow.protocol.problems import Code, Problem, ProblemCode
from yarrow.protocol.run_ids import is_uuid
from yarrow.protocol.workspace import commands
from yarrow.protocol.workspace.commands import MAX_ID, Command, Envelope
from yarrow.protocol.workspace.errors import CommandError, ErrorCode
from yarrow.protocol.workspace.frames import Frames
from yarrow.runs.delete_session import delete_session
from yarrow.store import clock, sessions
from yarrow.store.workspace import connections, keys, log
from yarrow.workspace import known_connections
from yarrow.workspace.advance import advance
from yarrow.workspace.commands.attach import TakenFiles, take
from yarrow.workspace.commands.decide import decide
from yarrow.workspace.commands.draft import CommandRequest, Draft
from yarrow.workspace.delivery import deliver, needs_delivery
from yarrow.workspace.earlier_sessions import earlier_sessions
from yarrow.workspace.open_workspace import LogPosition, Workspace, WorkspaceBusyError
from yarrow.workspace.posting import GoneError, Post, UnknownOutcomeError, close, post
from yarrow.workspace.state.changes import Change
from yarrow.workspace.state.state import WorkspaceState

_CODES: dict[ProblemCode, ErrorCode] = {
    Code.AGENT_RATE_LIMIT: ErrorCode.RATE_LIMITED,
    Code.AGENT_STORAGE_LIMIT: ErrorCode.STORAGE_FULL,
}
_ANSWERED_BY_SNAPSHOT = (commands.Init, commands.CreateSession, commands.DeleteSession, commands.SwitchSession)


@dataclass(frozen=True, slots=True)
class ReceivedFrame:
    """A frame as received. `message_id` is the same when the same frame is handled again."""

    connection_id: str
    caller: Caller
    task_name: str | None
    client_tag: str | None
    text: str
    message_id: str
    at_ms: int


def workspace_command(frame: ReceivedFrame, post: Post = post) -> None:
    """Handle a frame; errors of the page go to the page (WSP-31). Raises if the frame is to be handled again."""
    task_name, envelope = frame.task_name or "", None
    try:
        envelope = commands.read_envelope(frame.text)
        task_name = frame.task_name or known_connections.task_of(frame.connection_id, envelope.task_name) or ""
        command = commands.command_of(envelope)
        if command is None:
            _sync(frame, task_name, post)
            return
        _check_task(frame, task_name, envelope)
        _handle(frame, task_name, envelope, command, post)
    except CommandError as error:
        request_id = None if envelope is None else envelope.request_id
        # The page ignores frames without its task's name; use the frame's own name only if no other is known.
        known = frame.task_name or known_connections.task_of(frame.connection_id, None) or task_name[:MAX_ID]
        _send_error(frame, known, error, request_id, post)
        _sync(frame, known, post)


def refuse(frame: ReceivedFrame, problem: Problem, post: Post = post) -> None:
    """Report too many frames and close the connection, as further frames would cost as much."""
    _send_error(frame, frame.task_name or "", CommandError(ErrorCode.RATE_LIMITED, problem.detail), None, post)
    try:
        close(frame.connection_id)
    except UnknownOutcomeError:
        logger.warning("a connection could not be closed; it is closed at one of its next frames")


def _check_task(frame: ReceivedFrame, task_name: str, envelope: Envelope) -> None:
    if frame.task_name is not None and envelope.task_name not in (None, frame.task_name):
        raise CommandError(ErrorCode.TASK_MISMATCH, "the connection was opened for another taskName")
    if bindings.for_task(task_name) is None:
        raise CommandError(ErrorCode.TASK_UNKNOWN, "no agent has this taskName")


def _handle(frame: ReceivedFrame, task_name: str, envelope: Envelope, command: Command, post: Post) -> None:
    try:
        limits.count(frame.caller.user_id, "workspace_commands")
    except Problem as problem:
        raise CommandError(ErrorCode.RATE_LIMITED, problem.detail) from problem
    key = keys.key_of(frame.caller.user_id, task_name)
    workspace = _opened(frame, key, task_name)
    connection = next((stored for stored in workspace.stored.connections if stored.id == frame.connection_id), None)
    request = CommandRequest(
        command=command,
        settings=commands.settings_of(envelope),
        context=commands.runtime_context_of(envelope),
        caller=frame.caller,
        active_session=None if connection is None else connection.active_session,
        cause=frame.message_id,
        at_ms=frame.at_ms,
    )
    drafts: list[Draft] = []

    def changes_of(state: WorkspaceState, position: LogPosition) -> Sequence[Change]:
        draft = Draft(request, workspace.binding, state, position)
        drafts[:] = [draft]
        return decide(draft, taken, earlier)

    taken = _prepare(workspace, request)
    is_new = isinstance(command, commands.Init) and not workspace.state.number
    earlier = earlier_sessions(workspace.user_id, workspace.binding) if is_new else []
    try:
        workspace.append(changes_of, frame.message_id)
    except WorkspaceBusyError as error:
        raise CommandError(ErrorCode.UNAVAILABLE, "the workspace is busy; repeat the command") from error
    session_id = drafts[0].shows if drafts else None
    if session_id is not None and connections.show(key, frame.connection_id, session_id, frame.at_ms):
        log.note_session(key, session_id)
        known_connections.remember(frame.caller.user_id, frame.client_tag, task_name, session_id)
    # A page initialises more than once while it loads; the other commands change which session is shown.
    is_answered = isinstance(command, commands.Init) and connection is not None and connection.waits
    if isinstance(command, _ANSWERED_BY_SNAPSHOT) and not is_answered:
        connections.ask(key, frame.connection_id)
    _advance(workspace)
    _deliver(workspace, frame.connection_id, post)


def _opened(frame: ReceivedFrame, key: str, task_name: str) -> Workspace:
    workspace = Workspace.load(key)
    if workspace is None:
        log.create(key, frame.caller.user_id, task_name)
        workspace = Workspace.load(key)
    if workspace is None:
        raise CommandError(ErrorCode.TASK_UNKNOWN, "no agent has this taskName")
    _check_owner(workspace, frame)
    if all(connection.id != frame.connection_id for connection in workspace.stored.connections):
        if frame.task_name is None:  # before it joins: a joined connection is not bound again
            known_connections.bind(frame.connection_id, frame.caller.user_id, frame.client_tag, task_name)
        known_connections.join(workspace, frame.connection_id, frame.client_tag)
        workspace.reload()
    return workspace


def _check_owner(workspace: Workspace, frame: ReceivedFrame) -> None:
    """Raise PermissionError for another user's workspace (SEC-04): its key alone does not decide."""
    if workspace.user_id != frame.caller.user_id:
        raise PermissionError("the workspace belongs to another user")


def _prepare(workspace: Workspace, request: CommandRequest) -> TakenFiles | None:
    """Store what precedes the entry: should that never follow, a deletion's own record shows it, and files expire."""
    command, user_id = request.command, workspace.user_id
    draft = Draft(request, workspace.binding, workspace.state, LogPosition(workspace.key, 0, clock.now_ms))
    if isinstance(command, commands.DeleteSession | commands.SwitchSession):
        session = workspace.state.session(command.session_id)
        if session is None:
            _refuse_foreign(command.session_id, user_id)
        elif isinstance(command, commands.DeleteSession):
            delete_session(user_id, session.id)
    if not isinstance(command, commands.Attach):
        return None
    session = draft.session(command.session_id)
    if session.paused or session.canceled or not draft.takes("workspace.attachment"):
        return TakenFiles((), command.rejected, ())
    try:
        return take(session, command, user_id, request.cause)
    except Problem as problem:
        raise CommandError(_CODES.get(problem.code, ErrorCode.UNAVAILABLE), problem.detail) from problem


def _refuse_foreign(session_id: str | None, user_id: str) -> None:
    """Raise CommandError for a session of another user (SEC-04); one that does not exist is ignored (WSP-07)."""
    stored = sessions.read(session_id) if session_id is not None and is_uuid(session_id) else None
    if stored is not None and stored.user_id != user_id:
        raise CommandError(ErrorCode.SESSION_NOT_FOUND, "session not found")


def _sync(frame: ReceivedFrame, task_name: str, post: Post) -> None:
    """Send a connection what it waits for (WSP-38), also after a frame that only keeps it alive."""
    if not task_name or bindings.for_task(task_name) is None:
        return
    key = keys.key_of(frame.caller.user_id, task_name)
    connection = connections.read(key, frame.connection_id)
    if connection is not None and not needs_delivery(connection):
        return
    workspace = Workspace.load(key)
    if workspace is None:
        return
    _check_owner(workspace, frame)
    if connection is None:
        known_connections.join(workspace, frame.connection_id, frame.client_tag)
    _advance(workspace)
    _deliver(workspace, frame.connection_id, post)


def _advance(workspace: Workspace) -> None:
    try:
        advance(workspace)
    except Exception:  # the work is stored, and the workspace's next record does it
        logger.warning("a command waits for the next push", exc_info=True)


def _deliver(workspace: Workspace, connection_id: str, post: Post) -> None:
    try:
        deliver(workspace, connection_id, post)
    except UnknownOutcomeError:
        logger.warning("a snapshot could not be sent; it is sent with the next frame")


def _send_error(
    frame: ReceivedFrame, task_name: str, error: CommandError, request_id: str | int | None, post: Post
) -> None:
    logger.info("a command was refused", extra={"code": error.code.code})
    try:
        post(frame.connection_id, Frames(task_name, clock.now_ms()).error(error, request_id))
    except (GoneError, UnknownOutcomeError):
        logger.info("an error could not be sent")
