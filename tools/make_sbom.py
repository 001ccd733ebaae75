"""Makes the bill of materials of the built layers (CycloneDX 1.6), and checks that they have the tested versions.

Run `python -m tools.make_sbom` after `make package`: it writes `.aws-sam/sbom.json`, and fails when a layer has a
package in another version than `constraints.txt`. It needs no network; finding vulnerabilities is left to scanners.
"""

import json
import os
import subprocess
import sys
import uuid
from collections.abc import Sequence
from importlib.metadata import distributions
from pathlib import Path
from typing import Any, Final

from packaging.utils import canonicalize_name

ROOT: Final = Path(__file__).parent.parent
CYCLONEDX: Final = ROOT / ".cache/cyclonedx/bin/python"
"""Its own environment: `make cyclonedx`."""

BUILD: Final = ROOT / ".aws-sam/build"
CONSTRAINTS: Final = ROOT / "constraints.txt"
TARGET: Final = ROOT / ".aws-sam/sbom.json"

_NAMESPACE: Final = uuid.UUID("6f1d4c1e-52d7-5b0f-9c52-8d3b8f0f6f0e")


def bill(layers: Sequence[Path], *, validated: bool = True) -> dict[str, Any]:
    """Return the bill of materials of the packages in these folders, the same for the same packages.

    `cyclonedx-bom` lists what an interpreter finds; this one finds only the folders and the standard library.
    Validation takes 3 s.
    """
    command = [str(CYCLONEDX), "-I", "-m", "cyclonedx_py", "environment", "-S", sys.executable]
    command += ["--pyproject", str(ROOT / "pyproject.toml"), "--spec-version", "1.6", "--output-reproducible"]
    command += [] if validated else ["--no-validate"]
    found = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, layers))}
    done = subprocess.run(command, env=found, stdout=subprocess.PIPE, check=True)  # noqa: S603 (our own script)
    content: dict[str, Any] = json.loads(done.stdout)
    serial = uuid.uuid5(_NAMESPACE, json.dumps(content, sort_keys=True))
    return {"serialNumber": f"urn:uuid:{serial}"} | content


def untested(layers: Sequence[Path], constraints: str) -> list[str]:
    """Return the packages in these folders, as `name==version`, whose version is not the one in the constraints."""
    tested = {
        canonicalize_name(name): version for name, _, version in (line.partition("==") for line in constraints.split())
    }
    found = {canonicalize_name(package.name): package.version for package in distributions(path=[*map(str, layers)])}
    return sorted(f"{name}=={version}" for name, version in found.items() if tested.get(name) != version)


def main() -> int:
    """Write the bill; returns the exit code."""
    layers = sorted(BUILD.glob("*Layer/python"))
    if not layers:
        sys.stderr.write(f"there is no built layer in {BUILD}: run `make package` first\n")
        return 1
    TARGET.write_text(json.dumps(bill(layers), indent=2) + "\n", encoding="utf-8")
    if other := untested(layers, CONSTRAINTS.read_text(encoding="utf-8")):
        sys.stderr.write(f"the layers have packages that were not tested: {', '.join(other)}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
