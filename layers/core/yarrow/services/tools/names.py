"""The names of the registered backend tools, without the imports of `builtin`."""

from typing import Final

from yarrow.packages import declared

ENTRY_POINTS: Final = "yarrow.tools"
"""Entry point group of tool functions, each under the tool's name."""

OF_THE_PLATFORM: Final = frozenset(
    {
        "calendar_delete",
        "calendar_read",
        "calendar_update",
        "calendar_write",
        "get_current_time",
        "memory_forget",
        "memory_save",
        "memory_search",
        "user_lookup",
    }
)

NAMES: Final = OF_THE_PLATFORM | declared.names(ENTRY_POINTS)
"""A test compares them with `builtin.TOOLS`."""
