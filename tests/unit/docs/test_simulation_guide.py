"""The guide of simulation names every scenario, function and kind of item, and says which scenario drives it."""

import json
import re

from tests.simulation.simulate import SCENARIOS
from tests.support.paths import ROOT

GUIDE = (ROOT / "docs" / "simulation.md").read_text(encoding="utf-8")
FUNCTIONS = {app.parent.name for app in (ROOT / "functions").glob("*/app.py")}


def rows(heading: str) -> list[list[str]]:
    """Return the cells of the table with this head."""
    table = GUIDE.partition(heading)[2].partition("\n\n")[0]
    return [line.strip("| ").split(" | ") for line in table.splitlines() if line.startswith("| ")]


def names(cells: list[str]) -> list[str]:
    return [name for cell in cells for name in re.findall(r"`([^`]+)`", cell)]


def test_every_scenario_has_a_row() -> None:
    """EVT-27."""
    assert sorted(names([row[0] for row in rows("| scenario | actors |")])) == sorted(SCENARIOS)


def test_every_function_has_a_place_and_its_scenarios_exist() -> None:
    """EVT-27: what no scenario drives is said."""
    table = rows("| function | scenarios |")
    assert sorted(names([row[0] for row in table])) == sorted(FUNCTIONS)
    for row in table:
        known = set(names(row[1:]))
        assert known <= set(SCENARIOS)
        assert known or row[1] == "none"


def test_every_stored_kind_has_a_place_and_its_scenarios_exist() -> None:
    """EVT-27: a kind is the beginnings of an item's two keys, as recorded items have them."""
    text = (ROOT / "tests" / "vectors" / "stored_items.jsonl").read_text(encoding="utf-8")
    items = map(json.loads, text.splitlines())
    kinds = {" ".join(item[key]["S"].partition("#")[0] for key in ("pk", "sk")) for item in items}
    table = rows("| stored kind | scenarios |")
    assert sorted(names([row[0] for row in table])) == sorted(kinds)
    for row in table:
        known = set(names(row[1:]))
        assert known <= set(SCENARIOS)
        assert known or row[1] == "none"
