"""The OpenAPI description of `GET /api/v1/devices`."""

from typing import Final

from functions.openapi import NO_STORE, TO_ANY_CALLER, Operation, ref, refused
from yarrow.protocol.problems import Code

OPERATION: Final = Operation(
    "get",
    "/api/v1/devices",
    operation_id="list_devices",
    summary="List the devices that get notifications",
    description="The caller's devices, those that were registered last first, which kinds the deployment notifies, and "
    "what a browser needs to subscribe.",
    responses={
        "200": {
            "description": "The devices.",
            "headers": NO_STORE,
            "content": {"application/json": {"schema": ref("DeviceList")}},
        }
    },
    refusals=(*TO_ANY_CALLER, *refused(Code.AGENT_RATE_LIMIT)),
)
