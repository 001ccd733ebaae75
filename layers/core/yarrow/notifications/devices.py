"""Registers, lists and removes the devices of a user."""

import re
from typing import Final
from urllib.parse import SplitResult, urlsplit

from yarrow.access import limits
from yarrow.notifications.web_push import base64url, encryption, vapid
from yarrow.protocol.devices.requests import DeviceFields, read
from yarrow.protocol.devices.responses import Device, DeviceList, WebPush
from yarrow.protocol.problems import Code, Problem
from yarrow.settings import settings
from yarrow.store import clock, devices
from yarrow.store.devices import StoredDevice

_ID: Final = re.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_LOOPBACK: Final = frozenset({"127.0.0.1", "::1", "localhost"})


def register_device(raw: bytes, user_id: str) -> tuple[Device, bool]:
    """Store a device, or the same one again with what it asks for now; returns whether it is new.

    Raises Problem 409, 413, 422 or 429.
    """
    limits.count(user_id, "device_changes")
    fields = read(raw)
    _check(fields)
    subscription, now = fields.subscription, clock.now_iso()
    device = StoredDevice(
        id=devices.id_of(subscription.endpoint),
        kind=fields.kind,
        endpoint=subscription.endpoint,
        public_key=subscription.keys.p256dh,
        secret=subscription.keys.auth,
        events=fields.events,
        include=fields.include,
        while_watched=fields.while_watched,
        name=fields.name,
        created_at=now,
        refreshed_at=now,
    )
    try:
        stored, is_new = devices.save(user_id, device)
    except devices.OtherUserError as error:
        raise Problem(Code.DEVICE_OF_OTHER_USER, "the subscription is another user's") from error
    except devices.TooManyDevicesError as error:
        raise Problem(Code.DEVICE_LIMIT, "too many devices", params={"limit": devices.MAX_DEVICES}) from error
    return _shown(stored), is_new


def list_devices(user_id: str) -> DeviceList:
    """List the devices, and what another one needs to become one. Raises Problem 429."""
    limits.count(user_id, "device_reads")
    web = WebPush(application_server_key=vapid.application_server_key()) if settings.web_push_contact else None
    return DeviceList(devices=tuple(map(_shown, devices.of_user(user_id))), web=web)


def remove_device(user_id: str, device_id: str) -> None:
    """Remove a device; a no-op if the user has none with this id. Raises Problem 422 for an invalid id, or 429."""
    limits.count(user_id, "device_changes")
    if not _ID.fullmatch(device_id):
        raise Problem(Code.DEVICE_INVALID, "deviceId must be the id of a device")
    devices.remove(user_id, device_id.lower())


def is_push_service(endpoint: str) -> bool:
    """Return whether the deployment sends to this endpoint: on the local stack to this machine as well."""
    try:
        parts = urlsplit(endpoint)
        host = _host(parts)
    except ValueError:
        return False
    if not settings.in_lambda and parts.scheme in ("http", "https") and host in _LOOPBACK:
        return True
    services = settings.web_push_services
    return parts.scheme == "https" and any(host == service or host.endswith(f".{service}") for service in services)


def _host(parts: SplitResult) -> str:
    """Return the host of an endpoint. Raises ValueError for what no push service has in one."""
    if parts.username is not None or parts.fragment or not parts.netloc.isascii() or not parts.hostname:
        raise ValueError("not an endpoint")
    _ = parts.port  # raises ValueError if it is none
    return parts.hostname


def _check(fields: DeviceFields) -> None:
    """Raise Problem 422 for what could never get a notification."""
    if not settings.web_push_contact:
        reason = "the deployment sends nothing to browsers"
        raise Problem(Code.DEVICE_KIND_UNSUPPORTED, "invalid kind", params={"reason": reason})
    if not is_push_service(fields.subscription.endpoint):
        reason = "must be an https URL of a push service"
        raise Problem(Code.DEVICE_ENDPOINT_FORBIDDEN, "invalid subscription.endpoint", params={"reason": reason})
    try:
        encryption.public_key(base64url.decode(fields.subscription.keys.p256dh))
    except ValueError as error:
        reason = "must be a public key on P-256"
        raise Problem(Code.DEVICE_INVALID, "invalid subscription.keys.p256dh", params={"reason": reason}) from error


def _shown(device: StoredDevice) -> Device:
    return Device(
        id=device.id,
        kind=device.kind,
        events=tuple(device.events),
        include=tuple(device.include),
        while_watched=device.while_watched,
        name=device.name,
        created_at=device.created_at,
        refreshed_at=device.refreshed_at,
        expires_at=device.expires_at,
    )
