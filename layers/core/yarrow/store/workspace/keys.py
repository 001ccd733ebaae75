"""Keys of workspaces. A workspace is a user's sessions with one agent, whose task name its page uses."""

import uuid
from typing import Final

from yarrow.formats import json_text
from yarrow.store import table

_NAMESPACE: Final = uuid.UUID("b3f1c7a2-6f0e-5d54-8a30-776f726b7370")


def key_of(user_id: str, task_name: str) -> str:
    """Derive a workspace's key; it reveals neither user nor task."""
    return str(uuid.uuid5(_NAMESPACE, json_text.dumps([user_id, task_name])))


def partition(workspace: str) -> str:
    return f"WORKSPACE#{workspace}"


def head(workspace: str) -> table.Item:
    return {"pk": partition(workspace), "sk": "WORKSPACE"}


def entry(workspace: str, number: int) -> table.Item:
    return {"pk": partition(workspace), "sk": f"ENTRY#{number:010d}"}


def connection(workspace: str, connection_id: str) -> table.Item:
    return {"pk": partition(workspace), "sk": f"CONNECTION#{connection_id}"}


def run_id_of(workspace: str, entry_number: int, index: int = 0) -> str:
    """Return the runId of the command at this index of an entry: always the same, so that repeats are idempotent."""
    return str(uuid.uuid5(uuid.UUID(workspace), f"{entry_number}.{index}"))
