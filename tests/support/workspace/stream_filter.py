"""Which changes of the table the workspace's function is told of."""

from typing import Any

from local.dynamodb.table import ItemChange


def is_shown(change: ItemChange, item: dict[str, Any]) -> bool:
    """Return the filter of the event source mapping."""
    inserted, key = change.event == "INSERT", item["sk"]
    if inserted and key.startswith(("ENTRY#", "CONNECTION#")):
        return True
    if "workspace" not in item or not isinstance(item["workspace"], str):
        return False
    return (inserted and "events" in item) or "deleted_at" in item
