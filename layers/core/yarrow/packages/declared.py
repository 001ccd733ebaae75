"""The entry points of packages, by group.

Packages that ship in the platform's own layer are listed in `bundled.json` beside it (`python -m tools.make_bundled`):
a layer is a copy of folders without their metadata, and to search metadata is a part of a cold start. Other packages
are found by their metadata. No package can replace a name of a bundled one.
"""

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
"""`entry_points`: by group and name, places (`module:object`); `agents`: descriptors by name."""


@cache
def index() -> Mapping[str, Any]:
    """What ships with the platform; empty members where it is alone."""
    if not INDEX.is_file():
        return {"entry_points": {}, "agents": {}}
    content: Mapping[str, Any] = json.loads(INDEX.read_text(encoding="utf-8"))
    return content


def bundled(group: str) -> Mapping[str, str]:
    """Places by name."""
    places: Mapping[str, str] = index()["entry_points"].get(group, {})
    return places


def installed(group: str) -> "list[EntryPoint]":
    """Of all other packages, sorted by name."""
    import importlib.metadata  # few deployments install any

    ours = bundled(group)
    found = importlib.metadata.entry_points(group=group)
    return sorted(
        (each for each in found if ours.get(each.name) != each.value), key=lambda each: (each.name, each.value)
    )


def loaders(group: str) -> Iterator[tuple[str, Callable[[], Any]]]:
    """What imports each object, by name: of the bundled packages, then of others under other names."""
    for name, place in bundled(group).items():
        yield name, partial(resolve_name, place)
    for point in installed(group):
        if point.name not in bundled(group):
            yield point.name, point.load


def objects(group: str, kind: type[_Kind]) -> Iterator[tuple[str, _Kind]]:
    """What is declared, by name; what does not load, or is no `kind`, is logged and left out."""
    for name, load in loaders(group):
        try:
            found = load()
        except Exception as error:  # noqa: BLE001 (loading runs foreign code; what it raised is told)
            reason = f"{type(error).__name__}: {error}"
        else:
            if isinstance(found, kind):
                yield name, found
                continue
            reason = f"not a {kind.__name__}"
        logger.warning("a declaration is not used", extra={"group": group, "entry_point": name, "reason": reason})


def names(group: str) -> frozenset[str]:
    """Of the entry points that `loaders` has."""
    return frozenset(bundled(group)) | {each.name for each in installed(group)}
