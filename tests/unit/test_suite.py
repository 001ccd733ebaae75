"""Options and output of pytest in this project."""

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.paths import ROOT

BUSY_SECONDS = 4
ALIKE = "tests/unit/test_alike.py::test_it"
WHOLE = "tests/unit/test_whole.py"
OTHER = "tests/e2e/test_other.py::test_it_passes_elsewhere"
SOURCES = {
    "unit/test_alike.py": """
        import subprocess, sys

        import pytest

        BUSY = "import os, time\\nwhile time.process_time() < float(os.environ.get('BUSY', 0)): pass"

        @pytest.mark.parametrize("number", [1, 2])
        def test_it_passes(number): pass

        def test_it_is_busy(): subprocess.run([sys.executable, "-c", BUSY], check=True)

        def test_it_fails(): assert False

        @pytest.mark.parametrize("number", [1, 2])
        def test_it_lacks_a_tool(number): pytest.skip("needs a tool")

        def test_it_ends_badly(bad_end): pass

        @pytest.fixture
        def bad_end():
            yield
            assert False
        """,
    "unit/test_whole.py": """
        from pathlib import Path

        Path("imported").touch()

        def test_it_passes_with_all_others(): pass
        """,
    "e2e/test_other.py": """
        def test_it_passes_elsewhere(): pass
        """,
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return the folder of a project with these tests and this one's conftest.py."""
    for name, source in SOURCES.items():
        file = tmp_path / "tests" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(source.replace("\n        ", "\n"), encoding="utf-8")
    (tmp_path / "conftest.py").symlink_to(ROOT / "tests/conftest.py")
    (tmp_path / "pytest.ini").write_text(f"[pytest]\npythonpath = {ROOT}\naddopts = --import-mode=importlib\n")
    return tmp_path


@dataclass(frozen=True)
class Run:
    """`shown` is its output, without dots; `passed` and `used` are tests and CPU seconds."""

    shown: list[str]
    passed: set[str]
    used: int


def run(folder: Path, *options: str, busy: int = 0) -> Run:
    """Its tests, in a process beside pytest's own; one of them uses `busy` seconds in a process of its own."""
    command = [sys.executable, "-m", "pytest", "-p", "xdist.plugin", "-n", "1", "-q", "-p", "no:cacheprovider"]
    output = subprocess.run(
        [*command, "--write-passed=passed", *options, "tests"],
        cwd=folder,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "BUSY": str(busy)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    ).stdout
    (used,) = re.findall(r"^(\d+) CPU seconds in \d+ seconds$", output, re.MULTILINE)
    passed = (folder / "passed").read_text(encoding="utf-8").splitlines()
    return Run(output.splitlines(), set(passed), int(used))


def test_failures_are_shown_at_once_and_skipped_tests_by_their_reason(folder: Path) -> None:
    """pytest prints its own closing line. A test whose teardown fails has not passed."""
    whole = run(folder)
    failures = whole.shown.index(next(line for line in whole.shown if " ERRORS " in line))
    for name in ("test_it_fails", "test_it_ends_badly"):
        assert whole.shown.index(f"FAILED tests/unit/test_alike.py::{name}") < failures
    assert "    2 skipped: needs a tool" in whole.shown
    assert re.fullmatch(r"1 failed, 6 passed, 2 skipped, 1 error in [\d.]+s", whole.shown[-1])
    of_alike = {*(f"{ALIKE}_passes[{number}]" for number in (1, 2)), f"{ALIKE}_is_busy"}
    assert (folder / "imported").exists()
    assert whole.passed == {*of_alike, f"{WHOLE}::test_it_passes_with_all_others", WHOLE, OTHER}


def test_what_passed_without_tools_is_left_out_with_them(folder: Path) -> None:
    """All else runs: what failed or was skipped, another parameter. A file that passed as a whole is not imported."""
    file = folder / "earlier"
    file.write_text(f"{ALIKE}_passes[1]\n{ALIKE}_is_busy\n{OTHER}\n{WHOLE}\n", encoding="utf-8")
    rest = run(folder, f"--without-passed={file}")
    assert rest.passed == {f"{ALIKE}_passes[2]"}
    assert not (folder / "imported").exists()
    assert re.fullmatch(r"1 failed, 2 passed, 2 skipped, 1 error in [\d.]+s", rest.shown[-1])


def test_cpu_seconds_are_those_of_all_processes(folder: Path) -> None:
    busy = run(folder, "-k", "is_busy", busy=BUSY_SECONDS)
    assert busy.used >= BUSY_SECONDS
    assert run(folder, "-k", "is_busy").used < busy.used
