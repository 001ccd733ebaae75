"""Submits waiting commands as runs, and stops runs, as the state demands.

Idempotent, so any caller may do it: a command's runId is derived from its entry, and the log shows what was done.
"""

from functools import partial
from typing import Any, Final

from yarrow.formats import json_text
from yarrow.observability.logs import logger
from yarrow.protocol.caller import Caller
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.run_input.trigger import Trigger
from yarrow.protocol.runner.vocabulary import INTERACTION_SUBMITTED
from yarrow.runs import cancel_run
from yarrow.runs.start_execution import start_execution
from yarrow.runs.submit_run import TaskAccepted, submit_run
from yarrow.store import clock, runs
from yarrow.workspace.follow_run import follow_run
from yarrow.workspace.open_workspace import LogPosition, Workspace
from yarrow.workspace.state import asked, changes
from yarrow.workspace.state.changes import Change
from yarrow.workspace.state.notices import notice
from yarrow.workspace.state.session import Waiting, WorkspaceSession
from yarrow.workspace.state.state import WorkspaceState

_ROUNDS: Final = 4
_SERVER_ERROR: Final = 500
_LONG_MS: Final = 60_000
THINKING_MS: Final = 2_000
"""How long a run lasts before pages show that the agent is thinking: only a snapshot can remove that, and most runs end
sooner.
"""
_SOURCE: Final = "webui"


def advance(workspace: Workspace) -> None:
    """Submit and stop runs until no session needs it. Raises what the store and the state machine raise."""
    started: set[str] = set()
    for _ in range(_ROUNDS):
        before = workspace.state.number
        for session in workspace.state.sessions:
            _advance_session(workspace, session, started)
        if workspace.state.number == before:
            return


def _advance_session(workspace: Workspace, session: WorkspaceSession, started: set[str]) -> None:
    """Advance one session; `started` are the runs that this call has started already."""
    run = session.run
    if session.stopping is not None:
        cancel_run.stop(session.stopping)
        follow_run(workspace, session.stopping)
    elif run is not None:
        # The worker that submitted it may have died before starting it.
        if run.command is not None and run.through <= 1 and run.key not in started:
            submitted = runs.must_read(run.key)
            if submitted.phase == "queued":
                start_execution(submitted)
            started.add(run.key)
        goes_on_for = clock.now_ms() - run.at
        is_slow = goes_on_for >= THINKING_MS and not session.thinking_at and run.may_show_thinking
        if is_slow or goes_on_for > _LONG_MS:
            follow_run(workspace, run.key)  # the record of its end may be late, or have been lost
        if is_slow:
            workspace.append(partial(_think, session.id, run.key), f"thinking.{run.key}")
    elif session.waiting and not session.paused and not session.canceled:
        started.add(runs.key_of(workspace.user_id, session.id, session.waiting[0]["run_id"]))
        _submit(workspace, session, session.waiting[0])


def thinking_due(state: WorkspaceState) -> int:
    """Return when to show the next run as thinking, in milliseconds; 0 if no run waits for that."""
    due = [
        session.run.at + THINKING_MS
        for session in state.sessions
        if session.run is not None and not session.thinking_at and session.run.may_show_thinking
    ]
    return min(due, default=0)


def _think(session_id: str, run_key: str, state: WorkspaceState, position: LogPosition) -> list[Change]:
    """Return the change that shows a run as thinking, if it is still active."""
    session = state.session(session_id)
    if session is None or session.run is None or session.run.key != run_key or session.thinking_at:
        return []
    return [changes.thinking(session_id, run_key, position.stamp())]


def _submit(workspace: Workspace, session: WorkspaceSession, command: Waiting) -> None:
    try:
        accepted = _accepted(workspace, session, command)
    except Problem as problem:
        if problem.code is Code.AGENT_RUN_IN_PROGRESS:
            return  # another run was submitted elsewhere; its end is shown here
        if problem.code is Code.AGENT_RUN_CONFLICT:
            # It was submitted before the session changed.
            follow_run(workspace, runs.key_of(workspace.user_id, session.id, command["run_id"]))
            return
        if problem.status >= _SERVER_ERROR:
            raise
        logger.warning("a command was refused", extra={"code": problem.code.name})
        workspace.append(partial(_drop, session.id, command["run_id"], problem.detail), f"drop.{command['run_id']}")
        return
    follow_run(workspace, accepted.run.key)


def _accepted(workspace: Workspace, session: WorkspaceSession, command: Waiting) -> TaskAccepted:
    """Submit a command, or answer the question that it replies to. Raises Problem."""
    caller = Caller(workspace.user_id, workspace.state.language or None, workspace.state.zoneinfo)
    if command["type"] == INTERACTION_SUBMITTED:
        return _answered(caller, session, command)
    return submit_run(
        json_text.dumps(_body(session, command)).encode(),
        caller,
        workspace.binding.agent,
        trigger=Trigger(command["type"], _SOURCE, _data(session, command)),
    )


def _answered(caller: Caller, session: WorkspaceSession, command: Waiting) -> TaskAccepted:
    """Answer the question that a command replies to. Raises Problem."""
    from yarrow.protocol.interrupts import ResumeEntry  # here: few commands reply to any
    from yarrow.runs.answer_questions import answer_questions
    from yarrow.store import questions

    question_id, reply = command["data"]["questionId"], command["data"]["reply"]
    (question,) = questions.read(caller.user_id, [question_id])
    if question is None:
        raise Problem(Code.AGENT_INTERRUPT_NOT_FOUND, "there is no such question")
    payload = asked.payload_of(question.kind, question.schema, reply)
    entry = ResumeEntry(question_id, "resolved", payload)
    return answer_questions(caller, session.id, command["run_id"], [entry], covers_all=False)


def _body(session: WorkspaceSession, command: Waiting) -> dict[str, Any]:
    text = command["text"]
    messages = [{"id": f"message-{command['run_id']}", "role": "user", "content": text}] if text else []
    return {
        "threadId": session.id,
        "runId": command["run_id"],
        "messages": messages,
        "state": {},
        "tools": [],
        "context": [],
        "forwardedProps": {"runtime_mode": "chat"},
    }


def _data(session: WorkspaceSession, command: Waiting) -> dict[str, Any]:
    """Return the data of the runner's event: the command, and its session's context, model and prompt."""
    context, model = command.get("context"), command.get("model")
    return {**command["data"], "runtimeContext": context, "model": model, "prompt": session.prompt}


def _drop(session_id: str, run_id: str, reason: str, state: WorkspaceState, position: LogPosition) -> list[Change]:
    session = state.session(session_id)
    if session is None or not any(command["run_id"] == run_id for command in session.waiting):
        return []
    text = notice(state.language, "not_taken", reason=reason)
    return [
        changes.dropped(session_id, run_id),
        changes.log(
            session_id,
            {"id": f"log-{run_id}", "time": position.stamp(), "text": text, "level": "error", "source": "system"},
        ),
        changes.message(
            session_id,
            {"id": f"refused-{run_id}", "role": "assistant", "content": text, "createdAt": position.stamp()},
        ),
        changes.touched(session_id, position.stamp()),
    ]
