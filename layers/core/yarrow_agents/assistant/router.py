"""The first stage: conversation and tools to offer (FWD-11).

A configured router model chooses among the host's tools; if it fails, all are offered.
"""

import logging
from dataclasses import dataclass, replace
from typing import Any, Final

from yarrow.formats.json_text import loads
from yarrow.protocol.runner.api import AgentAPIException, ModelMessage, ModelReply, ModelUsage
from yarrow.protocol.runner.models import AgentRunContext
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow_agents.assistant.configuration import Configuration
from yarrow_agents.assistant.continuation import current_message, earlier_messages, repeated, resumed
from yarrow_agents.assistant.conversation import Conversation
from yarrow_agents.assistant.knowledge import KnowledgeSearch
from yarrow_agents.assistant.prompt import Prompts
from yarrow_agents.assistant.shared_state import TOOL, SharedState
from yarrow_agents.assistant.toolbox import OfferedTool, known_tools, with_own

logger = logging.getLogger(f"yarrow.{__name__}")

ROUTING_BYTES: Final = 16 * 1024
"""Bytes of the conversation for the router's model."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """The worker's conversation and tools; `usage` is the router's."""

    conversation: Conversation
    tools: list[OfferedTool]
    usage: ModelUsage


async def route(
    context: AgentRunContext,
    api: AgentRunAPIProxy,
    configuration: Configuration,
    prompts: Prompts,
    shared: SharedState | None = None,
    knowledge: KnowledgeSearch | None = None,
) -> Assignment:
    """Assign conversation and tools. A resumed turn keeps all tools: the model has used them."""
    tools = await known_tools(api, context.resources.tools)
    if shared is not None:
        tools = with_own(tools, TOOL, "state")
    if knowledge:
        tools = with_own(tools, knowledge.tool, "knowledge")
    conversation = resumed(context, prompts) or repeated(context, prompts)
    if conversation is not None:
        return Assignment(conversation, tools, ModelUsage())
    conversation = Conversation(earlier_messages(context, prompts), current_message(context, prompts))
    assigned = Assignment(conversation, tools, ModelUsage())
    if configuration.router_model is not None and not all(tool.kind != "backend" for tool in tools):
        assigned = await _chosen(api, configuration.router_model, assigned, prompts)
    return assigned if assigned.tools else replace(assigned, conversation=assigned.conversation.without_tools())


async def _chosen(api: AgentRunAPIProxy, model: str, everything: Assignment, prompts: Prompts) -> Assignment:
    """Return the assignment with the tools a model chose, and all of the client's."""
    tools = [tool.shown for tool in everything.tools if tool.kind == "backend"]
    listed = "\n".join(f"- {tool.name}: {tool.description}" for tool in tools)
    system = ModelMessage(role="system", content=f"{prompts.routing}\n{listed}")
    fitted = everything.conversation.in_words().fitted(ROUTING_BYTES, prompts.not_shown)
    schema = {"response_schema": _schema([tool.name for tool in tools])}
    try:
        reply = await api.models.invoke(model, [system, *fitted.history, *fitted.turn], extra_args=schema)
    except AgentAPIException as error:
        logger.warning("the router's model failed", extra={"code": error.error.code})
        return everything
    names = _names(reply)
    chosen = [tool for tool in everything.tools if names is None or tool.kind != "backend" or tool.shown.name in names]
    return Assignment(everything.conversation, chosen, reply.usage)


def _schema(names: list[str]) -> dict[str, Any]:
    tools = {"type": "array", "items": {"type": "string", "enum": names}}
    return {"type": "object", "properties": {"tools": tools}, "required": ["tools"], "additionalProperties": False}


def _names(reply: ModelReply) -> set[str] | None:
    """Return the chosen names; None for an invalid answer or the scripted model's."""
    if reply.scripted or not isinstance(reply.message.content, str):
        return None
    try:
        answer = loads(reply.message.content.encode())
    except ValueError:
        return None
    named = answer.get("tools") if isinstance(answer, dict) else None
    return {name for name in named if isinstance(name, str)} if isinstance(named, list) else None
