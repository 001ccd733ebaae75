"""State that a runner keeps with the host: small JSON values by scope and key, apart for each agent."""

from typing import TYPE_CHECKING, Any

from yarrow.protocol import json_text
from yarrow.store import table

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import TransactWriteItemTypeDef as WriteItem


def conversation(thread_id: str, agent: str) -> dict[str, Any]:
    """What an agent keeps for a thread, by key."""
    prefix = f"STATE#{agent}#"
    items = table.query(table.session_partition(thread_id), start=prefix, before=prefix + "~")
    return {item["sk"].removeprefix(prefix): json_text.loads(item["value_json"].encode()) for item in items}


def keep(thread_id: str, agent: str, name: str, value: Any) -> "WriteItem":
    """Keep one value of an agent for a thread, in place of what it had under that key."""
    key = {"pk": table.session_partition(thread_id), "sk": f"STATE#{agent}#{name}"}
    return table.put({**key, "value_json": json_text.dumps(value)})
