"""A command that is being decided: its request, the state, and the changes it makes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from yarrow.agents.bindings import Binding
from yarrow.protocol.caller import Caller
from yarrow.protocol.runner.vocabulary import WorkspaceEvent
from yarrow.protocol.workspace.commands import MAX_ID, MAX_TEXT, Command, PageSettings
from yarrow.protocol.workspace.errors import CommandError, ErrorCode
from yarrow.protocol.workspace.models import Message
from yarrow.protocol.workspace.runtime_context import RuntimeContext
from yarrow.protocol.workspace.surface import LINE_CHARACTERS
from yarrow.settings import settings
from yarrow.store.workspace import keys
from yarrow.workspace.open_workspace import LogPosition
from yarrow.workspace.state import changes
from yarrow.workspace.state.changes import Change
from yarrow.workspace.state.notices import notice
from yarrow.workspace.state.projection import fitted
from yarrow.workspace.state.session import LANGUAGE_CHANGED, MAX_WAITING, PARAGRAPH, Waiting, WorkspaceSession
from yarrow.workspace.state.state import MAX_WAITING_BYTES, WorkspaceState


@dataclass(frozen=True, slots=True)
class CommandRequest:
    """A command with its caller, the page's settings and context, and the session that the page shows."""

    command: Command
    settings: PageSettings
    context: RuntimeContext | None
    caller: Caller
    active_session: str | None
    cause: str
    at_ms: int = 0
    """When API Gateway received the page's frame, in milliseconds."""


