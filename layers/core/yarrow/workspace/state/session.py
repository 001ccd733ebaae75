"""One session of a workspace, as its page shows it."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, Final, Self

from yarrow.formats import json_text
from yarrow.protocol.workspace.models import Artifact, Execution, Log, Message, Prompt, SessionEntry, Subtask

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
