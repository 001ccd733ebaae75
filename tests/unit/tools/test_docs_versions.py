"""The documentation of all releases is one site, whose first page leads to the newest."""

import io
import json
import tarfile
from pathlib import Path

import pytest
import yaml

from tests.support.paths import ROOT
from tools.docs_versions import join


def archive(folder: Path, version: str, name: str = "site/docs/start/quickstart.html") -> None:
    with tarfile.open(folder / f"yarrow-docs-{version}.tar.gz", "w:gz") as opened:
        for path in (name, "site/index.html"):
            member = tarfile.TarInfo(path)
            member.size = len(version)
            opened.addfile(member, io.BytesIO(version.encode()))


def test_each_release_keeps_its_pages_and_the_newest_is_latest(tmp_path: Path) -> None:
    folder, site = tmp_path / "archives", tmp_path / "site"
    folder.mkdir()
    for version in ("0.9.0", "0.10.0", "0.2.1", "1.0.0-rc1"):
        archive(folder, version)
    (folder / "notes.md").write_text("", encoding="utf-8")
    assert join(folder, site) == ["0.10.0", "0.9.0", "0.2.1"]
    pages = {
        name: (site / name / "docs/start/quickstart.html").read_text(encoding="utf-8") for name in ("latest", "0.9.0")
    }
    assert pages == {"latest": "0.10.0", "0.9.0": "0.9.0"}
    listed = json.loads((site / "versions.json").read_text(encoding="utf-8"))
    assert [(one["version"], one["aliases"]) for one in listed] == [
        ("0.10.0", ["latest"]),
        ("0.9.0", []),
        ("0.2.1", []),
    ]
    assert "url=latest/" in (site / "index.html").read_text(encoding="utf-8")
    assert sorted(path.name for path in site.iterdir()) == [
        "0.10.0",
        "0.2.1",
        "0.9.0",
        "index.html",
        "latest",
        "versions.json",
    ]


def test_an_archive_writes_nowhere_else(tmp_path: Path) -> None:
    folder = tmp_path / "archives"
    folder.mkdir()
    archive(folder, "1.0.0", "../../evil.html")
    with pytest.raises(tarfile.FilterError):
        join(folder, tmp_path / "site")
    assert not (tmp_path / "evil.html").exists()


def test_a_release_without_documentation_is_no_site(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="has no yarrow-docs"):
        join(tmp_path, tmp_path / "site")
    assert not (tmp_path / "site").exists()


def test_the_release_publishes_what_it_and_the_others_have_archived() -> None:
    docs = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8"))["jobs"]["docs"]
    commands = "\n".join(step.get("run", "") for step in docs["steps"])
    assert "--pattern 'yarrow-docs-*.tar.gz'" in commands
    assert "python3 -m tools.docs_versions archives site" in commands
    selector = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    assert "version: { provider: mike }" in selector
