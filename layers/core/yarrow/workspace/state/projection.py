"""A run's events as changes of its session: one pure function, whichever door the run came through (CMP-09).

It goes on where it stopped: changes of a prefix of the events and then of the rest are the changes of all. A text that
streams is one message at its end.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, cast

from yarrow.formats import json_text
from yarrow.protocol.events import events
from yarrow.protocol.workspace import surface
from yarrow.protocol.workspace.models import MAX_MESSAGE_BYTES, Artifact, Log, Message
from yarrow.workspace.state import changes
from yarrow.workspace.state.changes import Change
from yarrow.workspace.state.notices import notice

Stamp = Callable[[], int]
"""The next time of a message in milliseconds, later than all before."""

CANCELED: Final = "RUN_CANCELED"
_CUT: Final = "…"
_NO_REASON: Final = frozenset({"", "the agent failed"})


@dataclass(frozen=True, slots=True)
class Shown:
    """Which run of which session is shown, in which language, through which of its events already, and whether as
    thinking.
    """

    session_id: str
    run_key: str
    language: str
    through: int
    thinking: bool = False


@dataclass(slots=True)
class _Open:
    """What has begun and not ended: texts, and the parts of messages whose text follows; each with its first event."""

    texts: dict[str, list[str]] = field(default_factory=dict)
    parts: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    roles: dict[str, str] = field(default_factory=dict)
    since: dict[str, int] = field(default_factory=dict)

    def begin(self, message_id: str, sequence: int) -> None:
        self.since.setdefault(message_id, sequence)

    def end(self, message_id: str) -> tuple[str, str, Mapping[str, Any]]:
        """Role, text and parts of a message that is complete."""
        self.since.pop(message_id, None)
        text = "".join(self.texts.pop(message_id, ()))
        return self.roles.pop(message_id, "assistant"), text, self.parts.pop(message_id, {})


def changes_of(shown: Shown, numbered: Iterable[tuple[int, events.Event]], stamp: Stamp) -> list[Change]:
    """The changes that events after `shown.through` make; none if nothing of them is shown.

    `numbered` events begin early enough to have the beginning of all that was open: where the change `progressed` said.
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


def _changes(shown: Shown, opened: _Open, sequence: int, event: events.Event, stamp: Stamp) -> list[Change]:
    is_new = sequence > shown.through
    match event:
        case events.TextMessageStart(message_id=name, role=role):
            opened.begin(name, sequence)
            opened.roles[name] = role
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


def _custom(shown: Shown, sequence: int, name: str, value: Any, stamp: Stamp) -> list[Change]:
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


def _of_work(shown: Shown, sequence: int, event: events.Event, stamp: Stamp) -> list[Change]:
    session_id, key = shown.session_id, shown.run_key
    match event:
        case events.StepStarted(step_name=name) | events.StepFinished(step_name=name):
            said = f"{name}: {'started' if isinstance(event, events.StepStarted) else 'finished'}"
            return [changes.log(session_id, _line(shown, sequence, stamp(), said, "debug"))]
        case events.ToolCallStart(tool_call_name=name):
            said = f"tool {name}"
            return [changes.log(session_id, _line(shown, sequence, stamp(), said, "info"))]
        case events.RunFinished():
            return [changes.ended(session_id, key, thinking=shown.thinking), changes.touched(session_id, stamp())]
        case events.RunError(message=reason, code=code):
            level = "warn" if code == CANCELED else "error"
            found = [changes.log(session_id, _line(shown, sequence, stamp(), reason, level))]
            if code != CANCELED:
                said = _failure(shown.language, reason)
                found.append(_message(session_id, f"error-{key}", said, {}, stamp()))
            ended = changes.ended(session_id, key, thinking=shown.thinking, error=code or "runner.error")
            return [*found, ended, changes.touched(session_id, stamp())]
    return []


def _failure(language: str, reason: str) -> str:
    """What the page says of a run that failed; `reason` may be no more than that it did."""
    if reason.strip().rstrip(".").casefold() in _NO_REASON:
        return notice(language, "failed_unexplained")
    return notice(language, "failed", reason=reason)


def artifact_of(value: Mapping[str, Any]) -> Artifact:
    """A stored artifact as the page lists it (WSP-28). Its URL is signed when it is sent."""
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
    """A message with its text cut to what the conversation shows; all of it is in the history."""
    text = message["content"]
    if len(text) > surface.CONTENT_CHARACTERS:
        text = text[: surface.CONTENT_CHARACTERS - 1] + _CUT
    while len(json_text.dumps({**message, "content": text}).encode()) > MAX_MESSAGE_BYTES and len(text) > 1:
        text = text[: len(text) // 2] + _CUT
    return message if text is message["content"] else {**message, "content": text}


def _line(shown: Shown, sequence: int, at: int, text: str, level: str, source: str | None = None) -> Log:
    return {
        "id": f"{shown.run_key}.{sequence}",
        "time": at,
        "text": text[: surface.LINE_CHARACTERS],
        "level": level,
        "source": source or "execution",
    }
