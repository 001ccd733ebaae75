"""What the first words of a docstring are: a verb, or the name of the thing."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.support.paths import ROOT

FOLDERS: Final = ("layers/core", "functions", "local", "tools", "clients/python/src", "examples")

_LOOSE: Final = frozenset(
    {
        *("about", "after", "also", "as", "at", "before", "beside", "between", "both", "by", "concurrent", "else"),
        *("ever", "for", "from", "if", "in", "latest", "like", "none", "not", "of", "on", "only", "per", "than"),
        *("to", "under", "unless", "until", "upper", "with", "without"),
    }
)
"""Words that begin a fragment: a name stands before them, or a verb."""
_THIRD_PERSON: Final = frozenset({"raises", "returns", "yields"})
"""What a function does is said in the imperative, and before what it raises."""
_NAMES: Final = frozenset(
    {
        *("a", "all", "an", "any", "each", "how", "its", "one", "that", "the", "their", "those"),
        *("what", "when", "where", "whether", "which", "who", "whom", "why"),
    }
)
"""Words that begin the name of a result."""
_NOUNS: Final = frozenset({"everything", "nothing", "string"})

Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def headless(node: Documented) -> bool:
    """Whether the docstring begins with neither a verb nor the name of what it is about, or returns."""
    word = re.match(r"[\w’'-]*", ast.get_docstring(node) or "")
    assert word is not None
    first = word[0].lower()
    if not word[0][:1].isupper():
        return False
    if first in _LOOSE or (first.endswith(("ing", "ed")) and first not in _NOUNS):
        return True
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return False
    returns_nothing = node.returns is not None and ast.unparse(node.returns) == "None"
    return first in _THIRD_PERSON or (first in _NAMES and returns_nothing)


def documented(path: Path) -> Iterator[Documented]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, Documented) and not re.match(r"_(?!_)", getattr(node, "name", "")):
            yield node


@pytest.mark.parametrize("folder", FOLDERS)
def test_docstrings_begin_with_a_verb_or_a_name(folder: str) -> None:
    """A reader sees the first line alone, in an editor or in a list."""
    found = [
        f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 1)}: {(ast.get_docstring(node) or '').splitlines()[0]}"
        for path in sorted((ROOT / folder).rglob("*.py"))
        for node in documented(path)
        if headless(node)
    ]
    assert found == []


@pytest.mark.parametrize(
    ("code", "is_headless"),
    [
        ('"""Of messages."""', True),
        ('"""Deleting a job."""', True),
        ('"""Deletes a job."""', False),
        ('class Job:\n    """Granted by the operator."""', True),
        ('class Job:\n    """A job."""', False),
        ('def f() -> int:\n    """The number of jobs."""', False),
        ('def f() -> None:\n    """The number of jobs."""', True),
        ('def f() -> None:\n    """Raises Problem 429."""', True),
        ('def f() -> None:\n    """Raise Problem 429."""', False),
        ('def f() -> int:\n    """Without tools: 0."""', True),
        ('def f() -> bool:\n    """Whether there are jobs."""', False),
        ('def f() -> str:\n    """`name` as it is stored."""', False),
    ],
)
def test_a_fragment_is_told_from_a_sentence(code: str, is_headless: bool) -> None:
    module = ast.parse(code)
    node = module.body[0] if len(module.body) == 1 and isinstance(module.body[0], Documented) else module
    assert headless(node) == is_headless
