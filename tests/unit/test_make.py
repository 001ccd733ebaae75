"""What `make run` and `make test` print from a fresh clone is what both READMEs show."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.paths import ROOT

FILES = (
    *("Makefile", "layers/layer.mk", "pyproject.toml", "constraints.txt"),
    *("clients/python/pyproject.toml", "layers/core/liuyao/pyproject.toml", "layers/core/yarrow_agents/pyproject.toml"),
)
PYTHON = f"""#!/bin/sh
# Takes the place of Python: makes an environment of itself, and prints what the server and pytest would.
case "$*" in
  --version) echo "Python 3.13.0" ;;
  "-m venv --clear .venv") mkdir -p .venv/bin && cp "$0" .venv/bin/python && cp "$0" .venv/bin/pytest ;;
  "-m pip install "*) ;;
  "-m local") echo "ready http://127.0.0.1:$PORT" ;;
  -c*) exec {sys.executable} "$@" ;;
  "-n "*) echo "pytest $*" ;;
  *) exit 1 ;;
esac
"""
LAST_LINE = re.compile(r"\d+ passed, \d+ skipped in \d+\.\d+s \(0:\d\d:\d\d\)")


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """As much of a clone as make reads, and a Python that takes no time."""
    for name in FILES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "clients/kotlin/src").mkdir(parents=True)
    python = tmp_path / "python"
    python.write_text(PYTHON, encoding="utf-8")
    python.chmod(0o755)
    return tmp_path


def printed(clone: Path, target: str) -> list[str]:
    variables = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "PORT"))}
    command = ["make", "--no-print-directory", f"PYTHON={clone}/python", target]
    made = subprocess.run(command, cwd=clone, env=variables, capture_output=True, text=True, check=True)
    assert made.stderr == ""
    return made.stdout.splitlines()


def shown(readme: str, command: str) -> list[str]:
    """The output that follows a block of commands which ends with this one."""
    text = (ROOT / readme).read_text(encoding="utf-8")
    block = re.search(rf"^{command}\n```\n\n```console\n(.*?)```", text, re.MULTILINE | re.DOTALL)
    assert block, f"{readme} does not show what {command} prints"
    return block[1].splitlines()


@pytest.mark.parametrize("readme", ["README.md", "README.zh-CN.md"])
def test_run_says_what_it_installs_and_where_it_serves(clone: Path, readme: str) -> None:
    assert printed(clone, "run") == shown(readme, "make run")
    assert printed(clone, "run") == shown(readme, "make run")[1:]


@pytest.mark.parametrize("readme", ["README.md", "README.zh-CN.md"])
def test_test_says_how_long_it_takes(clone: Path, readme: str) -> None:
    """Its last line is pytest's own."""
    first, dots, last = shown(readme, "make test")
    assert dots == "…"
    assert LAST_LINE.fullmatch(last)
    installs, begins, pytest_ = printed(clone, "test")
    assert installs == shown(readme, "make run")[0]
    assert re.sub(r"in \d process(es)?,", "in 3 processes,", begins) == first
    assert pytest_.startswith("pytest -n ")
