"""The kinds of items in the table: every key that the store makes is of one, and of one only."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from yarrow.store import table

STORE = Path(table.__file__).parent


def key_words(node: ast.AST) -> Iterator[str]:
    """What keys of the table are, or begin with, wherever code says so, but for the table of kinds."""
    match node:
        case ast.Constant(value=str(text)) if found := re.match(r"[A-Z][A-Z_]{2,}(?=#|$)", text):
            yield found[0]
        case ast.Call(func=ast.Name(id="Kind")):
            return
    for part in ast.iter_child_nodes(node):
        yield from key_words(part)


NO_KEYS = {"ADD", "ALL_NEW", "ALL_OLD", "AND", "BOOL", "DELETE", "NFKC", "NONE", "NULL", "REMOVE", "SET"}
"""Words of DynamoDB and Unicode that look like such."""
KEPT_ONCE = {"REMOVED_EVENT"}
"""Kinds of `kept_once`, which the store itself keeps as tools do."""


def test_every_key_that_the_store_makes_is_of_a_kind() -> None:
    """A new kind of item that `KINDS` does not have is told here, and one that nothing makes any more as well."""
    made = {word for path in STORE.rglob("*.py") for word in key_words(ast.parse(path.read_text(encoding="utf-8")))}
    known = {form.partition("#")[0] for kind in table.KINDS for form in (kind.pk, kind.sk)}
    known.remove("{kind}")  # tools name theirs
    assert made >= KEPT_ONCE
    assert made - NO_KEYS - KEPT_ONCE == known


SPACE = f"STATE#{'0' * 64}"


@pytest.mark.parametrize(
    ("key", "what"),
    [
        (table.session_key("T"), "session"),
        (table.message_key("t#1", 1), "message"),
        (table.run_key_of("k"), "run"),
        (table.run_key_of("k", "GRANT"), "what a run may do"),
        (table.run_key_of("k", "EVENT#0000000001.000"), "batch of events"),
        (table.run_key_of("k", f"CAST#{'0' * 64}"), "what a tool keeps once a run"),
        ({"pk": table.session_partition("t"), "sk": SPACE}, "names of the keys kept for a thread"),
        ({"pk": table.session_partition("t"), "sk": f"{SPACE}#a#\nb"}, "value a runner keeps for a thread"),
        ({"pk": SPACE, "sk": SPACE}, "names of the keys kept elsewhere"),
        ({"pk": SPACE, "sk": f"{SPACE}#k"}, "value a runner keeps elsewhere"),
    ],
)
def test_an_item_is_of_the_kind_that_its_key_says(key: table.Item, what: str) -> None:
    assert [kind.what for kind in table.KINDS if kind.matches(key)] == [what]
    assert table.kind_of(key).what == what


@pytest.mark.parametrize("key", [{"pk": "SESSION#t", "sk": "NOTE#1"}, {"pk": "RUN#k", "sk": "SESSION"}])
def test_a_key_of_no_kind_is_told(key: table.Item) -> None:
    with pytest.raises(LookupError, match="no item kind"):
        table.kind_of(key)


def test_a_partition_that_goes_as_a_whole_has_one_item_that_says_whose_it_is() -> None:
    """SEC-03: and what goes with such an item is in such a partition."""
    heads = [kind.pk for kind in table.KINDS if kind.owner == "whole"]
    assert len(set(heads)) == len(heads)
    assert {kind.pk for kind in table.KINDS if kind.owner == "head"} <= set(heads)
