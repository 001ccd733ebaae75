"""The routes of `functions/devices`."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from yarrow.notifications import devices
from yarrow.web.app import caller
from yarrow.web.json_body import NO_STORE, BodyResponse, json_body


async def _register_device(request: Request) -> Response:
    """Respond 201 with a new device, 200 with one that was registered before."""
    device, is_new = devices.register_device(await json_body(request), caller(request).user_id)
    return BodyResponse(device, 201 if is_new else 200, NO_STORE)


async def _list_devices(request: Request) -> Response:
    """Respond 200 with the caller's devices."""
    return BodyResponse(devices.list_devices(caller(request).user_id), headers=NO_STORE)


async def _remove_device(request: Request) -> Response:
    """Respond 204, also for a missing device, or another user's."""
    devices.remove_device(caller(request).user_id, request.path_params["deviceId"])
    return Response(status_code=204)


ROUTES = (
    Route("/api/v1/devices", _register_device, methods=["POST"], name="register_device"),
    Route("/api/v1/devices", _list_devices, methods=["GET"], name="list_devices"),
    Route("/api/v1/devices/{deviceId}", _remove_device, methods=["DELETE"], name="remove_device"),
)
