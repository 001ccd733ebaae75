"""What a connection is sent for an entry of the log: updates, or None where only a snapshot says it."""

from collections.abc import Mapping
from typing import Any

import pytest

from yarrow.formats import json_text
from yarrow.protocol.workspace.frames import Frames
from yarrow.workspace.state import changes
from yarrow.workspace.state import state as fold
from yarrow.workspace.state.changes import Change
from yarrow.workspace.state.entry_frames import entry_frames, snapshot
from yarrow.workspace.state.state import WorkspaceState

ADDED = changes.session_added("s", "S", 1, "en")
STARTED = changes.started("s", "k", "r", 2)
EARLIER_STARTED = {name: value for name, value in STARTED.items() if name != "thinking_at"}
"""As releases wrote it that showed every run as thinking."""
EARLIER_ENDED = {name: value for name, value in changes.ended("s", "k").items() if name != "thinking"}


def shown(*entries: list[Change]) -> list[list[Mapping[str, Any]] | None]:
    """The frames of each entry after the first, when it is the latest."""
    state, found = WorkspaceState(), list[list[Mapping[str, Any]] | None]()
    for entry in entries:
        state = fold.apply(state, entry)
        sent = entry_frames(entry, state, "s", Frames("task", 1))
        found.append(None if sent is None else [json_text.loads(data) for data in sent])
    return found[1:]


def is_thinking(state: WorkspaceState) -> bool:
    return any(conversation.get("_thinking") for conversation in snapshot(state, "s", {}).conversations["s"])


def messages(frames: list[Mapping[str, Any]] | None) -> list[Mapping[str, Any]]:
    return [item for frame in frames or [] for item in frame["data"].get("append", ())]


@pytest.mark.parametrize("apart", [True, False])
def test_a_run_that_no_page_showed_as_thinking_ends_in_updates(apart: bool) -> None:
    """WSP-19, C55."""
    end = changes.ended("s", "k")
    frames = shown([ADDED], [STARTED], [end]) if apart else shown([ADDED], [STARTED, end])
    assert None not in frames
    assert [message for of in frames for message in messages(of)] == []


def test_the_end_of_thinking_needs_a_snapshot() -> None:
    """C55: appends cannot take the message away."""
    thinking, end = shown(
        [ADDED], [STARTED], [changes.thinking("s", "k", 3)], [changes.ended("s", "k", thinking=True)]
    )[1:]
    assert [(message["createdAt"], message["_thinking"]) for message in messages(thinking)] == [(3, True)]
    assert end is None


def test_entries_of_an_earlier_release_are_shown_as_they_were() -> None:
    """Its pages showed a run as thinking from the start; an entry of this release may end it."""
    for end in (EARLIER_ENDED, changes.ended("s", "k", thinking=True)):
        started, ended = shown([ADDED], [EARLIER_STARTED], [end])
        assert [(message["createdAt"], message["_thinking"]) for message in messages(started)] == [(2, True)]
        assert ended is None
    (whole,) = shown([ADDED], [EARLIER_STARTED, EARLIER_ENDED])
    assert whole is not None
    assert messages(whole) == []


def test_a_state_of_an_earlier_release_shows_its_run_as_thinking() -> None:
    state = fold.apply(fold.apply(WorkspaceState(), [ADDED]), [EARLIER_STARTED])
    document = json_text.loads(json_text.dumps(state.document()).encode())
    del document["sessions"][0]["thinking_at"]
    assert is_thinking(state)
    assert is_thinking(WorkspaceState.from_document(document))
    ended = fold.apply(WorkspaceState.from_document(document), [EARLIER_ENDED])
    assert not is_thinking(ended)
    assert ended.sessions[0].thinking_at == 0


def test_thinking_is_of_the_run_that_goes_on() -> None:
    """One that comes late says nothing of the next run."""
    late = [changes.ended("s", "k"), changes.started("s", "k2", "r2", 4)], [changes.thinking("s", "k", 3)]
    state = WorkspaceState()
    for entry in ([ADDED], [STARTED], *late):
        state = fold.apply(state, entry)
    assert not is_thinking(state)
