"""What the emulator reaches in the main process: Lambda's Invoke action, and the event bus. Clients never see it."""

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from local.events import EventBus
from local.functions import LambdaHost, PayloadTooLargeError, UnknownFunctionError


def lambda_api(host: LambdaHost, bus: EventBus) -> Starlette:
    """The ASGI app: `POST /2015-03-31/functions/{name or ARN}/invocations` and `POST /events`."""

    async def invoke(request: Request) -> Response:
        name = request.path_params["name"].rpartition(":")[2]
        try:
            result = await host.invoke(name, await request.body() or b"{}")
        except UnknownFunctionError:
            return _error(404, "ResourceNotFoundException", f"Function not found: {name}")
        except PayloadTooLargeError as error:
            return _error(413, "RequestTooLargeException", str(error))
        headers = {"X-Amz-Function-Error": "Unhandled"} if result.failed else {}
        return Response(result.payload, headers=headers, media_type="application/json")

    async def publish(request: Request) -> Response:
        bus.publish(await request.json())
        return Response(status_code=202)

    return Starlette(
        routes=[
            Route("/2015-03-31/functions/{name}/invocations", invoke, methods=["POST"]),
            Route("/events", publish, methods=["POST"]),
        ]
    )


def _error(status: int, kind: str, message: str) -> Response:
    return JSONResponse({"Message": message, "Type": "User"}, status, headers={"X-Amzn-ErrorType": kind})
