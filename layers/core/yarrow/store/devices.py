"""The devices of users that get notifications. Those of a user are one item, so that a notification reads one, and
their number is bounded under concurrent writes. An item of its own says whose each is: a browser that another user
signs in to keeps its subscription, and must not show that user's notifications to the first one.

An app's device has an endpoint in Amazon SNS, which has to go with it. Its ARN is in the key of an item: the table's
stream tells of an item that is gone by its key alone, whether it was removed, erased or has expired.
"""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from yarrow.protocol.devices.kinds import AppKind, EventType, Kind, Part
from yarrow.store import clock, table
from yarrow.store.items.records import Codec
from yarrow.store.items.updates import IS_NEW, Attr, Condition

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import TransactWriteItemTypeDef as WriteItem

MAX_DEVICES: Final = 20
KEPT_DAYS: Final = 90
"""A device that is not registered again within this time is forgotten."""

_TRIES: Final = 5


class TooManyDevicesError(Exception):
    """The user has MAX_DEVICES already."""


class OtherUserError(Exception):
    """The device is another user's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredDevice:
    id: str
    kind: Kind
    endpoint: str
    """Where notifications go: the URL of a browser's push service, or the ARN of an app's endpoint in SNS."""
    public_key: str | None = None
    secret: str | None = None
    """Of a browser's subscription, as `public_key`."""
    events: Sequence[EventType]
    include: Sequence[Part] = ()
    while_watched: bool = False
    name: str | None = None
    created_at: str
    refreshed_at: str

    @property
    def expires_at(self) -> str:
        return clock.iso(datetime.fromisoformat(self.refreshed_at) + timedelta(days=KEPT_DAYS))


@dataclass(frozen=True, slots=True)
class _Devices:
    """A user's devices as they were read; `version` is 0 if there never were any."""

    version: int
    devices: list[StoredDevice]


_DEVICES: Final = Codec(StoredDevice)
_ENDPOINT: Final = "ENDPOINT#"


def id_of(endpoint: str) -> str:
    """Return the id of the browser with this endpoint, which is the same for all users."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, endpoint))


def id_of_app(kind: AppKind, token: str) -> str:
    """Return the id of the app with this token, which is the same for all users."""
    return id_of(f"{kind}:{token}")


def of_user(user_id: str) -> list[StoredDevice]:
    """Read a user's devices, those that were registered last first."""
    return _read(user_id).devices


def save(user_id: str, device: StoredDevice, *, moves: bool = False) -> tuple[StoredDevice, bool]:
    """Add a device, or replace it; returns it as stored, and whether it is new. With `moves` it is taken from the user
    who has it.

    Raises TooManyDevicesError, OtherUserError.
    """

    def changed(devices: Sequence[StoredDevice]) -> tuple[list[StoredDevice], bool]:
        others = [other for other in devices if other.id != device.id]
        if len(others) >= MAX_DEVICES:
            raise TooManyDevicesError
        earlier = [other.created_at for other in devices if other.id == device.id]
        return [replace(device, created_at=earlier[0]) if earlier else device, *others], not earlier

    owned = {"user_id": user_id, "expires_at": clock.epoch_in(KEPT_DAYS)}
    endpoint = [] if device.kind == "web" else [table.put({**_endpoint(device), **owned})]
    for _ in range(_TRIES):
        stored = _read(user_id)
        devices, is_new = changed(stored.devices)
        if moves:
            is_free, taken = _taken(user_id, device.id)
        else:
            is_free = IS_NEW | Attr("user_id").eq(user_id) | Attr("expires_at").lt(clock.epoch_in(0))
            taken = []
        claim = table.put({**_claim(device.id), **owned}, is_free)
        try:
            table.transact(_write(user_id, stored, devices), claim, *endpoint, *taken)
        except table.ConditionFailedError as error:
            if error.failed[1] and not moves:
                raise OtherUserError from error
            continue  # another device was written, or its user has changed
        return devices[0], is_new
    raise TimeoutError("the user's devices change too often")


def _taken(user_id: str, device_id: str) -> "tuple[Condition, list[WriteItem]]":
    """Return whose a device must still be to be moved to the user, and what takes it from another one."""
    claim = table.get(_claim(device_id))
    if claim is None:
        return IS_NEW, []
    owner = claim["user_id"]
    if owner == user_id:
        return Attr("user_id").eq(owner), []
    theirs = _read(owner)
    left = [device for device in theirs.devices if device.id != device_id]
    return Attr("user_id").eq(owner), [_write(owner, theirs, left)] if len(left) < len(theirs.devices) else []


def remove(user_id: str, device_id: str) -> bool:
    """Remove a device; False if the user has none with this id."""
    is_own = Attr("pk").not_exists() | Attr("user_id").eq(user_id)
    for _ in range(_TRIES):
        stored = _read(user_id)
        left = [device for device in stored.devices if device.id != device_id]
        if len(left) == len(stored.devices):
            return False
        (device,) = (device for device in stored.devices if device.id == device_id)
        endpoint = [] if device.kind == "web" else [table.delete(_endpoint(device))]
        try:
            table.transact(_write(user_id, stored, left), table.delete(_claim(device_id), is_own), *endpoint)
        except table.ConditionFailedError as error:
            if error.failed[1]:  # it had expired, and is another user's by now
                table.transact(_write(user_id, stored, left))
            else:
                continue
        return True
    raise TimeoutError("the user's devices change too often")


def endpoint_of(key: Mapping[str, Any]) -> str | None:
    """Return the ARN of the endpoint whose item has this key; None if the item is another one."""
    is_endpoint = key["pk"].startswith("DEVICE#") and key["sk"].startswith(_ENDPOINT)
    return key["sk"].removeprefix(_ENDPOINT) if is_endpoint else None


def is_there(key: Mapping[str, Any]) -> bool:
    """Return whether there is an item with this key again."""
    return table.get({name: key[name] for name in ("pk", "sk")}) is not None


def partition(user_id: str) -> str:
    """Return the user's partition. It has nothing else, so that functions can be granted this alone."""
    return f"DEVICES#{user_id}"


def _read(user_id: str) -> _Devices:
    item = table.get(_key(user_id))
    if item is None:
        return _Devices(0, [])
    oldest = clock.iso(clock.now() - timedelta(days=KEPT_DAYS))
    devices = [_DEVICES.record(device) for device in item["devices"]]
    return _Devices(int(item["version"]), [device for device in devices if device.refreshed_at > oldest])


def _write(user_id: str, stored: _Devices, devices: Sequence[StoredDevice]) -> "WriteItem":
    item: dict[str, Any] = {
        **_key(user_id),
        "version": stored.version + 1,
        "devices": [_DEVICES.item(device) for device in devices],
        "expires_at": clock.epoch_in(KEPT_DAYS),
    }
    unchanged: Condition = Attr("version").eq(stored.version) if stored.version else IS_NEW
    return table.put(item, unchanged)


def _key(user_id: str) -> table.Item:
    return {"pk": partition(user_id), "sk": "DEVICES"}


def _claim(device_id: str) -> table.Item:
    return {"pk": f"DEVICE#{device_id}", "sk": "DEVICE"}


def _endpoint(device: StoredDevice) -> table.Item:
    return {"pk": f"DEVICE#{device.id}", "sk": f"{_ENDPOINT}{device.endpoint}"}
