"""`.ci/run` and `.ci/bare`: what continuous integration runs, and on what."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.paths import ROOT

STAGES = ("lint", "docs", "bare", "tools", "tests", "package", "packaged")
TOOLS = ("node", "npm", "java", "mvn", "chromium", "chromium-headless-shell", "google-chrome", "curl", "docker", "sam")
MAKE = """#!/bin/sh
case "$*" in
  *$FAILS*) echo "2 failed, 1 passed, 1 error in 2.00s (0:00:02)"; exit 3 ;;
  "test OPTIONS="*) echo "========== 5 passed, 2 skipped in 1.00s =========" ;;
  *) echo "make $*" ;;
esac
"""
NO_STAGE = "no such target"


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """`.ci/run` with a make that only prints, and a bare machine that is this one."""
    folder = tmp_path / "clone"
    (folder / ".ci").mkdir(parents=True)
    shutil.copy(ROOT / ".ci/run", folder / ".ci/run")
    for name, text in {".ci/bare": '#!/bin/sh\nshift; exec "$@"\n', "make": MAKE, "chromium": "#!/bin/sh\n"}.items():
        (folder / name).write_text(text, encoding="utf-8")
        (folder / name).chmod(0o755)
    return folder


def run(clone: Path, *stages: str, fails: str = NO_STAGE) -> tuple[int, list[str]]:
    variables = {**os.environ, "PATH": f"{clone}:{os.environ['PATH']}", "FAILS": fails}
    done = subprocess.run(
        [clone / ".ci/run", *stages],
        env=variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout.splitlines()


def names(output: list[str]) -> list[str]:
    """The stages of the table, whose figures are minutes."""
    return [found[1] for line in output if (found := re.fullmatch(r"([a-z]+) +\d+\.\d +\d+\.\d", line))]


def test_all_stages_run_in_their_order_and_pytests_closing_lines_are_added_up(clone: Path) -> None:
    status, output = run(clone)
    assert status == 0
    assert [line.removeprefix("---- ") for line in output if line.startswith("---- ")] == list(STAGES)
    assert names(output) == list(STAGES)
    assert re.fullmatch(r"10 passed, 4 skipped in \d+\.00s", output[-1])


def test_a_stage_that_fails_ends_the_run_and_is_named(clone: Path) -> None:
    status, output = run(clone, fails="--without-passed=")
    assert status == 3
    assert names(output) == ["lint", "docs", "bare", "tools", "tests"]
    assert output[-2] == 'The stage "tests" failed.'
    assert re.fullmatch(r"2 failed, 6 passed, 2 skipped, 1 errors in \d+\.00s", output[-1])


def test_a_stage_without_tests_has_no_closing_line(clone: Path) -> None:
    status, output = run(clone, "lint", "package", fails="package")
    assert status == 3
    assert "make lint" in output


@pytest.mark.skipif(shutil.which("dpkg-query") is None, reason="needs Debian's dpkg-query")
def test_a_bare_machine_has_python_make_and_git_and_no_tool_that_is_optional(tmp_path: Path) -> None:
    """Nor anything that is not in the repository."""
    script = "python3 --version; make --version; git --version; ls -A; for tool; do command -v $tool || true; done"
    shown = subprocess.run(
        [ROOT / ".ci/bare", tmp_path, "sh", "-euc", script, "sh", *TOOLS], capture_output=True, text=True, check=True
    ).stdout
    for name in ("Python 3.", "GNU Make", "git version", "Makefile"):
        assert name in shown
    listed = set(shown.splitlines())
    assert not listed & {".venv", ".venv-sam", ".cache", ".aws-sam", ".wheels"}
    assert not [line for line in listed if line.startswith("/")]
