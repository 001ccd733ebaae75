"""The register: every requirement this repository claims to keep (`claimed.txt`) is named by a test.

A test names a requirement in its docstring, in a row of its table or in any other text of its own; comments and the
docstring of the file do not count.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.paths import ROOT

TESTS = ROOT / "tests"
CLAIMED = (TESTS / "contract/claimed.txt").read_text(encoding="utf-8").split()

LAST = {
    "SEC": 8,
    "ERR": 12,
    "RUN": 27,
    "MSG": 8,
    "TOOL": 6,
    "FWD": 13,
    "EVT": 29,
    "DIV": 35,
    "FUP": 7,
    "HIS": 20,
    "UIS": 4,
    "SES": 5,
    "CAN": 6,
    "ATT": 8,
    "SGN": 4,
    "ASR": 4,
    "AUT": 5,
    "WSP": 40,
    "RNR": 86,
    "CMP": 12,
    "CARE": 9,
}
"""The highest number of each group of requirements."""

REGISTER = [f"{group}-{number:02}" for group, last in LAST.items() for number in range(1, last + 1)] + ["DIV-33a"]

# Whatever looks like a requirement, with too few or too many digits as well.
_NAME = re.compile(rf"\b(?:{'|'.join(LAST)})-\d\w*")


def texts(path: Path) -> Iterator[str]:
    """The string constants of a file of tests, without its own docstring."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    body = tree.body[1:] if ast.get_docstring(tree) is not None else tree.body
    for statement in body:
        for node in ast.walk(statement):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value


@pytest.fixture(scope="module")
def named() -> dict[str, set[str]]:
    """What every file of tests names that looks like a requirement."""
    files = {path for path in TESTS.rglob("test_*.py") if path != Path(__file__)}
    return {
        str(path.relative_to(TESTS)): {name for text in texts(path) for name in _NAME.findall(text)} for path in files
    }


def test_every_claimed_requirement_is_named_by_a_test(named: dict[str, set[str]]) -> None:
    """And so it is known where to look when it breaks."""
    missing = set(CLAIMED).difference(*named.values())
    assert sorted(missing, key=REGISTER.index) == []


def test_every_requirement_that_a_test_names_is_in_the_register(named: dict[str, set[str]]) -> None:
    """A slip of the pen would claim nothing."""
    unknown = {file: sorted(names.difference(REGISTER)) for file, names in named.items()}
    assert {file: names for file, names in unknown.items() if names} == {}


def test_the_claims_are_requirements_once_each_and_in_order() -> None:
    """As the register has them."""
    assert [requirement for requirement in REGISTER if requirement in CLAIMED] == CLAIMED
