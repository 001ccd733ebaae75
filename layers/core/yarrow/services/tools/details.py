"""What is known of backend tools without importing those of the platform, which call AWS."""

from collections.abc import Mapping
from typing import Any

from yarrow.observability.logs import logger
from yarrow.packages import declared
from yarrow.services.tools.names import ENTRY_POINTS


def find(name: str) -> Mapping[str, Any] | None:
    """Return a tool's name, description and parameters; None if there is none, or it is an MCP server's."""
    tools: Mapping[str, Mapping[str, Any]] = declared.index()["tools"]
    known = tools.get(name) or _of_package(name)
    return None if known is None else {"name": name, **known}


def _of_package(name: str) -> Mapping[str, Any] | None:
    """Return the description and parameters of an installed package's tool."""
    point = next((point for point in declared.installed(ENTRY_POINTS) if point.name == name), None)
    if point is None:
        return None
    from yarrow.services.tools.registry import ToolRegistry  # few deployments have such tools

    registry = ToolRegistry()
    try:
        registry.register_tool_function(point.load(), name=name)
    except Exception as error:  # noqa: BLE001 (loading runs foreign code; what it raised is told)
        logger.warning("a tool was ignored", extra={"tool": name, "reason": f"{type(error).__name__}: {error}"})
        return None
    detail = registry.detail(name)
    return None if detail is None else detail.model_dump(exclude={"tool_name"})
