"""The OpenAPI description of `POST /api/v1/devices`."""

from typing import Final

from functions.openapi import NO_STORE, TO_ANY_CALLER, Document, Operation, ref, refused
from yarrow.protocol.problems import Code
from yarrow.store.devices import KEPT_DAYS, MAX_DEVICES

_DEVICE: Final[Document] = {"headers": NO_STORE, "content": {"application/json": {"schema": ref("Device")}}}

OPERATION: Final = Operation(
    "post",
    "/api/v1/devices",
    operation_id="register_device",
    summary="Register a device for notifications",
    description="The device is told when the caller's runs end or ask, wherever they were started. Register it again "
    f"whenever the app starts: after {KEPT_DAYS} days without, it is forgotten. A user has at most {MAX_DEVICES}. "
    "An app that another user has registered is the caller's from now on.",
    request_body={"required": True, "content": {"application/json": {"schema": ref("DeviceFields")}}},
    responses={
        "200": {"description": "The device was registered before, and is as the body says now.", **_DEVICE},
        "201": {"description": "The device is registered.", **_DEVICE},
    },
    refusals=(
        *TO_ANY_CALLER,
        *refused(Code.REQUEST_CONTENT_TYPE_UNSUPPORTED, Code.DEVICE_INVALID, Code.DEVICE_KIND_UNSUPPORTED),
        *refused(Code.DEVICE_ENDPOINT_FORBIDDEN, Code.DEVICE_OF_OTHER_USER, Code.DEVICE_LIMIT, Code.AGENT_RATE_LIMIT),
    ),
)
