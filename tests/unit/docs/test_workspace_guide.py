"""The guide's section on workspaces, held to the events and results there are; and the example of a module."""

import json
import re
from typing import get_args

from tests.support.paths import ROOT
from yarrow.protocol.runner.vocabulary import WORKSPACE_RESULTS, WorkspaceEvent
from yarrow.protocol.workspace import surface

GUIDE = (ROOT / "docs/write-a-runner.md").read_text(encoding="utf-8")
SECTION = GUIDE[GUIDE.index("## A workspace") : GUIDE.index("## Secrets")]
ROWS = dict(re.findall(r"^\| `(workspace\.\w+)` \|(.*)\|$", SECTION, re.MULTILINE))


def test_every_event_and_result_has_its_row() -> None:
    """WSP-33, RNR-15, RNR-30."""
    assert set(ROWS) == {*get_args(WorkspaceEvent), *WORKSPACE_RESULTS}


def test_the_examples_are_valid_results() -> None:
    """WSP-23 … WSP-29: as the page reads them, without null."""
    for name in WORKSPACE_RESULTS:
        (shown,) = re.findall(r"`(\{.*?\})` \|", ROWS[name])
        read = surface.RESULTS[name].model_validate_json(shown)
        assert json.loads(shown).items() <= read.document().items() or name in (
            "workspace.prompt",
            "workspace.question",
        )


def test_every_status_is_named() -> None:
    """WSP-27."""
    assert re.findall(r"`(\w+)`", ROWS["workspace.subtasks"].rpartition("all of them;")[2]) == [
        *get_args(surface.Status)
    ]


def test_the_example_of_a_module_has_less_than_eighty_lines() -> None:
    lines = (ROOT / "examples/workspace_module/trip.py").read_text(encoding="utf-8").splitlines()
    assert len(lines) < 80
