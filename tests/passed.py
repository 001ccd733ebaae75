"""Tests that passed without any optional tool and need not run again with all of them (`.ci/run`).

`--write-passed FILE` writes the ids of the tests that pass. `--without-passed FILE` leaves those out that are in ALIKE;
tests that were skipped or not there do run.
"""

from pathlib import Path

import pytest

ALIKE = ("tests/unit/", "tests/contract/", "tests/simulation/")
"""A test of these folders that passes without the optional tools does not use them where they are installed."""


def add_options(parser: pytest.Parser) -> None:
    group = parser.getgroup("yarrow")
    group.addoption("--write-passed", metavar="FILE", type=Path, help="write which tests passed")
    group.addoption("--without-passed", metavar="FILE", type=Path, help="leave out tests that no optional tool changes")


def leave_out(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect what a run without optional tools has shown."""
    file: Path | None = config.getoption("without_passed")
    if file is None:
        return
    passed = {line for line in file.read_text(encoding="utf-8").splitlines() if line.startswith(ALIKE)}
    left_out = [item for item in items if item.nodeid in passed]
    items[:] = [item for item in items if item.nodeid not in passed]
    config.hook.pytest_deselected(items=left_out)


class Passed:
    """Collects the ids of the tests that pass, of all processes, and writes them at the end."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._outcomes: dict[str, set[str]] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._outcomes.setdefault(report.nodeid, set()).add(report.outcome)

    def pytest_sessionfinish(self) -> None:
        passed = sorted(key for key, outcomes in self._outcomes.items() if outcomes == {"passed"})
        self._file.write_text("".join(f"{text}\n" for text in passed), encoding="utf-8")
