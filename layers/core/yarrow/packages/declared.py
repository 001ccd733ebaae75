"""The entry points of packages, by group.

Packages in the platform's own layer are listed in `bundled.json` beside it (`python -m tools.make_bundled`): a layer is
a copy of folders without metadata, and searching metadata would slow a cold start. Other packages are found by their
metadata. No package can replace a name of a bundled one.
"""

import importlib.metadata
import json
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Final, TypeVar

from yarrow.observability.logs import logger

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

LAYER: Final = Path(__file__).parents[2]
_Kind = TypeVar("_Kind")

INDEX: Final = LAYER / "bundled.json"
"""The index: `entry_points` has places (`module:object`) by group and name, `agents` descriptors by name, and `tools`
the description and parameters of backend tools by name."""


@cache
def index() -> Mapping[str, Any]:
    """Read the index; its members are empty if no package ships with the platform."""
    if not INDEX.is_file():
        return {"entry_points": {}, "agents": {}, "tools": {}}
    content: Mapping[str, Any] = json.loads(INDEX.read_text(encoding="utf-8"))
    return content


def bundled(group: str) -> Mapping[str, str]:
    """Return the bundled packages' places by name."""
    places: Mapping[str, str] = index()["entry_points"].get(group, {})
    return places


def installed(group: str) -> "list[EntryPoint]":
    """Find the entry points of all other packages, sorted by name."""
    ours = bundled(group)
    found = importlib.metadata.entry_points(group=group)
    return sorted(
        (point for point in found if ours.get(point.name) != point.value), key=lambda point: (point.name, point.value)
    )


def loaders(group: str) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield a function that imports each object, by name: the bundled packages', then others' under other names."""
    for name, place in bundled(group).items():
        yield name, partial(resolve_name, place)
    for point in installed(group):
        if point.name not in bundled(group):
            yield point.name, point.load


def objects(group: str, kind: type[_Kind]) -> Iterator[tuple[str, _Kind]]:
    """Load the declared objects by name; one that does not load, or is no `kind`, is logged and left out."""
    for name, load in loaders(group):
        try:
            found = load()
        except Exception as error:  # noqa: BLE001 (loading runs foreign code; the error is logged)
            reason = f"{type(error).__name__}: {error}"
        else:
            if isinstance(found, kind):
                yield name, found
                continue
            reason = f"not a {kind.__name__}"
        logger.warning("a declaration was ignored", extra={"group": group, "entry_point": name, "reason": reason})


def names(group: str) -> frozenset[str]:
    return frozenset(bundled(group)) | {point.name for point in installed(group)}
