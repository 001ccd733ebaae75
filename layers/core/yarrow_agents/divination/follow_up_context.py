"""Context of a follow-up: recent messages and knowledge base passages. Failures are ignored."""

import asyncio
import logging
from collections.abc import Iterable, Iterator
from typing import Final, Literal

from yarrow.protocol.runner.api import AgentAPIException, ModelMessage, RetrievedDocument, TranscriptItem
from yarrow.protocol.runner.models import AgentRunContext
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow_agents.divination.guard import is_grave

logger = logging.getLogger(f"yarrow.{__name__}")

MESSAGES: Final = 12
MESSAGE_CHARACTERS: Final = 1_200
PASSAGES: Final = 3


async def follow_up_context(
    api: AgentRunAPIProxy, context: AgentRunContext, question: str
) -> tuple[list[ModelMessage], list[RetrievedDocument]]:
    """Return the last messages before the question, in order, and the most relevant passages."""
    conversation, passages = await asyncio.gather(_conversation(api, context), _passages(api, context, question))
    return conversation, passages


async def _conversation(api: AgentRunAPIProxy, context: AgentRunContext) -> list[ModelMessage]:
    if not context.context.available_apis.history_page:
        return []
    try:
        # The transcript's latest message is the question.
        page = await api.history.page(before_cursor=context.context.latest_cursor, limit=MESSAGES)
    except AgentAPIException as error:
        logger.warning("a follow-up without its conversation", extra=_log_fields(context, error))
        return []
    return list(_messages(page.items))


def _messages(items: Iterable[TranscriptItem]) -> Iterator[ModelMessage]:
    """Yield messages without declined questions and their answers, which no model may see (CARE-01 … CARE-03)."""
    declined = False
    for item in items:
        if item.role == "user":
            declined = is_grave([item.content])
        if not declined:
            role: Literal["user", "assistant"] = "user" if item.role == "user" else "assistant"
            yield ModelMessage(role=role, content=item.content[:MESSAGE_CHARACTERS])


async def _passages(api: AgentRunAPIProxy, context: AgentRunContext, question: str) -> list[RetrievedDocument]:
    found: list[RetrievedDocument] = []
    for base in context.resources.knowledge_bases:
        try:
            found += await api.knowledge.retrieve(base.kb_id, question, top_k=PASSAGES)
        except AgentAPIException as error:
            logger.warning("a follow-up without passages", extra=_log_fields(context, error) | {"kb_id": base.kb_id})
    return found[:PASSAGES]


def _log_fields(context: AgentRunContext, error: AgentAPIException) -> dict[str, str]:
    return {"run_id": context.run_id, "code": error.error.code}
