"""Applies changes to a session of a workspace. Pure and total; every list is bounded."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from yarrow.formats import json_text
from yarrow.protocol.workspace.models import Subtask
from yarrow.protocol.workspace.surface import MAX_PROMPT_BYTES, MAX_QUESTIONS
from yarrow.workspace.state import changes
from yarrow.workspace.state.changes import Change
from yarrow.workspace.state.session import (
    MAX_ARTIFACTS,
    MAX_KNOWN_RUNS,
    MAX_LOGS,
    MAX_MESSAGES,
    MAX_SEEN,
    MAX_WAITING,
    NOT_DONE,
    PARAGRAPH,
    ActiveRun,
    Waiting,
    WorkspaceSession,
)


def apply(session: WorkspaceSession, change: Change) -> WorkspaceSession:
    """Return the session after a change; unknown changes are ignored."""
    handle = _HANDLERS.get(change["op"])
    return session if handle is None else handle(session, change)


def _message(session: WorkspaceSession, change: Change) -> WorkspaceSession:
    messages = (*session.messages, change["message"])
    has_older = session.has_older or len(messages) > MAX_MESSAGES
    return replace(session, messages=messages[-MAX_MESSAGES:], has_older=has_older)


def _selected(session: WorkspaceSession, change: Change) -> WorkspaceSession:
    choice: Any = {"selectedOptionId": change["option"]}
    found: list[Any] = [
        {**message, **choice} if message["id"] == change["message"] else message for message in session.messages
    ]
    return replace(session, messages=tuple(found))


def _prompt(session: WorkspaceSession, change: Change) -> WorkspaceSession:
    return replace(session, prompt=change["prompt"] or None)


def _question(session: WorkspaceSession, change: Change) -> WorkspaceSession:
    current, new = session.prompt or {"text": ""}, change["question"]
    questions = list(current.get("questions", ()))
    places = [index for index, question in enumerate(questions) if question["id"] == new["id"]]
    if places:
        questions[places[0]] = new
    else:
        questions.append(new)
    prompt = {**current, "questions": questions}
    fits = len(questions) <= MAX_QUESTIONS and len(json_text.dumps(prompt).encode()) <= 2 * MAX_PROMPT_BYTES
    return replace(session, prompt=prompt) if fits else session


def _answered(session: WorkspaceSession, change: Change) -> WorkspaceSession:
    if session.prompt is None:
        return session
    questions = [
        {**question, **change["answer"]} if question["id"] == change["question"] else question
        for question in session.prompt.get("questions", ())
    ]
    return replace(session, prompt={**session.prompt, "questions": questions})


def _asked(session: WorkspaceSession, change: Change) -> WorkspaceSession:
    current = session.prompt or {"text": ""}
    own = [question for question in current.get("questions", ()) if question["id"] not in session.asked]
    new = [*change["questions"]][: max(0, MAX_QUESTIONS - len(own))]
    prompt: Any = {**current, "questions": [*own, *new]}
    if len(json_text.dumps(prompt).encode()) > 2 * MAX_PROMPT_BYTES:
        prompt, new = {**current, "questions": own}, []
    is_empty = not (own or new or prompt.get("text") or prompt.get("attachmentPolicy"))
    asked = tuple(question["id"] for question in new)
    return replace(session, prompt=None if is_empty else prompt, asked=asked)


def _subtasks(session: WorkspaceSession, change: Change) -> WorkspaceSession:
    before = {subtask["key"]: subtask for subtask in session.subtasks}
    items: list[Subtask] = []
    for item in change["items"]:
        was = before.get(item["key"])
        same = was is not None and {**item, "updatedAt": was["updatedAt"]} == was
        changed: Any = {**item, "updatedAt": change["at"]}
        items.append(was if was is not None and same else changed)
    return replace(session, subtasks=tuple(items))


def _reset(session: WorkspaceSession, change: Change) -> WorkspaceSession:
    items = [{**subtask, "status": "pending"} for subtask in session.subtasks]
    prompt = session.prompt
    if prompt is not None:
        prompt = {**prompt, "questions": [_unanswered(question) for question in prompt.get("questions", ())]}
    done = _abandon(_subtasks(session, {"items": [_without_time(item) for item in items], "at": change["at"]}))
    return replace(done, prompt=prompt, paused=False, canceled=False)


def _unanswered(question: Mapping[str, Any]) -> Mapping[str, Any]:
    empty: dict[str, Any] = {name: "" for name in ("selectedOptionId", "answerValue") if name in question}
    return {**{name: value for name, value in question.items() if name != "uploaded"}, **empty}


def _without_time(item: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in item.items() if name != "updatedAt"}


def _abandoned(session: WorkspaceSession, change: Change) -> WorkspaceSession:
    items = [
        {**_without_time(subtask), "status": "failed" if subtask["status"] in NOT_DONE else subtask["status"]}
        for subtask in session.subtasks
    ]
    return _abandon(_subtasks(session, {"items": items, "at": change["at"]}))


def _abandon(session: WorkspaceSession) -> WorkspaceSession:
    """Stop the run and drop everything that waits."""
    dropped = (*session.dropped, *(command["run_id"] for command in session.waiting))[-2 * MAX_WAITING :]
    stopping = session.stopping if session.run is None else session.run.key
    return replace(session, waiting=(), held=None, dropped=dropped, stopping=stopping)


def _held(session: WorkspaceSession, _: Change) -> WorkspaceSession:
    if session.run is None or session.run.command is None:
        return session
    return replace(session, stopping=session.run.key, held=session.run.command)


def _queued(session: WorkspaceSession, change: Change) -> WorkspaceSession:
    command = change["command"]
    is_work = command["type"] not in ("workspace.control", "workspace.init")
    return replace(
        session,
        waiting=(*session.waiting, command),
        latest=command if is_work else session.latest,
    )


def _joined(session: WorkspaceSession, change: Change) -> WorkspaceSession:
    waiting = tuple(
        _with_part(command, change["part"]) if command["run_id"] == change["run_id"] else command
        for command in session.waiting
    )
    latest = session.latest
    if latest is not None and latest["run_id"] == change["run_id"]:
        latest = _with_part(latest, change["part"])
    return replace(session, waiting=waiting, latest=latest)


def _with_part(command: Waiting, part: Mapping[str, Any]) -> Waiting:
    """Return an input with one more text, ordered by time; texts of equal time stay in order of arrival."""
    parts = sorted((*command.get("parts", ()), part), key=lambda item: item["at"])
    text = PARAGRAPH.join(part["text"] for part in parts)
    return {**command, "text": text, "data": {"text": text}, "parts": parts}


def _dropped(session: WorkspaceSession, change: Change) -> WorkspaceSession:
    return replace(
        session, waiting=tuple(command for command in session.waiting if command["run_id"] != change["run_id"])
    )


def _started(session: WorkspaceSession, change: Change) -> WorkspaceSession:
    key, run_id = change["run"], change["run_id"]
    if key in session.ended_runs or (session.run is not None and session.run.key == key):
        return session
    command = next((waiting for waiting in session.waiting if waiting["run_id"] == run_id), None)
    run = ActiveRun(key, run_id, change["at"], command=command)
    is_late = run_id in session.dropped or (session.paused and command is not None)
    return replace(
        session,
        run=run,
        thinking_at=change.get("thinking_at", change["at"]),
        started=True,
        waiting=tuple(command for command in session.waiting if command["run_id"] != run_id),
        stopping=key if is_late else session.stopping,
        held=command if session.paused and command is not None else session.held,
    )


def _thinking(session: WorkspaceSession, change: Change) -> WorkspaceSession:
    is_current = session.run is not None and session.run.key == change["run"]
    return replace(session, thinking_at=change["at"]) if is_current else session


def _progressed(session: WorkspaceSession, change: Change) -> WorkspaceSession:
    if session.run is None or session.run.key != change["run"]:
        return session
    return replace(session, run=replace(session.run, through=change["through"], since=change["since"]))


def _ended(session: WorkspaceSession, change: Change) -> WorkspaceSession:
    key = change["run"]
    is_current = session.run is not None and session.run.key == key
    return replace(
        session,
        run=None if is_current else session.run,
        thinking_at=0 if is_current else session.thinking_at,
        stopping=None if session.stopping == key else session.stopping,
        ended_runs=(*(ended for ended in session.ended_runs if ended != key), key)[-MAX_KNOWN_RUNS:],
    )


def _execution(session: WorkspaceSession, change: Change) -> WorkspaceSession:
    state = change["state"]
    held = session.held if state["paused"] else None
    asked_at, action = change.get("asked_at", 0), change.get("action")
    return replace(
        session,
        paused=state["paused"],
        canceled=state["canceled"],
        started=state["started"],
        paused_at=max(session.paused_at, asked_at if action == "pause" else 0),
        canceled_at=max(session.canceled_at, asked_at if action == "cancel" else 0),
        freed_at=max(session.freed_at, asked_at if action in ("resume", "retry") else 0),
        held=held,
    )


_HANDLERS: Final[Mapping[str, Callable[[WorkspaceSession, Change], WorkspaceSession]]] = {
    changes.TOUCHED: lambda session, change: replace(session, updated_at=change["at"]),
    changes.MESSAGE: _message,
    changes.SELECTED: _selected,
    changes.PROMPT: _prompt,
    changes.QUESTION: _question,
    changes.ANSWERED: _answered,
    changes.SUBTASKS: _subtasks,
    changes.LOG: lambda session, change: replace(session, logs=(*session.logs, change["log"])[-MAX_LOGS:]),
    changes.ARTIFACT: lambda session, change: replace(
        session, artifacts=(*session.artifacts, change["artifact"])[-MAX_ARTIFACTS:]
    ),
    changes.EXECUTION: _execution,
    changes.CONTEXT: lambda session, change: replace(session, context=change["context"]),
    changes.ASKED: _asked,
    changes.RESET: _reset,
    changes.QUEUED: _queued,
    changes.JOINED: _joined,
    changes.DROPPED: _dropped,
    changes.HELD: _held,
    changes.ABANDONED: _abandoned,
    changes.STARTED: _started,
    changes.THINKING: _thinking,
    changes.PROGRESSED: _progressed,
    changes.ENDED: _ended,
    changes.SEEN: lambda session, change: replace(session, seen=(*session.seen, *change["marks"])[-MAX_SEEN:]),
    changes.RENDERED: lambda session, change: replace(session, language=change["language"]),
}
