"""The registered backend tools; add yours here, and its name in `names`."""

from typing import Final

from yarrow.services.tools.calendar import calendar_delete, calendar_read, calendar_update, calendar_write
from yarrow.services.tools.cast import cast_hexagram
from yarrow.services.tools.clock import get_current_time
from yarrow.services.tools.memory import memory_forget, memory_save, memory_search
from yarrow.services.tools.profile import user_lookup
from yarrow.services.tools.registry import ToolRegistry

TOOLS: Final = ToolRegistry()

TOOLS.register_tool_function(calendar_read, writes=False)
TOOLS.register_tool_function(calendar_write)
TOOLS.register_tool_function(calendar_update)
TOOLS.register_tool_function(calendar_delete)
TOOLS.register_tool_function(get_current_time, writes=False)
TOOLS.register_tool_function(user_lookup, writes=False)
TOOLS.register_tool_function(memory_save)
TOOLS.register_tool_function(memory_search, writes=False)
TOOLS.register_tool_function(memory_forget)
TOOLS.register_tool_function(cast_hexagram)
