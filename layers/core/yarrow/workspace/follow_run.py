"""Shows a run in its workspace: reads the journal after what is shown and appends the changes of its events."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import partial

from yarrow.observability.logs import logger
from yarrow.protocol.events.events import Event, read
from yarrow.protocol.problems import Problem
from yarrow.protocol.run_input.body import text_of_user
from yarrow.protocol.workspace.models import Message
from yarrow.runs.delete_session import delete_session
from yarrow.store import journal, runs
from yarrow.workspace.open_workspace import LogPosition, Workspace
from yarrow.workspace.state import changes, projection
from yarrow.workspace.state.changes import Change
from yarrow.workspace.state.notices import notice
from yarrow.workspace.state.projection import ShownRun, fitted
from yarrow.workspace.state.session import WorkspaceSession
from yarrow.workspace.state.state import WorkspaceState
from yarrow.workspace.state.subtask_ends import with_ends_of_subtasks

_NAME_CHARACTERS = 40


def follow_run(workspace: Workspace, run_key: str) -> bool:
    """Append what is new in a run. Returns False if there is nothing."""
    run = runs.read(run_key)
    if run is None or run.user_id != workspace.user_id or run.agent != workspace.binding.agent:
        return False
    if run.thread_id in workspace.state.removed:  # submitted while the session was being deleted
        delete_session(run.user_id, run.thread_id)
        return False
    session = workspace.state.session(run.thread_id)
    if session is not None and run_key in session.ended_runs:
        return False
    if session is not None and session.run is not None and session.run.key != run_key:
        # A session has one run at a time: either that one has ended, or this is the late event of an old one.
        follow_run(workspace, session.run.key)
        session = workspace.state.session(run.thread_id)
    since = session.run.since if session is not None and session.run is not None and session.run.key == run_key else 1
    events = list(_events(run_key, since))
    if not events:
        return False
    question = None if session is not None and _is_ours(session, run) else _question(run)
    return workspace.append(partial(_decide, run, events, question), f"{run_key}.{events[-1][0]}")


def _decide(
    run: runs.Run,
    events: Sequence[tuple[int, Event]],
    question: str | None,
    state: WorkspaceState,
    position: LogPosition,
) -> Sequence[Change]:
    session = state.session(run.thread_id)
    if run.thread_id in state.removed or (session is not None and run.key in session.ended_runs):
        return ()
    if session is not None and session.run is not None and session.run.key != run.key:
        return ()
    begun: list[Change] = []
    session_id, through, thinking = run.thread_id if session is None else session.id, 0, False
    if session is None:
        name = (question or "").strip()[:_NAME_CHARACTERS] or notice(
            state.language, "session", number=len(state.sessions) + 1
        )
        begun.append(changes.session_added(session_id, name, position.stamp(), state.language))
    if session is not None and session.run is not None and session.run.key == run.key:
        through, thinking = session.run.through, bool(session.thinking_at)
    else:
        if question and (session is None or not (_is_ours(session, run) or _is_adopted(session, run))):
            user_message: Message = {
                "id": f"user-{run.key}",
                "role": "user",
                "content": question,
                "createdAt": position.stamp(),
            }
            begun += [changes.message(session_id, fitted(user_message)), changes.touched(session_id, position.stamp())]
        begun.append(changes.started(session_id, run.key, run.run_id, position.stamp()))
        if session is not None and session.asked:  # answered or left; what is still open is asked at the run's end
            begun.append(changes.run_questions(session_id, []))
    shown_run = ShownRun(session_id, run.key, state.language, through, thinking)
    made = projection.changes_of(shown_run, events, position.stamp)
    if session is not None and session.adopted_at:
        there = {message["id"] for message in session.messages}
        made = [change for change in made if change["op"] != changes.MESSAGE or change["message"]["id"] not in there]
    return [*begun, *(made if session is None else with_ends_of_subtasks(session, run.key, run.run_id, made))]


def _is_ours(session: WorkspaceSession, run: runs.Run) -> bool:
    """Whether a command of this workspace became the run; then the page shows the user's message already."""
    is_active = session.run is not None and session.run.key == run.key
    return (
        is_active
        or run.run_id in session.dropped
        or any(command["run_id"] == run.run_id for command in session.waiting)
    )


def _is_adopted(session: WorkspaceSession, run: runs.Run) -> bool:
    """Whether the session was adopted after the run began, so that its question is there."""
    return datetime.fromisoformat(run.created_at).timestamp() * 1000 <= session.adopted_at


def _events(run_key: str, since: int) -> Iterator[tuple[int, Event]]:
    at = journal.Position() if since <= 1 else journal.position_of(run_key, since) or journal.Position()
    for batch in journal.read(run_key, at):
        for sequence, line in batch.numbered():
            if (event := read(line)) is not None:
                yield sequence, event


def _question(run: runs.Run) -> str | None:
    """Return the user's message of a run that was submitted elsewhere, if it can be read."""
    try:
        listed = runs.read_input(run.key).get("messages") or []
        first = next((item for item in listed if item.get("role") == "user"), None)
        return None if first is None else text_of_user(first)
    except (LookupError, Problem):  # it has expired
        logger.warning("the input of a run cannot be shown", extra={"run_key": run.key})
        return None


def remove_session(workspace: Workspace, thread_id: str) -> bool:
    """Remove a session that was deleted elsewhere (C23). Returns False if it is not shown."""
    session = workspace.state.session(thread_id)
    if session is None:
        return False
    return workspace.append(
        lambda state, _: [changes.session_removed(session.id)] if state.session(session.id) else (),
        f"deleted.{session.id}",
    )
