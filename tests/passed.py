"""Tests that passed without any optional tool and need not run again with all of them (`.ci/run`).

`--write-passed FILE` writes the ids of the tests that pass. `--without-passed FILE` leaves those out: a test that uses
a tool is skipped without it, and one whose table moves to DynamoDB Local gets another id. What was skipped, failed or
was not there does run. A file of `ALIKE` all of whose tests pass is written too, and then not even imported.
"""

from functools import cache
from pathlib import Path

import pytest

ALIKE = ("tests/unit/", "tests/contract/", "tests/simulation/")
"""Folders whose tests have the same ids with tools and without."""


def add_options(parser: pytest.Parser) -> None:
    group = parser.getgroup("yarrow")
    group.addoption("--write-passed", metavar="FILE", type=Path, help="write which tests passed")
    group.addoption("--without-passed", metavar="FILE", type=Path, help="leave out the tests that this file names")


def leave_out(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect what a run without optional tools has shown."""
    passed = _passed(config.getoption("without_passed"))
    left_out = [item for item in items if item.nodeid in passed]
    items[:] = [item for item in items if item.nodeid not in passed]
    if left_out:
        config.hook.pytest_deselected(items=left_out)


def is_left_out(config: pytest.Config, path: Path) -> bool:
    """Whether all tests of this file have been shown."""
    passed = _passed(config.getoption("without_passed"))
    return path.is_relative_to(config.rootpath) and path.relative_to(config.rootpath).as_posix() in passed


@cache
def _passed(file: Path | None) -> frozenset[str]:
    """Return what the file names: tests and whole files."""
    return frozenset() if file is None else frozenset(file.read_text(encoding="utf-8").splitlines())


class Passed:
    """Collects the ids of the tests that pass, of all processes, and writes them at the end."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._outcomes: dict[str, set[str]] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._outcomes.setdefault(report.nodeid, set()).add(report.outcome)

    def pytest_sessionfinish(self) -> None:
        passed = sorted(key for key, outcomes in self._outcomes.items() if outcomes == {"passed"})
        partly = {_file_of(key) for key in self._outcomes.keys() - set(passed)}
        whole = {file for key in passed if (file := _file_of(key)).startswith(ALIKE)} - partly
        self._file.write_text("".join(f"{text}\n" for text in [*passed, *sorted(whole)]), encoding="utf-8")


def _file_of(key: str) -> str:
    return key.partition("::")[0]
