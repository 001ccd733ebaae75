"""Applying JSON Patch (RFC 6902): all of it or nothing, and never to more than a size."""

from typing import Any

import pytest
from msgspec import convert

from yarrow.formats.json_patch import Operation, PatchError, apply, pointer


def change(document: Any, *operations: dict[str, Any], max_bytes: int | None = 1_000) -> Any:
    return apply(document, convert(operations, tuple[Operation, ...]), max_bytes)


def test_every_operation_is_applied_in_its_order() -> None:
    """EVT-13, C46: the document that was given stays as it is."""
    document = {"a": [1, {"b": None}], "~/": 0}
    changed = change(
        document,
        {"op": "test", "path": "/a/0", "value": 1},
        {"op": "add", "path": "/a/-", "value": "卦"},
        {"op": "replace", "path": "/a/1/b", "value": [2]},
        {"op": "copy", "from": "/a/1", "path": "/c"},
        {"op": "move", "from": "/~0~1", "path": "/d"},
        {"op": "remove", "path": "/a/0"},
    )
    assert changed == {"a": [{"b": [2]}, "卦"], "c": {"b": [2]}, "d": 0}
    assert document == {"a": [1, {"b": None}], "~/": 0}
    assert change(document, {"op": "replace", "path": "", "value": 3}) == 3
    assert pointer("~/", "a") == "/~0~1/a"


@pytest.mark.parametrize(
    "operation",
    [
        {"op": "remove", "path": "/x"},
        {"op": "replace", "path": "/x", "value": 1},
        {"op": "add", "path": "/x/y", "value": 1},
        {"op": "add", "path": "/a/9", "value": 1},
        {"op": "add", "path": "/a/x", "value": 1},
        {"op": "move", "from": "/x", "path": "/y"},
        {"op": "move", "from": "/a", "path": "/a/0"},
        {"op": "test", "path": "/a/0", "value": True},
        {"op": "add", "path": "/__proto__", "value": {}},
        {"op": "add", "path": "/b", "value": "x" * 1_000},
    ],
)
def test_what_cannot_be_applied_is_refused(operation: dict[str, Any]) -> None:
    """EVT-13, C46."""
    with pytest.raises(PatchError):
        change({"a": [1]}, operation)


@pytest.mark.parametrize("max_bytes", [10_000, None])
def test_copies_of_copies_are_refused_before_they_are_huge_or_deep(max_bytes: int | None) -> None:
    """C46."""
    deep = [{"op": "copy", "from": "", "path": "/a"}] * 1_000
    with pytest.raises(PatchError):
        change({"a": 1}, *deep, max_bytes=max_bytes)
    wide = [{"op": "copy", "from": "/a", "path": f"/a/{text}"} for text in "bcdefghijklmnopqrst"]
    with pytest.raises(PatchError):
        change({"a": {}}, *wide, max_bytes=10_000)
