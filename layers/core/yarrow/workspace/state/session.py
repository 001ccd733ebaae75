"""One session of a workspace and how each change applies to it. Pure and total; every list is bounded."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, Final, Self

from yarrow.formats import json_text
from yarrow.protocol.workspace.models import Artifact, Execution, Log, Message, Prompt, SessionEntry, Subtask
from yarrow.protocol.workspace.surface import MAX_PROMPT_BYTES, MAX_QUESTIONS
from yarrow.workspace.state import changes
from yarrow.workspace.state.changes import Change

MAX_MESSAGES: Final = 200
MAX_LOGS: Final = 200
MAX_ARTIFACTS: Final = 100
MAX_WAITING: Final = 20
MAX_KNOWN_RUNS: Final = 30
MAX_SEEN: Final = 100

PARAGRAPH: Final = "\n\n"
"""Between texts that join."""

LANGUAGE_CHANGED: Final = "language_changed"
"""The `reason` of a `workspace.init` that asks for another language."""

NOT_DONE: Final = frozenset({"running", "pending", "review"})
"""The statuses of subtasks that a cancel makes `failed` (WSP-17)."""

Waiting = Mapping[str, Any]
"""A command for the agent: `run_id`, `type`, `data`, `text`."""


@dataclass(frozen=True)
class ActiveRun:
    """The active run of a session: its events up to `through` are shown; what is open began at event `since`.

    `command` is what it answers, None for a run that was submitted elsewhere.
    """

    key: str
    run_id: str
    at: int
    through: int = 0
    since: int = 1
    command: Waiting | None = None

    @property
    def may_show_thinking(self) -> bool:
        """Whether pages show it as thinking, which locks their input: not while it only renders another language."""
        command = self.command
        return command is None or command["data"].get("reason") != LANGUAGE_CHANGED


@dataclass(frozen=True)
class WorkspaceSession:
    """A session as its page shows it, and the commands that wait for its agent."""

    id: str
    name: str
    updated_at: int
    language: str
    messages: tuple[Message, ...] = ()
    prompt: Prompt | None = None
    subtasks: tuple[Subtask, ...] = ()
    artifacts: tuple[Artifact, ...] = ()
    logs: tuple[Log, ...] = ()
    context: Mapping[str, Any] | None = None
    paused: bool = False
    canceled: bool = False
    started: bool = False
    waiting: tuple[Waiting, ...] = ()
    run: ActiveRun | None = None
    thinking_at: int = 0
    """When pages began to show the run as thinking, in milliseconds; 0 if they do not."""
    has_older: bool = False
    """Whether its oldest messages were left out; the history has them."""
    paused_at: int = 0
    """When API Gateway received the latest pause, in milliseconds."""
    canceled_at: int = 0
    freed_at: int = 0
    """When API Gateway received the latest resume or retry."""
    stopping: str | None = None
    """The key of the run to stop."""
    held: Waiting | None = None
    """The command whose run was paused."""
    latest: Waiting | None = None
    """The latest command that was not about the work itself, for a retry."""
    dropped: tuple[str, ...] = ()
    """The runIds of commands that were dropped, one of which may have become a run."""
    ended_runs: tuple[str, ...] = ()
    adopted_at: int = 0
    """When it was adopted, if it is older than the workspace, in milliseconds."""
    seen: tuple[str, ...] = ()
    """Marks of files that were processed."""
    asked: tuple[str, ...] = ()
    """The ids of the prompt's questions that the session's last run ended with."""

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Self:
        known = {field.name for field in fields(cls)}
        values: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in document.items()
            if name in known
        }
        if values.get("run") is not None:
            values["run"] = ActiveRun(**values["run"])
            values.setdefault("thinking_at", values["run"].at)  # older documents showed every run as thinking
        return cls(**values)

    def document(self) -> dict[str, Any]:
        run = None if self.run is None else {field.name: getattr(self.run, field.name) for field in fields(ActiveRun)}
        return {**{field.name: getattr(self, field.name) for field in fields(self)}, "run": run}

    @cached_property
    def size(self) -> int:
        """Its size in bytes of JSON."""
        return len(json_text.dumps(self.document()).encode())

    @property
    def entry(self) -> SessionEntry:
        """Its entry in the list (WSP-20)."""
        return {"id": self.id, "name": self.name, "updatedAt": self.updated_at}

    @property
    def execution(self) -> Execution:
        """The state of its work (WSP-30)."""
        return {"paused": self.paused, "canceled": self.canceled, "started": self.started}

    @property
    def controlled_at(self) -> int:
        """When API Gateway received the latest pause, resume, retry or cancel."""
        return max(self.paused_at, self.canceled_at, self.freed_at)

    @property
    def thinking(self) -> Message | None:
        """The placeholder of the agent's next message (C55), if shown."""
        if self.run is None or not self.thinking_at:
            return None
        return thinking_message(self.run.key, self.thinking_at)

    def question(self, question_id: str) -> Mapping[str, Any] | None:
        return next(
            (question for question in (self.prompt or {}).get("questions", ()) if question["id"] == question_id), None
        )

    def without_oldest(self) -> Self | None:
        """Return the session without the oldest tenth of its largest list; None if all are empty."""
        lists: dict[str, tuple[Any, ...]] = {"messages": self.messages, "logs": self.logs, "artifacts": self.artifacts}
        sizes = {name: len(json_text.dumps(items)) for name, items in lists.items() if items}
        if not sizes:
            return None
        name = max(sizes, key=sizes.__getitem__)
        left = lists[name][max(1, len(lists[name]) // 10) :]
        return replace(
            self,
            messages=left if name == "messages" else self.messages,
            has_older=self.has_older or name == "messages",
            logs=left if name == "logs" else self.logs,
            artifacts=left if name == "artifacts" else self.artifacts,
        )


def thinking_message(run_key: str, at: int) -> Message:
    """Return the placeholder message of a run that has not answered yet."""
    return {"id": f"thinking-{run_key}", "role": "assistant", "content": "…", "createdAt": at, "_thinking": True}


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
