"""`storage.*`: blobs by area and key, for the grant's user (RNR-60)."""

import asyncio
import base64
import binascii
from collections.abc import Mapping
from typing import Any, Final

from yarrow.agents.grants import RunGrant
from yarrow.formats import json_text
from yarrow.protocol.runner.api import StorageArea, StorageListRequest, StoragePage, StorageRequest, StorageSetRequest
from yarrow.services.api import access
from yarrow.services.api.errors import invalid_argument, unauthorized
from yarrow.services.api.services import Action, Services, safe


def identity(grant: RunGrant, area: StorageArea) -> str:
    """The owner of an area: this plugin, any plugin or this binding, each for the run's user."""
    plugin, _, _ = grant.runner_id.rpartition("/")
    owners = {"plugin": [plugin], "workspace": [], "binding": [grant.binding_id]}
    return json_text.dumps([*owners[area], grant.user_id])


def _check(grant: RunGrant, request: StorageRequest | StorageListRequest) -> None:
    access.permit(grant, "storage", request.area)
    if not getattr(grant.resources.storage, request.area):
        raise unauthorized("this area of the storage")


def _decoded(request: StorageSetRequest) -> bytes:
    try:
        return base64.b64decode(request.value, validate=True)
    except (binascii.Error, ValueError):
        raise invalid_argument("value", "is not base64") from None


async def _get(grant: RunGrant, services: Services, request: StorageRequest) -> dict[str, Any]:
    get = services.storage.get
    value = await asyncio.to_thread(get, request.area, identity(grant, request.area), request.key)
    return {"value": None if value is None else base64.b64encode(value).decode()}


async def _set(grant: RunGrant, services: Services, request: StorageSetRequest) -> dict[str, Any]:
    await access.check_active(services)
    put, owner = services.storage.put, identity(grant, request.area)
    await asyncio.to_thread(put, request.area, owner, request.key, _decoded(request))
    return {"success": True}


async def _delete(grant: RunGrant, services: Services, request: StorageRequest) -> dict[str, Any]:
    await access.check_active(services)
    delete = services.storage.delete
    await asyncio.to_thread(delete, request.area, identity(grant, request.area), request.key)
    return {"success": True}


async def _list(grant: RunGrant, services: Services, request: StorageListRequest) -> StoragePage:
    keys, owner = services.storage.keys, identity(grant, request.area)
    after = None if request.cursor is None else _key_of(request.cursor)
    found, last = await asyncio.to_thread(keys, request.area, owner, request.prefix or "", after, request.limit)
    next_cursor = None if last is None else base64.urlsafe_b64encode(last.encode()).decode()
    return StoragePage(keys=tuple(found), has_more=last is not None, next_cursor=next_cursor)


def _key_of(cursor: str) -> str:
    """Any value is safe: only keys of the run's area are listed."""
    try:
        return base64.b64decode(cursor, altchars=b"-_", validate=True).decode()
    except ValueError:
        raise invalid_argument("cursor", "is not a cursor of this list") from None


def _area(request: StorageRequest | StorageListRequest) -> str:
    return f"storage {request.area}"


ACTIONS: Final[Mapping[str, Action[Any]]] = {
    "storage.get": Action(_check, _get, subject=_area),
    "storage.set": Action(_check, _set, safe, _area),
    "storage.delete": Action(_check, _delete, safe, _area),
    "storage.list": Action(_check, _list, subject=_area),
}
