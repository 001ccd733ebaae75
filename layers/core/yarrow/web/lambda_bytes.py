"""A Lambda handler that streams bytes without HTTP metadata, for InvokeWithResponseStream."""

from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from typing import Any

from mangum.types import LambdaContext


@dataclass(frozen=True, slots=True)
class StreamedBytes:
    """No chunk of `body` is empty."""

    media_type: str
    body: AsyncIterator[bytes]

    def prelude(self) -> bytes:
        return b""


class StreamingBytes:
    """`answer` yields non-empty chunks."""

    def __init__(self, answer: Callable[[Any], AsyncGenerator[bytes]], media_type: str) -> None:
        self._answer = answer
        self._media_type = media_type

    @asynccontextmanager
    async def open(self, event: Any, _context: LambdaContext) -> AsyncIterator[StreamedBytes]:
        """Answer an event; leaving the context closes the stream at any point."""
        async with aclosing(self._answer(event)) as body:
            yield StreamedBytes(self._media_type, body)
