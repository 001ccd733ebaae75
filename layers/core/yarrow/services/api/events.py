"""`events.*`: the events of the run's thread (RNR-58)."""

import asyncio
from collections.abc import Mapping
from typing import Any, Final

from yarrow.agents.grants import RunGrant
from yarrow.protocol.runner.api import EventEnvelope, EventPage, EventPageRequest, EventRequest
from yarrow.services.api import access
from yarrow.services.api.errors import not_found
from yarrow.services.api.history import MAX_PAGE
from yarrow.services.api.services import Action, Services


def _check_get(grant: RunGrant, _request: EventRequest) -> None:
    access.permit(grant, "events", "get")


def _check_page(grant: RunGrant, _request: EventPageRequest) -> None:
    access.permit(grant, "events", "page")


async def _get(grant: RunGrant, services: Services, request: EventRequest) -> EventEnvelope:
    envelope = await asyncio.to_thread(services.event_log.get, grant.thread_id, request.event_id, grant.path)
    if envelope is None:
        raise not_found()
    return envelope


async def _page(grant: RunGrant, services: Services, request: EventPageRequest) -> EventPage:
    limit = min(request.limit, MAX_PAGE)
    return await asyncio.to_thread(services.event_log.page, grant.thread_id, request.before_cursor, limit, grant.path)


ACTIONS: Final[Mapping[str, Action[Any]]] = {
    "events.get": Action(_check_get, _get),
    "events.page": Action(_check_page, _page),
}
