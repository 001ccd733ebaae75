"""A streaming function whose streams wait to be released, and tell how they ended."""

import asyncio
from collections import defaultdict

from starlette.applications import Starlette
from starlette.responses import PlainTextResponse, StreamingResponse
from starlette.routing import Route

from yarrow.web.lambda_http import Streaming

released = defaultdict(asyncio.Event)
ended = defaultdict(lambda: asyncio.get_running_loop().create_future())


async def ticks(request):
    name = request.path_params["name"]

    async def body():
        try:
            yield "first\n"
            await released[name].wait()
            if name == "broken":
                raise RuntimeError("failed on the way")
            yield "last\n"
        except asyncio.CancelledError:
            ended[name].set_result("cancelled")
            raise
        ended[name].set_result("finished")

    return StreamingResponse(body(), headers={"set-cookie": "a=b"})


async def release(request):
    released[request.path_params["name"]].set()
    return PlainTextResponse("released")


async def end(request):
    return PlainTextResponse(await ended[request.path_params["name"]])


routes = Starlette(
    routes=[
        Route("/ticks/{name}", ticks),
        Route("/ticks/{name}/release", release, methods=["POST"]),
        Route("/ticks/{name}/end", end),
    ]
)


async def app(scope, receive, send):
    if scope["path"] == "/ticks/early":
        raise RuntimeError("failed before the first byte")
    await routes(scope, receive, send)


handler = Streaming(app)
