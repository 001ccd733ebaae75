"""Projects a run's events to changes of its session: a pure function, however the run was submitted (CMP-09).

It can resume: the changes of a prefix of the events and then of the rest equal the changes of all. A streamed text
becomes one message at its end.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, cast

from yarrow.formats import json_text
from yarrow.protocol.events import events
from yarrow.protocol.workspace import surface
from yarrow.protocol.workspace.models import MAX_MESSAGE_BYTES, Artifact, Log, Message
from yarrow.workspace.state import asked, changes
from yarrow.workspace.state.changes import Change
from yarrow.workspace.state.notices import notice

Stamp = Callable[[], int]
"""The next time of a message in milliseconds, later than all before."""

CANCELED: Final = "RUN_CANCELED"
_CUT: Final = "…"
_NO_REASON: Final = frozenset({"", "the agent failed"})


@dataclass(frozen=True, slots=True)
class ShownRun:
    """The run that is shown: its session, the language, the last event shown, and whether it shows as thinking."""

    session_id: str
    run_key: str
    language: str
    through: int
    thinking: bool = False


@dataclass(slots=True)
class _Open:
    """Texts that are not complete, and the parts of messages whose text follows, each with its first event."""

    texts: dict[str, list[str]] = field(default_factory=dict)
    parts: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    roles: dict[str, str] = field(default_factory=dict)
    since: dict[str, int] = field(default_factory=dict)

    def begin(self, message_id: str, sequence: int) -> None:
        self.since.setdefault(message_id, sequence)

    def end(self, message_id: str) -> tuple[str, str, Mapping[str, Any]]:
        """Return role, text and parts of a message that is complete."""
        self.since.pop(message_id, None)
        text = "".join(self.texts.pop(message_id, ()))
        return self.roles.pop(message_id, "assistant"), text, self.parts.pop(message_id, {})


def changes_of(shown: ShownRun, numbered: Iterable[tuple[int, events.Event]], stamp: Stamp) -> list[Change]:
    """Return the changes of the events after `shown.through`; none if none of these is shown.

    `numbered` must begin at the `since` of the change `progressed`, to have the beginning of all that was open.
    """
    opened = _Open()
    found: list[Change] = []
    last = shown.through
    for sequence, event in numbered:
        made = _changes(shown, opened, sequence, event, stamp)
        if sequence > shown.through:
            found += made
            last = sequence
    if not found:
        return []
    since = min(opened.since.values(), default=last + 1)
    return [*found, changes.progressed(shown.session_id, shown.run_key, last, since)]


def _changes(shown: ShownRun, opened: _Open, sequence: int, event: events.Event, stamp: Stamp) -> list[Change]:
    is_new = sequence > shown.through
    match event:
        case events.TextMessageStart(message_id=name, role=role):
            opened.begin(name, sequence)
            opened.roles[name] = role if event.subagent_run_id is None else "subagent"
        case events.TextMessageContent(message_id=name, delta=delta):
            opened.texts.setdefault(name, []).append(delta)
        case events.TextMessageEnd(message_id=name):
            role_then, text, parts = opened.end(name)
            if is_new and role_then == "assistant" and (text or parts):
                return [_message(shown.session_id, name, text, parts, stamp())]
        case events.Custom(name=surface.MESSAGE, value=value):
            parts = dict(value)
            message_id = parts.pop("messageId")
            opened.begin(message_id, sequence)
            opened.parts[message_id] = parts
        case events.Custom(name=name, value=value) if is_new:
            return _custom(shown, sequence, name, value, stamp)
        case _ if is_new:
            return _of_work(shown, sequence, event, stamp)
    return []


def _custom(shown: ShownRun, sequence: int, name: str, value: Any, stamp: Stamp) -> list[Change]:
    session_id = shown.session_id
    match name:
        case surface.PROMPT:
            return [changes.prompt(session_id, value)]
        case surface.QUESTION:
            return [changes.question(session_id, surface.question_document(value["question"]))]
        case surface.SUBTASKS:
            return [changes.subtasks(session_id, value["items"], stamp())]
        case surface.LOG:
            line = _line(shown, sequence, stamp(), value["text"], value.get("level", "info"), value.get("source"))
            if "key" in value:
                line["key"] = value["key"]
            return [changes.log(session_id, line)]
        case "artifact.created":
            return [changes.artifact(session_id, artifact_of(value))]
    return []


def _of_work(shown: ShownRun, sequence: int, event: events.Event, stamp: Stamp) -> list[Change]:
    session_id, key = shown.session_id, shown.run_key
    match event:
        case events.StepStarted(step_name=name) | events.StepFinished(step_name=name):
            text = f"{name}: {'started' if isinstance(event, events.StepStarted) else 'finished'}"
            return [changes.log(session_id, _line(shown, sequence, stamp(), text, "debug"))]
        case events.ToolCallStart(tool_call_name=name):
            text = f"tool {name}"
            return [changes.log(session_id, _line(shown, sequence, stamp(), text, "info"))]
        case events.RunFinished(outcome=outcome):
            ended = changes.ended(session_id, key, thinking=shown.thinking)
            return [ended, *_asked(shown, outcome), changes.touched(session_id, stamp())]
        case events.RunError(message=reason, code=code):
            level = "warn" if code == CANCELED else "error"
            found = [changes.log(session_id, _line(shown, sequence, stamp(), reason, level))]
            if code != CANCELED:
                text = _failure(shown.language, reason)
                found.append(_message(session_id, f"error-{key}", text, {}, stamp()))
            ended = changes.ended(session_id, key, thinking=shown.thinking, error=code or "runner.error")
            return [*found, ended, changes.touched(session_id, stamp())]
    return []


def _asked(shown: ShownRun, outcome: Mapping[str, Any] | None) -> list[Change]:
    """Return the change by which the page asks what the run has ended with."""
    interrupts = (outcome or {}).get("interrupts", ())
    questions = [question for one in interrupts for question in asked.shown(one, shown.language)]
    return [changes.run_questions(shown.session_id, questions)] if questions else []


def _failure(language: str, reason: str) -> str:
    """Return the notice of a failed run; a `reason` may say no more than that it failed."""
    if reason.strip().rstrip(".").casefold() in _NO_REASON:
        return notice(language, "failed_unexplained")
    return notice(language, "failed", reason=reason)


def artifact_of(value: Mapping[str, Any]) -> Artifact:
    """Return a stored artifact as the page lists it (WSP-28). Its URL is signed when it is sent."""
    artifact_id = value["artifact_id"]
    name = value.get("name") or artifact_id
    return {
        "id": artifact_id,
        "type": value["artifact_type"],
        "title": name,
        "filePath": f"artifacts/{artifact_id}/{name}",
        "relativePath": name,
    }


def _message(session_id: str, message_id: str, text: str, parts: Mapping[str, Any], at: int) -> Change:
    whole = {**parts, "id": message_id, "role": "assistant", "content": text, "createdAt": at}
    return changes.message(session_id, fitted(cast("Message", whole)))


def fitted(message: Message) -> Message:
    """Return a message with its text cut to the conversation's limit; the history has all of it."""
    text = message["content"]
    if len(text) > surface.CONTENT_CHARACTERS:
        text = text[: surface.CONTENT_CHARACTERS - 1] + _CUT
    while len(json_text.dumps({**message, "content": text}).encode()) > MAX_MESSAGE_BYTES and len(text) > 1:
        text = text[: len(text) // 2] + _CUT
    return message if text is message["content"] else {**message, "content": text}


def _line(shown: ShownRun, sequence: int, at: int, text: str, level: str, source: str | None = None) -> Log:
    return {
        "id": f"{shown.run_key}.{sequence}",
        "time": at,
        "text": text[: surface.LINE_CHARACTERS],
        "level": level,
        "source": source or "execution",
    }
