"""Writes `requirements.lock` of each layer: the wheels for Lambda by version and SHA-256, without index addresses.

Run `make lock` after a change of `constraints.txt` or of a layer's `requirements.txt`; a test compares them. The core
layer has everything its requirements need; another layer has what it names itself and what the core does not have.
"""

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from packaging.utils import canonicalize_name

ROOT: Final = Path(__file__).parent.parent
LAYERS: Final = ROOT / "layers"
CORE: Final = "core"
HEADER: Final = "# Made by `make lock` from requirements.txt and constraints.txt.\n"


def locked(requirements: Path, constraints: Path, options: Sequence[str]) -> dict[str, str]:
    """Return, by project name, the lock file's line of every wheel that pip would install with these options."""
    with tempfile.TemporaryDirectory() as target:
        command = [
            *(sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--ignore-installed", "--report", "-"),
            *(*options, "--target", target, "--constraint", str(constraints)),
            *("--requirement", str(requirements)),
        ]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)  # noqa: S603
    return dict(_line(package) for package in json.loads(done.stdout)["install"])


def named(requirements: str) -> set[str]:
    """Return the projects that the lines of a requirements file name."""
    return {canonicalize_name(found[0]) for line in requirements.splitlines() if (found := re.match(r"[\w.-]+", line))}


def _line(package: dict[str, Any]) -> tuple[str, str]:
    name, version = canonicalize_name(package["metadata"]["name"]), package["metadata"]["version"]
    sha256 = package["download_info"]["archive_info"]["hashes"]["sha256"]
    return name, f"{name}=={version} --hash=sha256:{sha256}\n"


def main(options: Sequence[str]) -> int:
    """Write the lock files; `options` are pip's and name the wheels' platform. Returns the exit code."""
    if sys.version_info[:2] != (3, 13):
        # pip selects wheels by its options, but evaluates markers for the Python it runs on.
        sys.stderr.write("make lock needs a .venv with Python 3.13, as on Lambda: make clean lock PYTHON=python3.13\n")
        return 1
    layers = {path.parent.name: path.parent for path in sorted(LAYERS.glob("*/requirements.txt"))}
    packages = {
        name: locked(folder / "requirements.txt", ROOT / "constraints.txt", options) for name, folder in layers.items()
    }
    for name, folder in layers.items():
        own = named((folder / "requirements.txt").read_text(encoding="utf-8"))
        lines = [
            line
            for project, line in packages[name].items()
            if name == CORE or project in own or project not in packages[CORE]
        ]
        (folder / "requirements.lock").write_text(HEADER + "".join(sorted(lines)), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
