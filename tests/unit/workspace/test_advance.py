"""When a run is shown as thinking: while it goes on, and once."""

import pytest

from yarrow.workspace import advance
from yarrow.workspace.open_workspace import LogPosition
from yarrow.workspace.state import changes
from yarrow.workspace.state import state as fold
from yarrow.workspace.state.changes import Change
from yarrow.workspace.state.state import WorkspaceState

ADDED = changes.session_added("s", "S", 1, "en")
STARTED = changes.started("s", "k", "r", 2)
THINKING = changes.thinking("s", "k", 3)


@pytest.mark.parametrize(
    ("entries", "run", "shown"),
    [
        ([ADDED, STARTED], "k", True),
        ([ADDED, STARTED, THINKING], "k", False),
        ([ADDED, STARTED], "another", False),
        ([ADDED, STARTED, THINKING], "another", False),
        ([ADDED], "k", False),
        ([], "k", False),
    ],
)
def test_a_run_is_shown_as_thinking_once_while_it_goes_on(entries: list[Change], run: str, shown: bool) -> None:
    """WSP-19."""
    state = fold.apply(WorkspaceState(), entries)
    assert bool(advance._think("s", run, state, LogPosition("w", 9, lambda: 9))) is shown
