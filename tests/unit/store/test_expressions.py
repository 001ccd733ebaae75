"""Only `store/items/updates.py` writes DynamoDB's update and condition expressions."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.support.paths import ROOT

CORE: Final = ROOT / "layers/core/yarrow"
BUILDER: Final = CORE / "store/items/updates.py"
EXPRESSION: Final = re.compile(
    r"(?<!Key)(Condition|Update|Filter)Expression|attribute_(not_)?exists|if_not_exists|\bSET \w|\bREMOVE \w|\bADD \w"
    r"|\bDELETE \w|= :\w|\bIN \(:|[<>]=? :\w"
)
"""What such a text, or the parameter that has it, is known by."""


def texts(path: Path) -> Iterator[str]:
    """Yield the strings of a module, docstrings aside."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in alone:
            yield node.value


KEYS: Final = {
    "store/table.py": {"pk = :pk AND sk BETWEEN :start AND :before"},
    "store/session_list.py": {"listed_for = :user"},
}
"""Conditions of keys, which say what a query reads: one each of the table and of its index."""


def test_updates_and_conditions_are_built() -> None:
    """A text that is put together by hand has placeholders that nobody counts, and words that nobody checks."""
    found = {
        str(path.relative_to(CORE)): written
        for path in [*CORE.rglob("*.py"), *(ROOT / "functions").rglob("*.py")]
        if path != BUILDER and (written := {text for text in texts(path) if EXPRESSION.search(text)})
    }
    assert found == KEYS


def test_the_builder_writes_them() -> None:
    """So the words above are those of expressions."""
    assert {"UpdateExpression", "ConditionExpression"} <= set(texts(BUILDER))
    assert any("attribute_not_exists" in text for text in texts(BUILDER))
