"""The names of the registered backend tools, for those who need no more: `builtin` imports what the tools need."""

from typing import Final

NAMES: Final = frozenset(
    {
        "calendar_delete",
        "calendar_read",
        "calendar_update",
        "calendar_write",
        "cast_hexagram",
        "get_current_time",
        "memory_forget",
        "memory_save",
        "memory_search",
        "user_lookup",
    }
)
"""A test compares them with `builtin.TOOLS`."""
