"""Responses of `/api/v1/devices`."""

from yarrow.protocol.devices.kinds import EventType, Kind, Part
from yarrow.protocol.response_body import Body


class Device(Body, frozen=True, kw_only=True):
    """A device of the caller: where it gets its notifications is not shown. It is forgotten at `expires_at`, unless
    it is registered again before.
    """

    id: str
    kind: Kind
    events: tuple[EventType, ...]
    include: tuple[Part, ...]
    while_watched: bool
    name: str | None = None
    created_at: str
    refreshed_at: str
    expires_at: str


class WebPush(Body, frozen=True, kw_only=True):
    """What a browser needs to subscribe: the `applicationServerKey` of `pushManager.subscribe`."""

    application_server_key: str


class DeviceList(Body, frozen=True, kw_only=True):
    """The caller's devices, the latest first, and the kinds that can be registered. Without `web` the deployment sends
    nothing to browsers.
    """

    devices: tuple[Device, ...]
    kinds: tuple[Kind, ...]
    web: WebPush | None = None
