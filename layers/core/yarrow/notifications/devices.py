"""Registers, lists and removes the devices of a user."""

import re
from typing import Final, get_args
from urllib.parse import SplitResult, urlsplit

from yarrow.access import limits
from yarrow.notifications.mobile_push import endpoints
from yarrow.notifications.web_push import base64url, encryption, vapid
from yarrow.protocol.devices.kinds import Kind
from yarrow.protocol.devices.requests import AppDeviceFields, DeviceFields, WebDeviceFields, read
from yarrow.protocol.devices.responses import Device, DeviceList, WebPush
from yarrow.protocol.problems import Code, Problem
from yarrow.settings import settings
from yarrow.store import clock, devices
from yarrow.store.devices import StoredDevice

_ID: Final = re.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_TRIES: Final = 3
_LOOPBACK: Final = frozenset({"127.0.0.1", "::1", "localhost"})


def register_device(raw: bytes, user_id: str) -> tuple[Device, bool]:
    """Store a device, or the same one again with what it asks for now; returns whether it is new.

    Raises Problem 409, 413, 422 or 429.
    """
    limits.count(user_id, "device_changes")
    fields = read(raw)
    if fields.kind == "web":
        return _save(user_id, _browser(fields))
    return _register_app(user_id, fields)


def _register_app(user_id: str, fields: AppDeviceFields) -> tuple[Device, bool]:
    """Store an app, whoever had it, and enable its endpoint.

    An app keeps its token when another user signs in: what is for the last one must not be shown to the next.
    """
    token = fields.token if fields.kind == "fcm" else fields.token.lower()
    is_new = False
    for _ in range(_TRIES):
        device = _app(fields, token)
        try:
            saved, is_added = _save(user_id, device, moves=True)
        except Problem:
            endpoints.delete(device.endpoint)  # nothing else would; what another user has here is for this one no more
            raise
        is_new |= is_added
        # Last, for an endpoint goes some time after the device of an earlier user, unless the new one is stored.
        if endpoints.enable(device.endpoint, token):
            return saved, is_new
    raise TimeoutError("the endpoint is deleted too often")


def _browser(fields: WebDeviceFields) -> StoredDevice:
    """Check a browser. Raises Problem 422 for what could never get a notification."""
    _check(fields)
    subscription = fields.subscription
    return _stored(
        fields,
        devices.id_of(subscription.endpoint),
        subscription.endpoint,
        public_key=subscription.keys.p256dh,
        secret=subscription.keys.auth,
    )


def _app(fields: AppDeviceFields, token: str) -> StoredDevice:
    """Make the endpoint of an app. Raises Problem 422."""
    application = settings.push_applications.get(fields.kind)
    if application is None:
        raise _unsupported("apps of this kind")
    try:
        endpoint = endpoints.create(application, token)
    except endpoints.TokenRefusedError as error:
        reason = "must be a token of the platform"
        raise Problem(Code.DEVICE_INVALID, "invalid token", params={"reason": reason}) from error
    return _stored(fields, devices.id_of_app(fields.kind, token), endpoint)


def _stored(
    fields: DeviceFields, device_id: str, endpoint: str, *, public_key: str | None = None, secret: str | None = None
) -> StoredDevice:
    now = clock.now_iso()
    return StoredDevice(
        id=device_id,
        kind=fields.kind,
        endpoint=endpoint,
        public_key=public_key,
        secret=secret,
        events=fields.events,
        include=fields.include,
        while_watched=fields.while_watched,
        name=fields.name,
        created_at=now,
        refreshed_at=now,
    )


def _save(user_id: str, device: StoredDevice, *, moves: bool = False) -> tuple[Device, bool]:
    """Store a device. Raises Problem 409."""
    try:
        stored, is_new = devices.save(user_id, device, moves=moves)
    except devices.OtherUserError as error:
        raise Problem(Code.DEVICE_OF_OTHER_USER, "the subscription is another user's") from error
    except devices.TooManyDevicesError as error:
        raise Problem(Code.DEVICE_LIMIT, "too many devices", params={"limit": devices.MAX_DEVICES}) from error
    return _shown(stored), is_new


def list_devices(user_id: str) -> DeviceList:
    """List the devices, and what another one needs to become one. Raises Problem 429."""
    limits.count(user_id, "device_reads")
    web = WebPush(application_server_key=vapid.application_server_key()) if settings.web_push_contact else None
    kinds = tuple(kind for kind in get_args(Kind) if (web if kind == "web" else settings.push_applications.get(kind)))
    return DeviceList(devices=tuple(map(_shown, devices.of_user(user_id))), kinds=kinds, web=web)


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


def _unsupported(what: str) -> Problem:
    reason = f"the deployment sends nothing to {what}"
    return Problem(Code.DEVICE_KIND_UNSUPPORTED, "invalid kind", params={"reason": reason})


def _check(fields: WebDeviceFields) -> None:
    """Raise Problem 422 for what could never get a notification."""
    if not settings.web_push_contact:
        raise _unsupported("browsers")
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
