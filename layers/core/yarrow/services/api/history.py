"""`history.*`: the transcript of the run's thread (RNR-55 … RNR-57, RNR-80)."""

import asyncio
from collections.abc import Mapping
from typing import Any, Final

from yarrow.agents.grants import RunGrant
from yarrow.protocol.runner.api import HistoryPageRequest, HistorySearchRequest, TranscriptPage
from yarrow.services.api import access
from yarrow.services.api.errors import unauthorized
from yarrow.services.api.services import Action, Services

MAX_PAGE: Final = 100


def _check_page(grant: RunGrant, request: HistoryPageRequest) -> None:
    access.permit(grant, "history", "page")
    if not grant.resources.history.page:
        raise unauthorized("the history")
    if request.conversation_id not in (None, grant.thread_id):
        raise unauthorized("another conversation")


def _check_search(grant: RunGrant, _request: HistorySearchRequest) -> None:
    access.permit(grant, "history", "search")
    if not grant.resources.history.search:
        raise unauthorized("a search of the history")


async def _page(grant: RunGrant, services: Services, request: HistoryPageRequest) -> TranscriptPage:
    return await asyncio.to_thread(
        services.transcript.page,
        grant.thread_id,
        before_cursor=request.before_cursor,
        after_cursor=request.after_cursor,
        limit=min(request.limit, MAX_PAGE),
        direction=request.direction,
        include_artifacts=request.include_artifacts,
        path=grant.path,
    )


async def _search(grant: RunGrant, services: Services, request: HistorySearchRequest) -> dict[str, Any]:
    search = services.transcript.search
    items = await asyncio.to_thread(search, grant.thread_id, request.query, request.filters, request.top_k, grant.path)
    return {"items": items, "query": request.query, "total_count": len(items)}


ACTIONS: Final[Mapping[str, Action[Any]]] = {
    "history.page": Action(_check_page, _page),
    "history.search": Action(_check_search, _search),
}
