"""Where the events of an AG-UI agent come from: an HTTP server, or a function in this process."""

import json
from collections.abc import AsyncGenerator, AsyncIterable, Callable, Mapping
from contextlib import aclosing, asynccontextmanager, nullcontext
from typing import Any, Final

import anyio
import httpx2

from yarrow.outbound.public_hosts import ForbiddenHostError, PublicHosts
from yarrow.settings import settings

Document = Mapping[str, Any]
Source = Callable[[dict[str, Any]], AsyncGenerator[Document]]
"""Takes a RunAgentInput and yields events as JSON documents. Raises SourceError."""

ATTEMPTS: Final = 3
"""Requests for a run, as long as no event has come."""
PAUSE_SECONDS: Final = 0.5
MAX_PAUSE_SECONDS: Final = 5.0
CONNECT_SECONDS: Final = 10.0
SILENCE_SECONDS: Final = 120.0
"""The longest wait for the next byte; servers send comments to keep a stream alive."""
MAX_EVENT_BYTES: Final = 4 * 1024 * 1024

_TRANSIENT: Final = frozenset({429, 502, 503, 504})


class SourceError(Exception):
    """The agent cannot be reached, or sent what is no AG-UI stream. The message is public."""

    def __init__(self, code: str, message: str, *, retryable: bool = False) -> None:
        super().__init__(message)
        self.code = code
        self.retryable = retryable


class HttpSource:
    """An AG-UI server. Only public hosts are reached, unless `private` is set by who deploys.

    The client is kept, so that later runs of the process reuse its connections.
    """

    def __init__(self, url: str, headers: Mapping[str, str], *, private: bool = False) -> None:
        self._url = url
        transport: httpx2.AsyncBaseTransport = httpx2.AsyncHTTPTransport(trust_env=False)
        if not private:
            transport = PublicHosts(transport, allows_loopback=not settings.in_lambda)
        self._client = httpx2.AsyncClient(
            transport=transport,
            headers={**headers, "Accept": "text/event-stream"},
            timeout=httpx2.Timeout(SILENCE_SECONDS, connect=CONNECT_SECONDS),
            follow_redirects=False,
        )

    async def __call__(self, run_agent_input: dict[str, Any]) -> AsyncGenerator[Document]:
        """Yield the events of one run. Nothing is sent again once an event has come."""
        async with self._opened(run_agent_input) as response:
            try:
                async for frame in httpx2.EventSource(response, MAX_EVENT_BYTES):
                    if frame.data:
                        yield _event(frame.data)
            except httpx2.SSEError as error:
                raise SourceError("agui.not_a_stream", "the agent's server sent no AG-UI event stream") from error
            except httpx2.TimeoutException as error:
                raise SourceError("agui.silent", "the agent's server fell silent", retryable=True) from error
            except httpx2.HTTPError as error:
                raise SourceError("agui.cut_off", "the agent's stream broke off", retryable=True) from error

    @asynccontextmanager
    async def _opened(self, run_agent_input: dict[str, Any]) -> AsyncGenerator[httpx2.Response]:
        request = self._client.build_request("POST", self._url, json=run_agent_input)
        response = await self._sent(request)
        try:
            if response.status_code != 200:
                message = f"the agent's server answered with status {response.status_code}"
                raise SourceError("agui.http_error", message, retryable=response.status_code in _TRANSIENT)
            yield response
        finally:
            await response.aclose()

    async def _sent(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request; repeat it if the server was not reached or could not take it now."""
        for attempt in range(1, ATTEMPTS + 1):
            last = attempt == ATTEMPTS
            pause = PAUSE_SECONDS * 2 ** (attempt - 1)
            try:
                response = await self._client.send(_copy(request), stream=True)
            except ForbiddenHostError as error:
                raise SourceError("agui.forbidden_host", "the agent's server is not a public host") from error
            except (httpx2.ConnectError, httpx2.ConnectTimeout) as error:
                if last:
                    message = "the agent's server cannot be reached"
                    raise SourceError("agui.unreachable", message, retryable=True) from error
            except httpx2.HTTPError as error:
                # The server may have begun: asking again could do things twice.
                raise SourceError("agui.cut_off", "the agent's server did not answer", retryable=True) from error
            else:
                if last or response.status_code not in _TRANSIENT:
                    return response
                pause = _retry_after(response, pause)
                await response.aclose()
            await anyio.sleep(pause)
        raise AssertionError("the last attempt returns or raises")


def _copy(request: httpx2.Request) -> httpx2.Request:
    """Return the request again; the transport changes its URL."""
    return httpx2.Request(request.method, request.url, headers=request.headers, content=request.content)


def _retry_after(response: httpx2.Response, pause: float) -> float:
    value = response.headers.get("Retry-After", "")
    return min(float(value), MAX_PAUSE_SECONDS) if value.isascii() and value.isdecimal() else pause


def _event(data: str) -> Document:
    try:
        event = json.loads(data)
    except ValueError as error:
        raise SourceError("agui.not_a_stream", "the agent's server sent an event that is no JSON") from error
    if not isinstance(event, dict):
        raise SourceError("agui.not_a_stream", "the agent's server sent an event that is no JSON object")
    return event


def in_process(run: Callable[[Any], AsyncIterable[Any]]) -> Source:
    """Return the source of a function that takes a RunAgentInput of `ag_ui.core` and yields its events.

    Events may be objects of that package, documents, or encoded frames, as the adapters of frameworks yield them.
    """

    async def events(run_agent_input: dict[str, Any]) -> AsyncGenerator[Document]:
        from ag_ui.core import RunAgentInput  # a dependency of the adapters that are run this way

        produced = run(RunAgentInput.model_validate(run_agent_input))
        async with aclosing(produced) if isinstance(produced, AsyncGenerator) else nullcontext():
            async for event in produced:
                for document in _documents(event):
                    yield document

    return events


def _documents(event: Any) -> list[Document]:
    if isinstance(event, (str, bytes)):
        text = event.decode() if isinstance(event, bytes) else event
        return [_event(line[5:]) for line in text.splitlines() if line.startswith("data:")]
    if isinstance(event, Mapping):
        return [event]
    document: dict[str, Any] = event.model_dump(mode="json", by_alias=True, exclude_none=True)
    return [document]
