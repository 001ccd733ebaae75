"""`knowledge.*`: the run's knowledge bases and retrieval (RNR-54)."""

import asyncio
from collections.abc import Mapping
from typing import Any, Final

from yarrow.agents.grants import RunGrant
from yarrow.protocol.runner.api import KnowledgeListRequest, KnowledgeRequest
from yarrow.services.api import access
from yarrow.services.api.services import Action, Services, safe


def _check_list(grant: RunGrant, _request: KnowledgeListRequest) -> None:
    access.permit(grant, "knowledge_bases", "list")


def _check_retrieve(grant: RunGrant, request: KnowledgeRequest) -> None:
    access.permit(grant, "knowledge_bases", "retrieve")
    access.visible(grant.resources.knowledge_bases, "kb_id", request.kb_id, "retrieve")


async def _list(grant: RunGrant, _services: Services, _request: KnowledgeListRequest) -> dict[str, Any]:
    return {"knowledge_bases": grant.resources.knowledge_bases}


async def _retrieve(_grant: RunGrant, services: Services, request: KnowledgeRequest) -> dict[str, Any]:
    await access.check_active(services)
    retrieve = services.knowledge.retrieve
    found = await asyncio.to_thread(retrieve, request.kb_id, request.query_text, request.top_k, request.filters)
    return {"results": found}


ACTIONS: Final[Mapping[str, Action[Any]]] = {
    "knowledge.list": Action(_check_list, _list),
    "knowledge.retrieve": Action(_check_retrieve, _retrieve, safe),
}
