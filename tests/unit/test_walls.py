"""The walls between the packages of the core layer: which of them knows which."""

import ast
from pathlib import Path
from typing import Final

import pytest

from tests.support.paths import ROOT

CORE: Final = ROOT / "layers/core"
KNOWS: Final[dict[str, set[str]]] = {"liuyao": set(), "yarrow": set(), "yarrow_agents": {"liuyao", "yarrow"}}
"""Each package, and those that it may import."""

STILL: Final = {}
"""What still reaches through a wall, by file or folder. This only shrinks: what is mended has to go from here."""


def imported(path: Path) -> set[str]:
    """The top-level names of every import, wherever in the file it stands."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add((node.module or "").partition(".")[0])
    return names


def reaching(package: str) -> dict[str, set[str]]:
    """What a package imports of those that it may not know, by file, or by the folder of `STILL` that it is in."""
    forbidden = set(KNOWS) - KNOWS[package] - {package}
    found: dict[str, set[str]] = {}
    for path in sorted((CORE / package).rglob("*.py")):
        name = str(path.relative_to(CORE))
        place = next((each for each in STILL if name == each or name.startswith(f"{each}/")), name)
        if known := imported(path) & forbidden:
            found.setdefault(place, set()).update(known)
    return found


@pytest.mark.parametrize("package", KNOWS)
def test_a_package_imports_those_alone_that_it_may_know(package: str) -> None:
    still = {place: known for place, known in STILL.items() if place.startswith(f"{package}/")}
    assert reaching(package) == still


@pytest.mark.parametrize("package", ["liuyao", "yarrow_agents"])
def test_a_package_is_a_distribution(package: str) -> None:
    """With a version, a description for its readers, and types."""
    text = (CORE / package / "pyproject.toml").read_text(encoding="utf-8")
    assert f'name = "{package.replace("_", "-")}"\nversion = "' in text
    assert 'readme = "README.md"' in text
    assert (CORE / package / "README.md").stat().st_size > 500
    assert (CORE / package / "py.typed").is_file()
