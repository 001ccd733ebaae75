"""The walls between the packages of the core layer: which of them knows which."""

import ast
import re
from pathlib import Path
from typing import Final

import pytest

from tests.support.paths import ROOT

CORE: Final = ROOT / "layers/core"
KNOWS: Final[dict[str, set[str]]] = {"liuyao": set(), "yarrow": set(), "yarrow_agents": {"liuyao", "yarrow"}}
"""Each package, and those that it may import."""

MENTION: Final = re.compile(
    r"divination(?!-run\.md)|hexagram|liu.?yao|六爻|卦|yarrow_agents|guided.?cast|coin_throws|cast_card", re.IGNORECASE
)
"""What names a bundled agent or its subject; the name of a protocol document does not."""
MENTIONS: Final = {
    "protocol/outcome_request.py": 2,
    "protocol/runner/manifest.py": 2,
    "protocol/ui_schema/hint_models.py": 2,
    "protocol/ui_schema/hints.py": 9,
    "protocol/ui_schema/words.py": 14,
    "services/tools/tool_run.py": 2,
    "settings.py": 2,
    "store/runner/coin_throws.py": 1,
}
"""How often files of the platform still do, their own names included. This only shrinks: each is an extension point
that is missing."""


def imported(path: Path) -> set[str]:
    """The top-level names of every import, wherever in the file it stands."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add((node.module or "").partition(".")[0])
    return names


@pytest.mark.parametrize("package", KNOWS)
def test_a_package_imports_those_alone_that_it_may_know(package: str) -> None:
    forbidden = set(KNOWS) - KNOWS[package] - {package}
    for path in sorted((CORE / package).rglob("*.py")):
        assert not imported(path) & forbidden, path


def test_the_platform_names_no_agent() -> None:
    """Nor what one is about, in code or data."""
    platform = CORE / "yarrow"
    found: dict[str, int] = {}
    for path in sorted(platform.rglob("*")):
        if path.suffix in {".py", ".yaml", ".json", ".jsonl", ".txt"}:
            name = str(path.relative_to(platform))
            if count := len(MENTION.findall(f"{name}\n{path.read_text(encoding='utf-8')}")):
                found[name] = count
    assert set(found) == set(MENTIONS)
    assert {name: count for name, count in found.items() if count > MENTIONS[name]} == {}


@pytest.mark.parametrize("package", ["liuyao", "yarrow_agents"])
def test_a_package_is_a_distribution(package: str) -> None:
    """With a version, a description for its readers, and types."""
    text = (CORE / package / "pyproject.toml").read_text(encoding="utf-8")
    assert f'name = "{package.replace("_", "-")}"\nversion = "' in text
    assert 'readme = "README.md"' in text
    assert (CORE / package / "README.md").stat().st_size > 500
    assert (CORE / package / "py.typed").is_file()
