"""A byte stream whose producer may block: it runs in a thread with its own event loop."""

import asyncio
import logging
import threading
from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, aclosing, asynccontextmanager, suppress

from yarrow.web.lambda_bytes import StreamedBytes

MEDIA_TYPE = "application/octet-stream"

STOP_SECONDS = 1.0
"""How long a producer may take to stop; then its thread is abandoned."""

Chunk = bytes | BaseException | None
"""A piece of the stream; an exception or None at its end."""

logger = logging.getLogger(__name__)


@asynccontextmanager
async def in_own_thread(stream: AbstractAsyncContextManager[StreamedBytes], name: str) -> AsyncGenerator[StreamedBytes]:
    """Read `stream` in a thread named `name`; the body raises the producer's errors.

    The producer is at most one chunk ahead; leaving the context cancels it.
    """
    producer = _Producer(stream)
    thread = threading.Thread(target=producer.run, name=name, daemon=True)
    thread.start()
    try:
        async with aclosing(producer.body()) as body:
            yield StreamedBytes(MEDIA_TYPE, body)
    finally:
        producer.cancel()
        await asyncio.to_thread(thread.join, STOP_SECONDS)
        if thread.is_alive():
            logger.warning("%s does not stop, and is abandoned", name)


class _Producer:
    def __init__(self, stream: AbstractAsyncContextManager[StreamedBytes]) -> None:
        self._stream = stream
        self._consumer = asyncio.get_running_loop()
        self._chunks = asyncio.Queue[Chunk](1)
        self._loop = asyncio.new_event_loop()
        self._task = self._loop.create_task(self._produce())

    def run(self) -> None:
        """The thread's work."""
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._finished())

    def cancel(self) -> None:
        with suppress(RuntimeError):  # the loop is closed: it has finished
            self._loop.call_soon_threadsafe(self._task.cancel)

    async def body(self) -> AsyncGenerator[bytes]:
        while (chunk := await self._chunks.get()) is not None:
            if isinstance(chunk, BaseException):
                raise chunk
            yield chunk

    async def _finished(self) -> None:
        await asyncio.wait({self._task})

    async def _produce(self) -> None:
        try:
            async with self._stream as response:
                async for chunk in response.body:
                    await self._hand_over(chunk)
        except Exception as error:  # noqa: BLE001 (raised again by `body`)
            await self._hand_over(error)
        else:
            await self._hand_over(None)

    async def _hand_over(self, chunk: Chunk) -> None:
        putting = asyncio.run_coroutine_threadsafe(self._chunks.put(chunk), self._consumer)
        await asyncio.wrap_future(putting)
