"""What the workspace page draws of its state: what it shows, what React warns of, and what unmounts it."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]


@dataclass
class Kept:
    """The page's state; all but the first two by session id."""

    sessions: list[Json] = field(default_factory=list)
    active: str = ""
    conversations: Json = field(default_factory=dict)
    subtasks: Json = field(default_factory=dict)
    subtask_logs: Json = field(default_factory=dict)
    artifacts: Json = field(default_factory=dict)
    runtime_logs: Json = field(default_factory=dict)
    prompts: Json = field(default_factory=dict)
    runtime_contexts: Json = field(default_factory=dict)
    execution_states: Json = field(default_factory=dict)


class WhitePageError(AssertionError):
    """React unmounts the page: the user sees nothing more until a reload."""


def shown(state: Kept, session: str) -> list[Json]:
    """A conversation sorted by createdAt; ties keep the order in which they came."""
    messages = state.conversations.get(session)
    if not isinstance(messages, list):
        return []
    return sorted(messages, key=lambda message: _number(message.get("createdAt")))


def label_of(execution: Json | None) -> str:
    """Return the word on a session for its execution state."""
    execution = execution or {}
    if execution.get("canceled"):
        return "Canceled"
    if execution.get("paused"):
        return "Paused" if execution.get("started") is True else "Not Started"
    return "Running"


def render(state: Kept) -> None:
    """Draw every session. Raises WhitePageError for what the page cannot draw."""
    for session in state.sessions:
        if isinstance(session.get("name"), dict):
            raise WhitePageError("a session's name is an object")
    for messages in state.conversations.values():
        for message in _elements("messages", messages):
            if isinstance(message.get("content"), dict):
                raise WhitePageError("a message's content is an object")
            list(_elements("options", message.get("options")))
            list(_elements("attachments", message.get("attachments")))
    for prompt in state.prompts.values():
        for question in _elements("questions", (prompt or {}).get("questions")):
            list(_elements("options", question.get("options")))
    for name, kept in (("subtasks", state.subtasks), ("artifacts", state.artifacts)):
        for values in kept.values():
            list(_elements(name, values))
    for logs in state.subtask_logs.values():
        for entries in (logs or {}).values():
            if not isinstance(entries, list):
                raise WhitePageError("a subtask's log is no array")


def _elements(name: str, values: object) -> Iterator[Json]:
    """The elements of what may be no array at all; a null among them cannot be drawn."""
    for value in values if isinstance(values, list) else []:
        if value is None:
            raise WhitePageError(f"a null in {name}")
        if isinstance(value, dict):
            yield value


def faults_of(state: Kept) -> Iterator[str]:
    """What the console warns of, and what a user would see go wrong without a warning."""
    yield from _keys("sessions", state.sessions)
    for session, messages in state.conversations.items():
        yield from _keys(f"messages of {session}", messages)
        for message in _elements("messages", messages):
            if not isinstance(message.get("createdAt"), int | float):
                yield f"createdAt {message.get('createdAt')!r} breaks the order"
            yield from _keys(f"options of {message.get('id')}", message.get("options"))
    for session, prompt in state.prompts.items():
        questions = (prompt or {}).get("questions")
        yield from _keys(f"questions of {session}", questions)
        for question in _elements("questions", questions):
            yield from _keys(f"options of {question.get('id')}", question.get("options"))
        if (prompt or {}).get("options") and not questions:
            yield f"the dialog of {session} would draw itself for ever"
    for name, kept in (("artifacts", state.artifacts), ("logs", state.runtime_logs)):
        for session, values in kept.items():
            yield from _keys(f"{name} of {session}", values)
    for session, values in state.subtasks.items():
        yield from _keys(f"subtasks of {session}", values, "key")


def _keys(what: str, values: object, key: str = "id") -> Iterator[str]:
    """React's warnings of keys that are missing or there twice."""
    keys = [value.get(key) for value in values if isinstance(value, dict)] if isinstance(values, list) else []
    if not all(keys):
        yield f"{what}: a missing key"
    for repeated in sorted({str(key) for key in keys if key and keys.count(key) > 1}):
        yield f"{what}: the key {repeated} twice"


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0
