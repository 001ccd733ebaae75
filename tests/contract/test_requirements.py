"""The register, `docs/requirements/`: each requirement is shown by a test that can fail, and no other is named."""

import re
from pathlib import Path

import pytest

from tests.support.paths import ROOT
from tools.make_requirements import FOLDER, NAME, Case, cases, requirements

REGISTER = requirements()
SOURCES = ("functions", "layers/core", "local", "tools", "docs", "clients", "console")


@pytest.fixture(scope="module")
def named() -> list[Case]:
    return [test for test in cases() if test.requirements]


def test_a_requirement_is_in_the_register_once() -> None:
    assert len(REGISTER) > 300
    assert len(set(REGISTER)) == len(REGISTER)


def test_every_requirement_is_named_by_a_test(named: list[Case]) -> None:
    """And so it is known where to look when it breaks."""
    missing = set(REGISTER).difference(*(test.requirements for test in named))
    assert sorted(missing) == []


def test_every_requirement_that_a_test_names_is_in_the_register(named: list[Case]) -> None:
    """A slip of the pen would claim nothing."""
    unknown = {f"{test.path.name}::{test.name}": sorted(test.requirements.difference(REGISTER)) for test in named}
    assert {name: ids for name, ids in unknown.items() if ids} == {}


def test_a_test_that_names_a_requirement_can_fail(named: list[Case]) -> None:
    """It asserts something, expects an exception, or calls what does."""
    assert [f"{test.path.relative_to(ROOT)}::{test.name}" for test in named if not test.asserts] == []


def test_code_and_documents_name_requirements_of_the_register() -> None:
    found = {
        f"{path.relative_to(ROOT)}: {name}"
        for source in SOURCES
        for suffix in ("py", "md", "js", "ts", "kt", "swift", "yaml")
        for path in (ROOT / source).rglob(f"*.{suffix}")
        for name in NAME.findall(path.read_text(encoding="utf-8"))
        if name not in REGISTER
    }
    assert found == set()


def test_the_pages_name_tests_that_there_are(named: list[Case]) -> None:
    """`python -m tools.make_requirements` finds another for one that was moved or renamed."""
    known = {
        (name, f"{test.path.relative_to(ROOT).as_posix()}::{test.name}") for test in named for name in test.requirements
    }
    rows = re.findall(
        r"^\| (\S+) \|.*\| `(\S+::\w+)` \|$", "\n".join(page.read_text("utf-8") for page in FOLDER.glob("*.md")), re.M
    )
    assert {name for name, _ in rows} == set(REGISTER)
    assert set(rows) - known == set()


def test_public_schemas_name_no_requirement() -> None:
    """Whoever reads the API's description does not have the register."""
    public = [
        Path("functions/describe_api/openapi.json"),
        Path("clients/js/api.d.ts"),
        *(ROOT / "docs/runner-schemas").glob("*"),
    ]
    assert [path.name for path in public if re.search(NAME, (ROOT / path).read_text(encoding="utf-8"))] == []
