"""Tools that packages add, called within the request."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from yarrow.formats import json_text
from yarrow.mcp_server.json_rpc import Document
from yarrow.mcp_server.run_answers import error_result
from yarrow.observability.logs import logger
from yarrow.packages.mcp_tools import mcp_tools
from yarrow.protocol.caller import Caller
from yarrow.protocol.runner.mcp_tools import McpCaller, McpTool
from yarrow.settings import settings


def describe() -> Iterator[Document]:
    """Yield the tools, sorted by name."""
    for name in sorted(mcp_tools()):
        yield _described(mcp_tools()[name])


def find(name: str) -> McpTool | None:
    return mcp_tools().get(name)


def call(tool: McpTool, arguments: Mapping[str, Any], caller: Caller) -> Document:
    """Return the result of a call; bad arguments and a tool that fails are errors that the model sees."""
    from pydantic import ValidationError  # few requests call such a tool

    from yarrow.protocol import validation_errors

    try:
        read = tool.arguments.model_validate_json(json_text.dumps(arguments))
    except ValidationError as error:
        first = validation_errors.faults(error)[0]
        where = ".".join(map(str, first["loc"])) or "arguments"
        return error_result(f"invalid {where[:100]}: {validation_errors.reason(first)}")
    zone = ZoneInfo(caller.zoneinfo) if caller.zoneinfo else UTC
    try:
        result = tool.call(read, McpCaller(caller.locale, datetime.now(zone), _parameter))
    except ValueError as error:
        return error_result(str(error))
    except Exception:
        logger.exception("an MCP tool failed", extra={"tool": tool.name})
        return error_result("the tool failed")
    document: Document = {"content": [dict(block) for block in result.content], "isError": result.is_error}
    if result.structured is not None:
        document["structuredContent"] = dict(result.structured)
    return document


def _described(tool: McpTool) -> Document:
    document: Document = {
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": tool.arguments.model_json_schema(),
    }
    if tool.output_schema is not None:
        document["outputSchema"] = dict(tool.output_schema)
    hints = {"readOnlyHint": True, "idempotentHint": tool.repeatable, "openWorldHint": False}
    return {**document, "annotations": hints}


def _parameter(name: str) -> Any:
    text = settings.agent_config.get(name)
    return None if text is None else json_text.loads(text.encode())
