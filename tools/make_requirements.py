"""Writes the last column of the tables in `docs/requirements/`, which links every requirement to a test.

Run `python -m tools.make_requirements` after adding a requirement or renaming a test. A test names a requirement in its
docstring, in a row of its table or in any other text of its own. Of several tests, the column has one whose docstring
begins with the requirement, from the folder nearest to the documents, that names few others.
"""

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parent.parent
FOLDER: Final = ROOT / "docs/requirements"
TESTS: Final = ROOT / "tests"
KINDS: Final = ("contract", "integration", "unit", "e2e", "simulation", "packaged")
"""Folders of tests, the nearest to the documents first."""

NAME: Final = re.compile(
    r"\b(?:(?:SEC|ERR|RUN|MSG|TOOL|FWD|EVT|DIV|FUP|CARE|HIS|UIS|SES|CAN|ATT|SGN|ASR|AUT|WSP|RNR|CMP|STP|ASK|AGT|MCP|EVB)-\d\w*|C\d{1,2})\b"
)
"""Whatever looks like a requirement, with too few or too many digits as well."""
_ROW: Final = re.compile(r"^\| ((?:[A-Z]+-\d+a?)|(?:C\d+)) \| (.+) \|$")
_HEADING: Final = re.compile(r"^\| id \| (.+) \|$")
_RULER: Final = re.compile(r"^\|(?:---\|)+$")


class Case(NamedTuple):
    """A test function and the requirements that it names; those in a file's tables count for all tests of the file."""

    path: Path
    name: str
    requirements: frozenset[str]
    first: str
    """What the docstring begins with, if that is a requirement."""
    asserts: bool


def requirements(folder: Path = FOLDER) -> list[str]:
    """Return the ids of all requirements, in the order of their pages."""
    lines = (line for path in sorted(folder.glob("*.md")) for line in path.read_text(encoding="utf-8").splitlines())
    return [found[1] for line in lines if (found := _ROW.match(line))]


def cases(folder: Path = TESTS) -> Iterator[Case]:
    for path in sorted(folder.rglob("test_*.py")):
        yield from cases_of(path, ast.parse(path.read_text(encoding="utf-8")))


def cases_of(path: Path, tree: ast.Module) -> Iterator[Case]:
    tables = frozenset(
        name
        for statement in tree.body
        if isinstance(statement, ast.Assign | ast.AnnAssign)
        for name in _named(statement)
    )
    checks = _checking(tree) | _imported(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
            asserts = _checks(node) or bool(_called(node) & checks)
            first = NAME.match(ast.get_docstring(node) or "")
            yield Case(path, node.name, frozenset(_named(node)) | tables, first[0] if first else "", asserts)


def _checking(tree: ast.Module) -> set[str]:
    """Return the functions and methods of a file that can fail, or call one that can."""
    functions = [
        function for function in ast.walk(tree) if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    found = {function.name for function in functions if _checks(function)}
    others = (function for function in functions if function.name not in found)
    return found | {function.name for function in others if not found.isdisjoint(_called(function))}


def _imported(tree: ast.Module) -> set[str]:
    """Return the names that a file imports from the tests' own modules and that can fail."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tests."):
            path = ROOT / f"{(node.module or '').replace('.', '/')}.py"
            if path.exists():
                found |= _checking_of(path)
    return found


@cache
def _checking_of(path: Path) -> frozenset[str]:
    """Return what a module that many files import defines that can fail."""
    return frozenset(_checking(ast.parse(path.read_text(encoding="utf-8"))))


def _called(node: ast.AST) -> set[str]:
    """Return all names that are used, since a function may be passed as an argument."""
    parts = (part for part in ast.walk(node) if isinstance(part, ast.Name | ast.Attribute))
    return {part.id if isinstance(part, ast.Name) else part.attr for part in parts}


def _checks(function: ast.AST) -> bool:
    """Return whether a function can fail: it has an assertion, expects an exception or calls a function that checks."""
    for node in ast.walk(function):
        if isinstance(node, ast.Assert | ast.Raise):
            return True
        if isinstance(node, ast.Call) and re.search(
            r"raises|fail$|assert|check|expect|validate|run_state_machine_as_test", _callee(node)
        ):
            return True
    return False


def _callee(call: ast.Call) -> str:
    function = call.func
    return (
        function.attr if isinstance(function, ast.Attribute) else function.id if isinstance(function, ast.Name) else ""
    )


def _named(node: ast.AST) -> set[str]:
    found: set[str] = set()
    for part in ast.walk(node):
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            found.update(NAME.findall(part.value))
    return found


def shown_by() -> dict[str, str]:
    """Return a test for every requirement: `tests/contract/test_history.py::test_…`."""
    found: dict[str, list[tuple[bool, int, int, str]]] = defaultdict(list)
    for test in cases():
        path = test.path.relative_to(TESTS)
        kind = path.parts[0]
        rank = KINDS.index(kind) if kind in KINDS else len(KINDS)
        for name in test.requirements:
            text = f"tests/{path.as_posix()}::{test.name}"
            found[name].append((name != test.first, rank, len(test.requirements), text))
    return {name: min(choices)[-1] for name, choices in found.items()}


def with_tests(page: str, shown: Mapping[str, str]) -> str:
    """Return a page with the last column of its tables rewritten."""
    lines = []
    for line in page.splitlines():
        cells = line.split(" | ")
        if found := _ROW.match(line):
            test = f"`{shown[found[1]]}`" if found[1] in shown else "none"
            lines.append(f"{' | '.join(cells[:3]).removesuffix(' |')} | {test} |")
        elif _HEADING.match(line):
            lines.append(f"{' | '.join(cells[:3]).removesuffix(' |')} | shown by |")
        elif _RULER.match(line):
            lines.append("|---|---|---|---|")
        else:
            lines.append(line)
    return "\n".join(lines) + "\n"


def main() -> int:
    shown = shown_by()
    for path in sorted(FOLDER.glob("*.md")):
        if path.name != "README.md":
            path.write_text(with_tests(path.read_text(encoding="utf-8"), shown), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
