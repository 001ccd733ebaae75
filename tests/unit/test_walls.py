"""The walls between the packages of the core layer: which of them knows which."""

import ast
import re
from pathlib import Path
from typing import Final

import pytest

from tests.support.paths import ROOT

CORE: Final = ROOT / "layers/core"
KNOWS: Final[dict[str, set[str]]] = {"liuyao": set(), "yarrow": set(), "yarrow_agents": {"liuyao", "yarrow"}}

MENTION: Final = re.compile(
    r"divination(?!-run\.md)|hexagram|trigram|liu.?yao|yarrow_agents|guided.?cast|六爻|[卦爻签]"
    r"|\bcoins?\b|(?<![a-z])casts?(?![a-z(])",
    re.IGNORECASE,
)
"""What names a bundled agent or its subject; the name of a protocol document does not."""
OTHER_CASTS: Final = re.compile(
    r"^ *from typing import .*|^    cast,$"  # the function of the standard library
    r'|the attribute `casts`|stored_as\("casts"|\.set\(casts=',  # an attribute that stored sessions have
    re.MULTILINE,
)


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


@pytest.mark.parametrize("folder", [CORE / "yarrow", ROOT / "functions"])
def test_the_platform_names_no_agent(folder: Path) -> None:
    """Nor what one is about, in code, data or the names of files. Generated descriptions have what packages declare."""
    for path in sorted(folder.rglob("*")):
        if path.suffix in {".py", ".yaml", ".json", ".jsonl", ".txt"} and path.name != "openapi.json":
            text = OTHER_CASTS.sub("", path.read_text(encoding="utf-8"))
            assert MENTION.findall(f"{path.relative_to(folder)}\n{text}") == [], path


@pytest.mark.parametrize(
    "text", ["a hexagram", "LIU_YAO", "cast_card", "one cast", "the casts", "three coins", "本卦", "divinationPayload"]
)
def test_a_mention_is_found(text: str) -> None:
    assert MENTION.search(OTHER_CASTS.sub("", text))


@pytest.mark.parametrize("text", ["from typing import Any, cast", "cast(int, x)", "divination-run.md", "broadcast"])
def test_another_word_is_none(text: str) -> None:
    assert not MENTION.search(OTHER_CASTS.sub("", text))


@pytest.mark.parametrize("package", ["liuyao", "yarrow_agents"])
def test_a_package_is_a_distribution(package: str) -> None:
    """It has a version, a description for its readers, and types."""
    text = (CORE / package / "pyproject.toml").read_text(encoding="utf-8")
    assert f'name = "{package.replace("_", "-")}"\nversion = "' in text
    assert 'readme = "README.md"' in text
    assert (CORE / package / "README.md").stat().st_size > 500
    assert (CORE / package / "py.typed").is_file()
