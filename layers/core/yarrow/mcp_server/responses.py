"""HTTP responses of the MCP endpoint: a JSON-RPC response as JSON, or after the run that it waits for as an SSE stream.

Source: MCP 2026-07-28, `basic/transports/streamable-http`.
"""

import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Final

from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from yarrow.formats import json_text
from yarrow.mcp_server import json_rpc
from yarrow.mcp_server.json_rpc import UNREADABLE, Document, RequestId, RpcCode, RpcError
from yarrow.mcp_server.methods import complete
from yarrow.mcp_server.requests import McpRequest
from yarrow.mcp_server.round_trips import result_of
from yarrow.mcp_server.run_answers import RunAnswer
from yarrow.observability.logs import logger
from yarrow.protocol.events import sse
from yarrow.runs import cancel_run
from yarrow.runs.stream_events import Subscription, release_slot
from yarrow.store import runs
from yarrow.web.json_body import NO_STORE
from yarrow.web.streams.event_stream import HEADERS, KEEP_ALIVE_SECONDS, run_to_end
from yarrow.web.streams.journal_polling import SLOWEST_POLL_SECONDS, read_on

_FAILED: Final = RpcError(RpcCode.INTERNAL_ERROR, "the service failed; the run may continue")


def json_response(document: Document, status: int = 200) -> Response:
    content = json_text.dumps(document).encode()
    return Response(content, status, headers=NO_STORE, media_type="application/json")


def error_response(error: RpcError, request_id: RequestId | None, *, is_latest: bool) -> Response:
    """Return an error; older clients get those of requests with 200, as their transport has it."""
    status = error.code.status if is_latest or error.code in UNREADABLE else 200
    return json_response(error.response(request_id), status)


class RunResponse(StreamingResponse):
    """Streams the progress of a run, if it is asked for, and then the answer to the request that started it.

    A client of the newest revision that leaves before cancels the request, and so the run.
    """

    media_type = "text/event-stream"

    def __init__(self, run: runs.Run, subscription: Subscription, request: McpRequest, seconds: float) -> None:
        self._run = run
        self._subscription = subscription
        self._request = request
        self._answered = False
        self._sent = 0
        self._frames = self._counted(self._whole(time.monotonic() + seconds))
        super().__init__(self._frames, headers=HEADERS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            async with aclosing(self._frames):
                await super().__call__(scope, receive, send)
        finally:
            await run_to_end(self._finish)

    def _finish(self) -> None:
        try:
            if not self._answered and self._request.is_latest:
                cancel_run.stop(self._run.key)
        finally:
            release_slot(self._subscription.slot, self._sent)

    async def _counted(self, frames: AsyncGenerator[bytes]) -> AsyncGenerator[bytes]:
        async with aclosing(frames):
            async for frame in frames:
                self._sent += len(frame)
                yield frame

    async def _whole(self, until: float) -> AsyncGenerator[bytes]:
        answer = RunAnswer(self._run.thread_id, self._run.run_id)
        request_id = self._request.id or 0
        try:
            async with aclosing(self._progress(answer, until)) as frames:
                async for frame in frames:
                    yield frame
            last = json_rpc.response(request_id, complete(self._request, result_of(self._request, self._run, answer)))
        except Exception:
            logger.exception("the stream failed")
            last = _FAILED.response(request_id)
        self._answered = True
        yield sse.data(json_text.dumps(last))

    async def _progress(self, answer: RunAnswer, until: float) -> AsyncGenerator[bytes]:
        """Fold the run's events into the answer to its end; yield what is sent meanwhile."""
        token, told, taken, last_sent = self._request.progress_token, 0, 0, time.monotonic()
        async with aclosing(read_on(self._subscription, until)) as readings:
            async for reading in readings:
                for number, line in reading.events:
                    if number > taken:
                        answer.take(line)
                        taken = number
                while token is not None and told < len(answer.progress):
                    message = answer.progress[told]
                    told, last_sent = told + 1, time.monotonic()
                    params = {"progressToken": token, "progress": told, "message": message}
                    yield sse.data(json_text.dumps(json_rpc.notification("notifications/progress", params)))
                if time.monotonic() - last_sent + SLOWEST_POLL_SECONDS >= KEEP_ALIVE_SECONDS:
                    yield sse.KEEP_ALIVE
                    last_sent = time.monotonic()
