"""The stack's internal endpoints: Lambda's Invoke actions, the event bus, the tables' streams and the scheduler's
clock. Clients cannot reach them.
"""

import asyncio
import logging
import uuid
from collections.abc import AsyncGenerator
from contextlib import aclosing

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from local import event_stream
from local.events import EventBus
from local.functions import KilledError, LambdaHost, PayloadTooLargeError, UnknownFunctionError
from local.published_events import PublishedEvents, bus_route
from local.push_applications import PushApplications, sns_route
from local.sandboxes.invocations import EXIT
from local.sandboxes.pool import FunctionError, ThrottledError
from local.scheduler.api import clock_route
from local.scheduler.scheduler import Scheduler
from local.table_stream.streams import TableStreams

logger = logging.getLogger(__name__)


def lambda_api(
    host: LambdaHost,
    bus: EventBus,
    streams: TableStreams | None = None,
    scheduler: Scheduler | None = None,
    published: PublishedEvents | None = None,
    applications: PushApplications | None = None,
) -> Starlette:
    """Return the ASGI app: `POST /2015-03-31/functions/{name or ARN}/invocations`, its streaming counterpart of
    2021-11-15, `POST /events`, `POST /changes` and, where they are given, the scheduler's clock and the APIs of
    EventBridge and SNS.
    """

    async def invoke(request: Request) -> Response:
        name = request.path_params["name"].rpartition(":")[2]
        try:
            result = await host.invoke(name, await request.body() or b"{}", throttles=True)
        except UnknownFunctionError:
            return _error(404, "ResourceNotFoundException", f"Function not found: {name}")
        except ThrottledError as error:
            return _error(429, "TooManyRequestsException", str(error))
        except PayloadTooLargeError as error:
            return _error(413, "RequestTooLargeException", str(error))
        headers = {"X-Amz-Function-Error": "Unhandled"} if result.failed else {}
        return Response(result.payload, headers=headers, media_type="application/json")

    async def invoke_with_response_stream(request: Request) -> Response:
        name = request.path_params["name"].rpartition(":")[2]
        if not host.can_stream(name):
            return _error(404, "ResourceNotFoundException", f"Function not found: {name}")
        return _EventStreamResponse(_streamed(host, name, await request.body()))

    async def publish(request: Request) -> Response:
        if deliveries := bus.publish(await request.json()):
            await asyncio.wait(deliveries)  # the sender keeps an event until functions have handled it
        return Response(status_code=202)

    async def change(request: Request) -> Response:
        if streams is None:
            return Response(status_code=202)
        streams.add(await request.json())
        return JSONResponse(streams.take_delivered(), 202)

    return Starlette(
        routes=[
            Route("/2015-03-31/functions/{name}/invocations", invoke, methods=["POST"]),
            Route(
                "/2021-11-15/functions/{name}/response-streaming-invocations",
                invoke_with_response_stream,
                methods=["POST"],
            ),
            Route("/events", publish, methods=["POST"]),
            Route("/changes", change, methods=["POST"]),
            *([clock_route(scheduler)] if scheduler is not None else []),
            *([bus_route(published)] if published is not None else []),
            *([sns_route(applications)] if applications is not None else []),
        ]
    )


def _error(status: int, kind: str, message: str) -> Response:
    # Without a request id, the emulator's Step Functions would not know the error's name.
    headers = {"X-Amzn-ErrorType": kind, "X-Amzn-RequestId": str(uuid.uuid4())}
    return JSONResponse({"Message": message, "Type": "User"}, status, headers=headers)


class _EventStreamResponse(StreamingResponse):
    media_type = event_stream.MEDIA_TYPE

    def __init__(self, messages: AsyncGenerator[bytes]) -> None:
        super().__init__(messages)
        self._messages = messages

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with aclosing(self._messages):
            await super().__call__(scope, receive, send)


async def _streamed(host: LambdaHost, name: str, payload: bytes) -> AsyncGenerator[bytes]:
    try:
        async with host.open(name, payload) as response:
            async for chunk in response.body:
                yield event_stream.chunk(chunk)
    except FunctionError as error:
        yield event_stream.complete(error.kind, str(error))
    except KilledError as error:
        yield event_stream.complete(EXIT, str(error))
    except TimeoutError:
        yield event_stream.complete("Sandbox.Timedout", "Task timed out")
    except Exception as error:
        logger.exception("%s failed", name)
        yield event_stream.complete(type(error).__name__, str(error))
    else:
        yield event_stream.complete()
