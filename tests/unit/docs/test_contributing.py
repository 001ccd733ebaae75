"""Where to change what, as the guide for contributors says."""

import re
from pathlib import Path
from typing import Final

import pytest

from tests.support.paths import ROOT

GUIDE: Final = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
ROWS: Final = re.findall(
    r"^\| (.+?) \| (.+) \|$", GUIDE.partition("| to add | do |\n")[2].partition("\n\n")[0], re.MULTILINE
)
BASES: Final = (ROOT, ROOT / "layers/core/yarrow", ROOT / "tests/unit", ROOT / "tests/unit/template")
"""Where paths of the table begin."""


def places(text: str) -> list[str]:
    """The files and folders that a row names by a path, without those that depend on what is added."""
    named = re.findall(r"`((?:[\w.-]+/)+[\w.-]*|[\w-]+\.(?:py|yaml|md))`", text)
    return [item for item in named if item not in TO_MAKE]


TO_MAKE: Final = {"app.py", "openapi.py", "agent.yaml", "pyproject.toml", "system_agents.yaml"}
"""Files of what is added; `in there` names others beside a folder."""
BESIDE: Final = {
    "names.py": "services/tools",
    "provider_model.py": "services/models",
    "failures.py": "services/models",
}


@pytest.mark.parametrize(("change", "do"), ROWS, ids=[change for change, _ in ROWS])
def test_the_files_that_a_change_touches_are_there(change: str, do: str) -> None:
    for place in places(do):
        path = Path(BESIDE.get(place, ""), place)
        assert any((base / path).exists() for base in BASES), place


def test_the_table_is_read() -> None:
    """Each of its rows and the files in them are read."""
    changes = dict(ROWS)
    assert len(changes) > 12
    assert places(changes["a member of the history"]) == ["protocol/history.py", "runs/get_history.py"]


def test_what_is_often_added_has_its_row() -> None:
    often = {"an agent", "an error", "an event type", "a member of the history", "a tool", "a knowledge base"}
    often |= {"a language", "a stored field", "a limit of a user", "an alarm", "a route with rights of its own"}
    assert often | {"the time after which an idle stream ends"} <= set(dict(ROWS))
