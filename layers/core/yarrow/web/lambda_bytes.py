"""A Lambda handler that streams bytes to its invoker.

For InvokeWithResponseStream as `lambda_http.Streaming` is for API Gateway, without status and headers. `lambda_runtime`
sends the chunks.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from typing import Any

from mangum.types import LambdaContext


@dataclass(frozen=True, slots=True)
class StreamedBytes:
    """A stream of this media type; no chunk of `body` is empty."""

    media_type: str
    body: AsyncIterator[bytes]

    def prelude(self) -> bytes:
        """Empty."""
        return b""


class StreamingBytes:
    """The handler: `answer` takes an event and yields chunks, none of them empty."""

    def __init__(self, answer: Callable[[Any], AsyncGenerator[bytes]], media_type: str) -> None:
        self._answer = answer
        self._media_type = media_type

    @asynccontextmanager
    async def open(self, event: Any, _context: LambdaContext) -> AsyncIterator[StreamedBytes]:
        """The stream for an event; leaving the context closes it at any point."""
        async with aclosing(self._answer(event)) as body:
            yield StreamedBytes(self._media_type, body)
