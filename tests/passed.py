"""Tests that passed without any optional tool and need not run again with all of them (`.ci/run`).

`--write-passed FILE` writes the ids of the tests that pass. `--without-passed FILE` leaves those out that are in ALIKE;
tests that were skipped or not there do run.
"""

from pathlib import Path

import pytest

ALIKE = ("tests/unit/", "tests/contract/", "tests/simulation/")
"""What passes here without an optional tool takes none where there is one: it may only be skipped for want of it."""


def add_options(parser: pytest.Parser) -> None:
    group = parser.getgroup("yarrow")
    group.addoption("--write-passed", metavar="FILE", type=Path, help="write which tests passed")
    group.addoption("--without-passed", metavar="FILE", type=Path, help="leave out tests that no optional tool changes")


def leave_out(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect what a run without optional tools has shown."""
    file: Path | None = config.getoption("without_passed")
    if file is None:
        return
    passed = {each for each in file.read_text(encoding="utf-8").splitlines() if each.startswith(ALIKE)}
    left_out = [each for each in items if each.nodeid in passed]
    items[:] = [each for each in items if each.nodeid not in passed]
    config.hook.pytest_deselected(items=left_out)


class Passed:
    """Collects the ids of the tests that pass, of all processes, and writes them at the end."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._outcomes: dict[str, set[str]] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._outcomes.setdefault(report.nodeid, set()).add(report.outcome)

    def pytest_sessionfinish(self) -> None:
        passed = sorted(each for each, outcomes in self._outcomes.items() if outcomes == {"passed"})
        self._file.write_text("".join(f"{each}\n" for each in passed), encoding="utf-8")