@dataclass(slots=True)
class Draft:
    """The changes of one command. Every new message and log line has its own id and time."""

    request: CommandRequest
    binding: Binding
    state: WorkspaceState
    position: LogPosition
    changes: list[Change] = field(default_factory=list)
    shows: str | None = None
    """The session that becomes the connection's active one."""
    _ids: int = 0
    _queued: int = 0

    @property
    def language(self) -> str:
        """The language of the latest command (WSP-03)."""
        known = self.request.settings.language or self.state.language or self.request.caller.locale
        return known or settings.default_locale

    @property
    def model(self) -> str:
        """The model that the user selected, if any (WSP-32)."""
        bound = (self.request.context or {}).get("model")
        named = bound[:MAX_ID] if isinstance(bound, str) else ""
        return named or self.request.settings.model or self.state.model

    @property
    def allowed_model(self) -> str | None:
        """The selected model, if the agent may use it; only a hint."""
        return self.model if self.model in self.binding.descriptor.models else None

    def session(self, session_id: str | None) -> WorkspaceSession:
        """Return the session of a command, the active one if it names none (SEC-04). Raises CommandError."""
        wanted = session_id or self.state.active(self.request.active_session)
        found = self.state.session(wanted)
        if found is None:
            raise CommandError(ErrorCode.SESSION_NOT_FOUND, "session not found")
        return found

    def takes(self, event: WorkspaceEvent) -> bool:
        """Whether the agent gets commands of this type."""
        return event in self.binding.workspace_events

    def require(self, event: WorkspaceEvent) -> None:
        """Raise CommandError unless the agent gets commands of this type."""
        if not self.takes(event):
            raise CommandError(ErrorCode.COMMAND_UNSUPPORTED, f"the agent takes no {event.partition('.')[2]}")

    def keep_settings(self, session: WorkspaceSession | None) -> None:
        """Store the page's settings; a model that the agent may not use is logged once."""
        state = self.state
        zoneinfo = self.request.caller.zoneinfo or state.zoneinfo
        if (self.language, zoneinfo, self.model) != (state.language, state.zoneinfo, state.model):
            self.changes.append(changes.settings(self.language, zoneinfo, self.model))
        if session is not None and self.model and self.model != state.model and self.allowed_model is None:
            text = notice(self.language, "model_unknown", name=self.model)
            self.log(session.id, text, level="warn", source="system")

    def rerender(self, session: WorkspaceSession) -> None:
        """Ask the agent to show the session in the new language, if it has a prompt (WSP-03)."""
        if self.language == session.language or session.prompt is None or not self.takes("workspace.init"):
            return
        if len(session.waiting) < MAX_WAITING - 1:
            self.changes.append(changes.rendered(session.id, self.language))
            self.queue(session, "workspace.init", {"reason": LANGUAGE_CHANGED})

    def is_held(self, session: WorkspaceSession) -> bool:
        """Whether the session is paused or canceled and processes nothing (WSP-16); then the conversation says so."""
        if not session.paused and not session.canceled:
            return False
        self.say(session.id, notice(self.language, "is_canceled" if session.canceled else "is_paused"))
        return True

    def precedes_control(self, session: WorkspaceSession) -> bool:
        """Whether the command was sent before the latest control that is applied already.

        API Gateway hands the frames of a connection to several functions at once.
        """
        return self.request.at_ms < session.controlled_at

    def echo(self, session_id: str, text: str, **parts: Any) -> None:
        """Append what the user did as the user's message (C55) and update the session's time."""
        self.message(session_id, {"role": "user", "content": text, **parts})
        self.touch(session_id)

    def say(self, session_id: str, text: str) -> None:
        """Append a sentence of the workspace itself."""
        self.message(session_id, {"role": "assistant", "content": text})

    def message(self, session_id: str, parts: Mapping[str, Any]) -> None:
        """Append a message with these members."""
        message = {**parts, "id": self._new_id("message"), "createdAt": self.position.stamp()}
        self.changes.append(changes.message(session_id, fitted(cast("Message", message))))

    def log(self, session_id: str, text: str, *, level: str = "info", source: str) -> None:
        self.changes.append(
            changes.log(
                session_id,
                {
                    "id": self._new_id("log"),
                    "time": self.position.stamp(),
                    "text": text[:LINE_CHARACTERS],
                    "level": level,
                    "source": source,
                },
            )
        )

    def touch(self, session_id: str) -> None:
        self.changes.append(changes.touched(session_id, self.position.stamp()))

    def queue(
        self, session: WorkspaceSession, event: str, data: Mapping[str, Any], text: str = "", **more: Any
    ) -> None:
        """Queue a command, with `more` members, for the agent. Raises CommandError if too many wait."""
        if len(session.waiting) + self._queued >= MAX_WAITING or self.state.waiting_bytes > MAX_WAITING_BYTES:
            raise CommandError(ErrorCode.TOO_MANY_WAITING, f"{MAX_WAITING} commands of the session wait already")
        command = {"type": event, "data": data, "text": text, "context": self.request.context or session.context}
        self.requeue(session, {**command, "model": self.allowed_model, **more})

    def queue_input(self, session: WorkspaceSession, text: str) -> None:
        """Queue a text for the agent. It joins a waiting text in order of arrival, as one run.

        Raises CommandError if too much waits.
        """
        part = {"at": self.request.at_ms, "text": text}
        last = session.waiting[-1] if session.waiting and not self._queued else None
        # The first one may be submitted already, unless a run is active.
        is_free = session.run is not None or len(session.waiting) > 1
        if last is not None and is_free and self._continues(session, last, text):
            self.changes.append(changes.joined(session.id, last["run_id"], part))
            return
        self.queue(session, "workspace.input", {"text": text}, text, parts=[part])

    def _continues(self, session: WorkspaceSession, last: Waiting, text: str) -> bool:
        """Whether a text may join a command: an earlier text, under the same context and model, with room for it."""
        same = (last.get("context"), last.get("model")) == (self.request.context or session.context, self.allowed_model)
        fits = len(last["text"]) + len(PARAGRAPH) + len(text) <= MAX_TEXT
        return bool(last.get("parts")) and same and fits and self.state.waiting_bytes <= MAX_WAITING_BYTES

    def requeue(self, session: WorkspaceSession, command: Mapping[str, Any]) -> None:
        """Queue a command as a new run."""
        run_id = keys.run_id_of(self.position.workspace, self.position.number, self._queued)
        self._queued += 1
        self.changes.append(changes.queued(session.id, {**command, "run_id": run_id}))

    def _new_id(self, kind: str) -> str:
        self._ids += 1
        return f"{kind}-{keys.run_id_of(self.position.workspace, self.position.number)[:13]}-{self._ids}"


def joined_parts(*parts: str) -> str:
    """Join the non-empty parts of a line with colons."""
    return ": ".join(filter(None, parts))


def names_of(files: Sequence[Any]) -> str:
    return ", ".join(file.name for file in files)
