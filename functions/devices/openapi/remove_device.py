"""The OpenAPI description of `DELETE /api/v1/devices/{deviceId}`."""

from typing import Final

from functions.openapi import TO_ANY_CALLER, Operation, refused
from yarrow.protocol.problems import Code

OPERATION: Final = Operation(
    "delete",
    "/api/v1/devices/{deviceId}",
    operation_id="remove_device",
    summary="Remove a device",
    description="It gets no notifications any more. Have the browser give up its subscription as well.",
    parameters=[
        {
            "name": "deviceId",
            "in": "path",
            "required": True,
            "description": "The device.",
            "schema": {"type": "string", "format": "uuid"},
        }
    ],
    responses={"204": {"description": "The caller has no such device any more, or never had."}},
    refusals=(*TO_ANY_CALLER, *refused(Code.DEVICE_INVALID, Code.AGENT_RATE_LIMIT)),
)
