"""What a release is made of, and that it can be made of this tree."""

import shutil
import tarfile
import zipfile
from datetime import date
from pathlib import Path

import pytest

from tests.support.paths import ROOT
from tools import release
from tools.release import ReleaseError, notes, rehearse, released, set_version, versions

DAY = date(2027, 3, 1)
CHANGELOG = """# Changelog

## [Unreleased]

### Added

- A door.

### Migration notes

- Open it.

## [0.9.1] - 2027-01-01

### Added

- A house.

### Migration notes

None.
"""


def test_every_part_states_the_same_version() -> None:
    stated = versions(ROOT)
    assert {"pyproject.toml", "clients/python/pyproject.toml", "clients/js/package.json"} < set(stated)
    assert len(set(stated.values())) == 1, stated


def test_what_is_unreleased_becomes_the_release() -> None:
    changelog = released(CHANGELOG, "0.10.0", DAY)
    assert notes(changelog, "0.10.0") == "### Added\n\n- A door.\n\n### Migration notes\n\n- Open it.\n"
    assert notes(changelog, "Unreleased") == "### Migration notes\n\nNone.\n"
    assert notes(changelog, "0.9.1") == notes(CHANGELOG, "0.9.1")
    assert "## [0.10.0] - 2027-03-01\n" in changelog


@pytest.mark.parametrize("version", ["0.9.1", "0.9.0", "0.8.12"])
def test_a_version_is_above_the_last(version: str) -> None:
    with pytest.raises(ReleaseError, match=r"not above 0\.9\.1"):
        released(CHANGELOG, version, DAY)


@pytest.mark.parametrize("version", ["1.0", "v1.0.0", "1.0.0rc1", "01.0.0", "1.0.0\n", ""])
def test_a_version_has_three_numbers(version: str) -> None:
    with pytest.raises(ReleaseError, match="is not a version"):
        released(CHANGELOG, version, DAY)


def test_a_release_changes_something() -> None:
    with pytest.raises(ReleaseError, match="lists nothing"):
        released(released(CHANGELOG, "1.0.0", DAY), "1.0.1", DAY)


def test_a_version_without_a_section_has_no_notes() -> None:
    with pytest.raises(ReleaseError, match=r"no section \[1\.0\.0\]"):
        notes(CHANGELOG, "1.0.0")


def test_a_tree_with_changes_or_another_tag_is_refused(tmp_path: Path) -> None:

    stated = release.parts(ROOT)
    for part in stated:
        (tmp_path / part.path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / part.path, tmp_path / part.path)
    release._git(tmp_path, "init", "--quiet")
    release._git(tmp_path, "add", "--all")
    with pytest.raises(ReleaseError, match="has changes"):
        release.prepare(tmp_path, "1.0.0", DAY)
    with pytest.raises(ReleaseError, match=r"the tag is v9\.0\.0"):
        release.build(tmp_path, "v9.0.0")
    set_version(tmp_path, "2.0.0")
    assert set(versions(tmp_path).values()) == {"2.0.0"}
    (tmp_path / "clients/js/package.json").write_text('{\n  "version": "1.0.0"\n}\n', encoding="utf-8")
    with pytest.raises(ReleaseError, match="different versions"):
        release.build(tmp_path)


def test_a_release_can_be_made_of_this_tree(tmp_path: Path) -> None:
    """In a copy, without a network: the commit holds every change, and all that is built has the version."""
    kept = tmp_path / "dist"
    kept.mkdir()

    def keep(folder: Path) -> None:
        for path in (folder / "dist").iterdir():
            shutil.copy(path, kept)

    names = rehearse(ROOT, "999.0.0", DAY, keep)
    expected = {"notes.md", "yarrow-docs-999.0.0.tar.gz", "yarrow_client-999.0.0-py3-none-any.whl"}
    expected |= {"yarrow-client-999.0.0.tgz"} if shutil.which("npm") else set()
    assert expected <= set(names)
    with zipfile.ZipFile(kept / "yarrow_client-999.0.0-py3-none-any.whl") as wheel:
        assert "yarrow_client/py.typed" in wheel.namelist()
        assert b"Version: 999.0.0\n" in wheel.read("yarrow_client-999.0.0.dist-info/METADATA")
    with tarfile.open(kept / "yarrow-docs-999.0.0.tar.gz") as archive:
        assert "site/index.html" in archive.getnames()
    if shutil.which("npm"):
        with tarfile.open(kept / "yarrow-client-999.0.0.tgz") as archive:
            assert {"package/yarrow.js", "package/README.md"} <= set(archive.getnames())
