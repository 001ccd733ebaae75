"""Installing packages for a process without pip: what each `pyproject.toml` says, as metadata on the PYTHONPATH."""

import os
import tomllib
from pathlib import Path


def python_path(into: Path, *projects: Path) -> str:
    """The PYTHONPATH with the projects before it; their entry points are written `into` a folder."""
    for project in projects:
        _declare(project, into)
    return os.pathsep.join(filter(None, (*map(str, projects), str(into), os.environ.get("PYTHONPATH"))))


def _declare(project: Path, into: Path) -> None:
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
