"""What two pages of one user must have in common: all but what is a connection's own."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from tests.support.workspace.page import Page

Json = dict[str, Any]

_OF_ONE_FRAME = ("contentBase64", "url")
"""Members of files that a later frame may lack or have anew."""


def comparable(page: Page) -> Json:
    """The state as it is shown: sessions with their names, and what each of them holds."""
    state = page.state
    listed = [session["id"] for session in state.sessions]

    def kept(by_session: Json) -> Json:
        return {item: _without(by_session[item]) for item in listed if by_session.get(item)}

    return {
        "sessions": [(session["id"], session["name"]) for session in state.sessions],
        "conversations": {item: _without(page.messages(item)) for item in listed},
        "subtasks": kept(state.subtasks),
        "subtaskLogs": kept(state.subtask_logs),
        "artifacts": kept(state.artifacts),
        "runtimeLogs": kept(state.runtime_logs),
        "prompts": kept(state.prompts),
        "runtimeContexts": kept(state.runtime_contexts),
        "executionStates": {item: _raised(state.execution_states.get(item)) for item in listed},
    }


def faults(page: Page) -> Iterator[str]:
    """What a user would have seen: a key there twice, a time that did not grow, a frame that could not be drawn."""
    yield from page.faults
    for session in page.state.conversations:
        messages = page.messages(session)
        ids = Counter(message["id"] for message in messages)
        yield from (f"{name} twice" for name, count in ids.items() if count > 1)
        times = [message["createdAt"] for message in messages]
        if len(set(times)) < len(times):
            yield f"two messages of {session} at one time"


def _raised(execution: Json | None) -> Json:
    """The flags that are raised; a session without a state is drawn as one with none of them."""
    return {name: True for name, value in (execution or {}).items() if value}


def _without(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without(member) for name, member in value.items() if name not in _OF_ONE_FRAME}
    return [_without(item) for item in value] if isinstance(value, list) else value
