"""Finds the tools that packages add to the MCP server."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from yarrow.observability.logs import logger
from yarrow.packages import declared
from yarrow.protocol.runner.mcp_tools import McpTool

ENTRY_POINTS: Final = "yarrow.mcp_tools"
"""Entry point group of McpTool objects, each under its name."""

_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")


@cache
def mcp_tools() -> Mapping[str, McpTool]:
    """Return the tools by name, the bundled packages' first; one of another name than its entry point is left out."""
    found = {}
    for name, tool in declared.objects(ENTRY_POINTS, McpTool):
        if tool.name == name and _NAME.fullmatch(name):
            found[name] = tool
        else:
            logger.warning("an MCP tool and its entry point have different names", extra={"entry_point": name})
    return found
