"""Keys of workspaces. A workspace is a user's sessions with one agent, which its page names by the task."""

import uuid
from typing import Final

from yarrow.formats import json_text
from yarrow.store import table

_NAMESPACE: Final = uuid.UUID("b3f1c7a2-6f0e-5d54-8a30-776f726b7370")


def key_of(user_id: str, task_name: str) -> str:
    """The key of a user's workspace: deterministic, and no hint of either."""
    return str(uuid.uuid5(_NAMESPACE, json_text.dumps([user_id, task_name])))


def partition(workspace: str) -> str:
    """The partition of a workspace: its head, entries and connections."""
    return f"WORKSPACE#{workspace}"


def head(workspace: str) -> table.Item:
    """The key of a workspace's head."""
    return {"pk": partition(workspace), "sk": "WORKSPACE"}


def entry(workspace: str, number: int) -> table.Item:
    """The key of an entry of its log."""
    return {"pk": partition(workspace), "sk": f"ENTRY#{number:010d}"}


def connection(workspace: str, connection_id: str) -> table.Item:
    """The key of a connection to it."""
    return {"pk": partition(workspace), "sk": f"CONNECTION#{connection_id}"}


def run_id_of(workspace: str, entry_number: int, index: int = 0) -> str:
    """The runId of the command with this index in an entry: the same whoever submits it, so that twice is once."""
    return str(uuid.uuid5(uuid.UUID(workspace), f"{entry_number}.{index}"))
