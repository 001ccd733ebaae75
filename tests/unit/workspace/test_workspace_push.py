"""What a push returns to be sent again."""

import pytest

from yarrow.workspace.open_workspace import Workspace
from yarrow.workspace.workspace_push import ChangedItem, workspace_push


def changed(number: int, workspace: str) -> ChangedItem:
    return ChangedItem(f"{number:021}", {"pk": f"WORKSPACE#{workspace}", "sk": "WORKSPACE"})


def test_all_records_of_a_workspace_that_failed_are_sent_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """WSP-21: Lambda goes on from the first of them; those of other workspaces are shown."""
    loaded: list[str] = []

    def load(key: str) -> Workspace | None:
        loaded.append(key)
        if key == "broken":
            raise OSError
        return None

    monkeypatch.setattr(Workspace, "load", load)
    records = [
        changed(1, "sound"),
        changed(2, "broken"),
        changed(3, "sound"),
        changed(4, "broken"),
        changed(5, "broken"),
    ]
    assert workspace_push(records, lambda *_: None) == [records[value].sequence_number for value in (1, 3, 4)]
    assert loaded == ["sound", "broken"]
