"""A Lambda handler whose answer is a stream of bytes, for whoever invokes the function by its name.

It is to InvokeWithResponseStream what `lambda_http.Streaming` is to API Gateway: there is no status and there are no
headers, only chunks. `lambda_runtime` carries them away on Lambda.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from typing import Any

from mangum.types import LambdaContext


@dataclass(frozen=True, slots=True)
class StreamedBytes:
    """An answer of this media type; no chunk of `body` is empty."""

    media_type: str
    body: AsyncIterator[bytes]

    def prelude(self) -> bytes:
        """Nothing comes before the body."""
        return b""


class StreamingBytes:
    """The handler: `answer` takes an event and yields chunks, none of them empty."""

    def __init__(self, answer: Callable[[Any], AsyncGenerator[bytes]], media_type: str) -> None:
        self._answer = answer
        self._media_type = media_type

    @asynccontextmanager
    async def open(self, event: Any, _context: LambdaContext) -> AsyncIterator[StreamedBytes]:
        """The answer to an event; leaving the context closes it, wherever it is."""
        async with aclosing(self._answer(event)) as body:
            yield StreamedBytes(self._media_type, body)
