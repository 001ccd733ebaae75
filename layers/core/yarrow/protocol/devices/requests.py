"""Bodies of `POST /api/v1/devices`."""

from collections.abc import Mapping
from typing import Annotated, Final, Literal, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel

from yarrow.protocol import request_body, validation_errors
from yarrow.protocol.devices.kinds import EventType, Kind, Part
from yarrow.protocol.problems import Code

MAX_BODY_BYTES: Final = 8_192
MAX_ENDPOINT_LENGTH: Final = 2_048
MAX_NAME_LENGTH: Final = 100
MAX_TOKEN_LENGTH: Final = 2_048

_BASE64URL: Final = "[A-Za-z0-9_-]"


def _unique(values: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(values))


class _Request(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="forbid", frozen=True)


class SubscriptionKeys(_Request):
    """The subscription's public key on P-256, uncompressed, and its secret (RFC 8291), in base64url."""

    p256dh: Annotated[str, Field(pattern=f"^{_BASE64URL}{{87}}=?$")]
    auth: Annotated[str, Field(pattern=f"^{_BASE64URL}{{22}}(==)?$")]


class Subscription(_Request):
    """A `PushSubscription` of a browser, as its `toJSON()` has it."""

    endpoint: Annotated[str, Field(min_length=1, max_length=MAX_ENDPOINT_LENGTH)]
    expiration_time: float | None = None
    keys: SubscriptionKeys


class _DeviceFields(_Request):
    events: Annotated[tuple[EventType, ...], Field(min_length=1, max_length=10), AfterValidator(_unique)] = get_args(
        EventType
    )
    include: Annotated[tuple[Part, ...], Field(max_length=4), AfterValidator(_unique)] = ()
    while_watched: bool = False
    name: Annotated[str, Field(max_length=MAX_NAME_LENGTH, description="To tell devices apart in a list.")] | None = (
        None
    )


class WebDeviceFields(_DeviceFields):
    """A browser of the caller. Without `events` it is told of all; without `include` it gets no content.

    Unless it says `whileWatched`, it is not told of a run that a stream of the caller shows.
    """

    kind: Literal["web"]
    subscription: Subscription


class ApnsDeviceFields(_DeviceFields):
    """An app on Apple's devices, with its token of APNs in hexadecimal digits. Other members are as for a browser."""

    kind: Literal["apns", "apns_sandbox"]
    token: Annotated[str, Field(pattern="^([0-9a-fA-F]{2}){16,200}$")]


class FcmDeviceFields(_DeviceFields):
    """An app with its registration token of Firebase Cloud Messaging. Other members are as for a browser."""

    kind: Literal["fcm"]
    token: Annotated[str, Field(min_length=1, max_length=MAX_TOKEN_LENGTH, pattern="^[!-~]+$")]


AppDeviceFields = ApnsDeviceFields | FcmDeviceFields
DeviceFields = WebDeviceFields | AppDeviceFields

_FIELDS: Final[Mapping[Kind, type[DeviceFields]]] = {
    "web": WebDeviceFields,
    "apns": ApnsDeviceFields,
    "apns_sandbox": ApnsDeviceFields,
    "fcm": FcmDeviceFields,
}


class _AnyDevice(BaseModel):
    """A body before it is known what else it must have: errors of a union would name its parts."""

    kind: Kind


def read(raw: bytes) -> DeviceFields:
    """Read a device. Raises Problem 413 or 422."""
    request_body.check_size(raw, MAX_BODY_BYTES, "device")
    try:
        return _FIELDS[_AnyDevice.model_validate_json(raw).kind].model_validate_json(raw)
    except ValidationError as error:
        is_kind = any(fault["loc"] == ("kind",) and fault["type"] == "literal_error" for fault in error.errors())
        code = Code.DEVICE_KIND_UNSUPPORTED if is_kind else Code.DEVICE_INVALID
        raise validation_errors.of_body(code, error) from error
