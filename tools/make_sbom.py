"""Makes the bill of materials of the built layer, as CycloneDX 1.6, and holds the layer to the tested versions.

Run `python -m tools.make_sbom` after `make package`: it writes `.aws-sam/sbom.json`, and fails when the layer has a
package in another version than `constraints.txt`. It asks nobody; what is known against a package, a scanner tells.
"""

import json
import re
import sys
import uuid
from collections.abc import Mapping
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parent.parent
LAYER: Final = ROOT / ".aws-sam/build/CoreLayer/python"
CONSTRAINTS: Final = ROOT / "constraints.txt"
TARGET: Final = ROOT / ".aws-sam/sbom.json"

_NAMESPACE: Final = uuid.UUID("6f1d4c1e-52d7-5b0f-9c52-8d3b8f0f6f0e")


def bill(layer: Path) -> dict[str, Any]:
    """The bill of materials of the packages in a folder: the same for the same packages."""
    components = sorted(map(_component, distributions(path=[str(layer)])), key=lambda each: str(each["bom-ref"]))
    content = {
        "metadata": {"component": {"type": "application", "bom-ref": "yarrow", "name": "yarrow"}},
        "components": components,
        "dependencies": [{"ref": "yarrow", "dependsOn": [each["bom-ref"] for each in components]}],
    }
    serial = uuid.uuid5(_NAMESPACE, json.dumps(content))
    head = {"bomFormat": "CycloneDX", "specVersion": "1.6", "serialNumber": f"urn:uuid:{serial}", "version": 1}
    return head | content


def untested(layer: Path, constraints: str) -> list[str]:
    """The packages in a folder, as `name==version`, that the lines of a constraints file do not name so."""
    tested = {_normal(name): version for name, _, version in (line.partition("==") for line in constraints.split())}
    found = {_normal(each.name): each.version for each in distributions(path=[str(layer)])}
    return sorted(f"{name}=={version}" for name, version in found.items() if tested.get(name) != version)


def _component(package: Distribution) -> dict[str, Any]:
    url = f"pkg:pypi/{_normal(package.name)}@{package.version}"
    # "licenses" is left out where a package does not say in words that the format takes.
    return {
        "type": "library",
        "bom-ref": url,
        "name": package.name,
        "version": package.version,
        "purl": url,
        **_licenses(package.metadata.json),
    }


def _licenses(metadata: Mapping[str, str | list[str]]) -> dict[str, Any]:
    if expression := metadata.get("license_expression"):
        return {"licenses": [{"expression": expression}]}
    lines = metadata.get("classifier", [])
    names = [line.rpartition(" :: ")[2] for line in lines if line.startswith("License :: OSI Approved :: ")]
    return {"licenses": [{"license": {"name": name}} for name in names]} if names else {}


def _normal(name: str) -> str:
    """A project's name as PyPI compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def main() -> int:
    """Write the bill; returns the exit code."""
    found = bill(LAYER)
    if not found["components"]:
        sys.stderr.write(f"there is no built layer in {LAYER}: run `make package` first\n")
        return 1
    TARGET.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    if other := untested(LAYER, CONSTRAINTS.read_text(encoding="utf-8")):
        sys.stderr.write(f"the layer has packages that were not tested: {', '.join(other)}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
