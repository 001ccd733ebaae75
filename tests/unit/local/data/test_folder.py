"""A data folder is for one stack at a time, of one format, and for its owner only."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from local.data import folder
from local.data.folder import DataError, DataFolder


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "new" / "data"


@pytest.fixture
def opened(path: Path) -> Iterator[DataFolder]:
    data = DataFolder.open(path, wait=0)
    yield data
    data.close()


def test_it_is_only_for_its_owner(opened: DataFolder) -> None:
    opened.secret("key.pem", b"secret")
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (opened.path, *opened.path.iterdir())}
    assert modes == {"data": 0o700, "format": 0o600, "lock": 0o600, "key.pem": 0o600}


def test_a_secret_is_made_once(opened: DataFolder) -> None:
    assert opened.secret("key.pem", b"first") == b"first"
    assert opened.secret("key.pem", b"second") == b"first"


def test_a_second_stack_is_refused_until_the_first_and_its_children_have_ended(path: Path) -> None:
    first = DataFolder.open(path, wait=0)
    inherited = os.dup(first.lock)  # as by a child
    with pytest.raises(DataError, match=r"data is in use by another stack; choose another folder with DATA$"):
        DataFolder.open(path, wait=0)
    first.close()
    with pytest.raises(DataError, match="in use"):
        DataFolder.open(path, wait=0)
    os.close(inherited)
    DataFolder.open(path, wait=0).close()


def test_data_of_another_format_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    DataFolder.open(path, wait=0).close()
    monkeypatch.setattr(folder, "FORMAT", "2")
    with pytest.raises(
        DataError, match=r"data has data of format '1', this version keeps format '2'; remove the folder"
    ):
        DataFolder.open(path, wait=0)


def test_a_folder_of_other_files_is_refused_and_left_as_it_is(path: Path) -> None:
    path.mkdir(parents=True)
    (path / "thesis.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(DataError, match="has other files"):
        DataFolder.open(path, wait=0)
    assert [item.name for item in path.iterdir()] == ["thesis.txt"]


def test_what_cannot_be_written_is_refused(tmp_path: Path) -> None:
    """One line has the system's reason."""
    (tmp_path / "file").touch()
    with pytest.raises(DataError, match=r"file/data cannot be used: Not a directory; choose another folder with DATA$"):
        DataFolder.open(tmp_path / "file" / "data", wait=0)


def test_a_full_disk_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(DataError, match="cannot be used: No space left on device"):
        DataFolder.open(path, wait=0)
    assert {item.name for item in path.iterdir()} == {"lock"}
