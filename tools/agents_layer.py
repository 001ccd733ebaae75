"""Prints a lock file of the packages that requirements need in addition to Yarrow's layers, which keep their versions.

`make agents-layer REQUIREMENTS=file` runs it and installs the wheels, for an AgentsLayer or a remote runner's function.
"""

import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from packaging.utils import canonicalize_name

from tools.lock_layers import LAYERS, locked

_PIN: Final = re.compile(r"^([\w.-]+==\S+)", re.MULTILINE)


def pins(layers: Sequence[str]) -> list[str]:
    locks = [(LAYERS / name / "requirements.lock").read_text(encoding="utf-8") for name in layers]
    return sorted({pin for lock in locks for pin in _PIN.findall(lock)})


def needed(requirements: Path, layers: Sequence[str], options: Sequence[str]) -> list[str]:
    """Return the lines of the lock file; `options` are pip's. Raises CalledProcessError if there is no solution."""
    have = {canonicalize_name(pin.partition("==")[0]) for pin in pins(layers)}
    with tempfile.TemporaryDirectory() as folder:
        constraints = Path(folder) / "layers.txt"
        constraints.write_text("\n".join(pins(layers)), encoding="utf-8")
        try:
            packages = locked(requirements, constraints, options)
        except subprocess.CalledProcessError:
            _explain(requirements, constraints, options)
            raise
    return sorted(line for name, line in packages.items() if name not in have)


def _explain(requirements: Path, constraints: Path, options: Sequence[str]) -> None:
    """Print which packages conflict; a quiet pip does not say."""
    command = [sys.executable, "-m", "pip", "install", "--dry-run", "--ignore-installed", *options]
    command += ["--target", str(constraints.parent), "-c", str(constraints), "-r", str(requirements)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    sys.stderr.write("".join(re.findall(r"^The conflict is caused by:\n(?: .*\n)+", done.stdout, re.MULTILINE)))


def main(file: str, layers: str, options: Sequence[str]) -> int:
    """`layers` are names, separated by commas. Returns the exit code."""
    try:
        sys.stdout.writelines(needed(Path(file), layers.split(","), options))
    except subprocess.CalledProcessError:
        sys.stderr.write("these packages do not fit the layers: docs/agents-layer.md says what to do\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
