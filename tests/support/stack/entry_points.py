"""Installing a package for a process without pip: what its `pyproject.toml` says, as metadata on the PYTHONPATH."""

import os
import tomllib
from pathlib import Path


def python_path(project: Path, into: Path) -> str:
    """The PYTHONPATH with a project's modules before it, and its entry points, which are written `into` a folder."""
    declared = tomllib.loads((project / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    name, version = declared["name"].replace("-", "_"), declared["version"]
    metadata = into / f"{name}-{version}.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n", encoding="utf-8")
    groups = [
        "\n".join([f"[{group}]", *(f"{point} = {place}" for point, place in points.items())])
        for group, points in declared["entry-points"].items()
    ]
    (metadata / "entry_points.txt").write_text("\n".join(groups) + "\n", encoding="utf-8")
    return os.pathsep.join(filter(None, (str(project), str(into), os.environ.get("PYTHONPATH"))))
