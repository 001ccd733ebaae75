"""The registered backend tools. To add one, write its function and list it here."""

from typing import Final

from yarrow.services.tools.calendar import calendar_read, calendar_write
from yarrow.services.tools.clock import get_current_time
from yarrow.services.tools.registry import ToolRegistry

TOOLS: Final = ToolRegistry()

TOOLS.register_tool_function(calendar_read, keeps=False)
TOOLS.register_tool_function(calendar_write)
TOOLS.register_tool_function(get_current_time, keeps=False)
