"""The registered backend tools; add yours here, and its name in `names`. Packages declare theirs."""

from typing import Final

from yarrow.observability.logs import logger
from yarrow.packages import declared
from yarrow.protocol.runner.tools import options_of
from yarrow.services.tools.calendar import calendar_delete, calendar_read, calendar_update, calendar_write
from yarrow.services.tools.clock import get_current_time
from yarrow.services.tools.memory import memory_forget, memory_save, memory_search
from yarrow.services.tools.names import ENTRY_POINTS
from yarrow.services.tools.profile import user_lookup
from yarrow.services.tools.registry import ToolRegistry

TOOLS: Final = ToolRegistry()

# Writing tools are idempotent by their contents: a repeated call of a run changes nothing (STP-02).
TOOLS.register_tool_function(calendar_read, writes=False)
TOOLS.register_tool_function(calendar_write, retry="safe")
TOOLS.register_tool_function(calendar_update, retry="safe")
TOOLS.register_tool_function(calendar_delete, retry="safe")
TOOLS.register_tool_function(get_current_time, writes=False)
TOOLS.register_tool_function(user_lookup, writes=False)
TOOLS.register_tool_function(memory_save, retry="safe")
TOOLS.register_tool_function(memory_search, writes=False)
TOOLS.register_tool_function(memory_forget, retry="safe")

for _name, _load in declared.loaders(ENTRY_POINTS):
    try:
        _function = _load()
        _options = options_of(_function)
        TOOLS.register_tool_function(_function, name=_name, writes=_options.writes, retry=_options.retry)
    except Exception as error:  # noqa: BLE001 (loading runs foreign code; what it raised is told)
        logger.warning("a tool was ignored", extra={"tool": _name, "reason": f"{type(error).__name__}: {error}"})
