"""Deletes what the assistant remembers of a user."""

from yarrow.protocol.problems import Code, Problem
from yarrow.store import memories


def delete_memory(user_id: str, memory_id: str) -> None:
    """Delete one of the user's memories; a no-op if there is none. Raises Problem 422 for an invalid id."""
    if not memories.is_id(memory_id):
        raise Problem(Code.AGENT_MEMORY_ID_INVALID, "memoryId must be an id of a memory")
    memories.forget(user_id, memory_id)
