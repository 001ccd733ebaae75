"""`state.*`: JSON values per scope (RNR-60). A scope's identity comes from the grant, never from the call."""

import asyncio
from collections.abc import Mapping
from typing import Any, Final

from yarrow.agents.grants import RunGrant
from yarrow.protocol.runner.api import StateListRequest, StateRequest, StateScope, StateSetRequest
from yarrow.services.api import access
from yarrow.services.api.errors import unauthorized
from yarrow.services.api.services import Action, Services, safe
from yarrow.store.runner.persistent_state import StateSpace

_IDENTITIES: Final[Mapping[StateScope, str]] = {
    "conversation": "thread_id",
    "actor": "user_id",
    "subject": "event_id",
    "runner": "runner_id",
    "binding": "binding_id",
}
"""The grant member that identifies each scope."""


def space(grant: RunGrant, scope: StateScope) -> StateSpace:
    user_id = None if scope in ("runner", "binding") else grant.user_id
    return StateSpace(grant.runner_id, grant.binding_id, scope, getattr(grant, _IDENTITIES[scope]), user_id)


def _check(grant: RunGrant, request: StateRequest | StateListRequest) -> None:
    if request.scope not in grant.state_scopes:
        raise unauthorized("this scope of the state")


async def _get(grant: RunGrant, services: Services, request: StateRequest) -> dict[str, Any]:
    return {"value": await asyncio.to_thread(services.state.get, space(grant, request.scope), request.key)}


async def _set(grant: RunGrant, services: Services, request: StateSetRequest) -> dict[str, Any]:
    await access.check_active(services)
    await asyncio.to_thread(services.state.set_value, space(grant, request.scope), request.key, request.value)
    return {"success": True}


async def _delete(grant: RunGrant, services: Services, request: StateRequest) -> dict[str, Any]:
    await access.check_active(services)
    return {"success": await asyncio.to_thread(services.state.delete, space(grant, request.scope), request.key)}


async def _list(grant: RunGrant, services: Services, request: StateListRequest) -> dict[str, Any]:
    keys = services.state.keys
    found, has_more = await asyncio.to_thread(keys, space(grant, request.scope), request.prefix, request.limit)
    return {"keys": found, "has_more": has_more}


def _scope(request: StateRequest | StateListRequest) -> str:
    return f"state {request.scope}"


ACTIONS: Final[Mapping[str, Action[Any]]] = {
    "state.get": Action(_check, _get, subject=_scope),
    "state.set": Action(_check, _set, safe, _scope),
    "state.delete": Action(_check, _delete, safe, _scope),
    "state.list": Action(_check, _list, subject=_scope),
}
