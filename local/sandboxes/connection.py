"""The host's side of one sandbox."""

import asyncio
import signal
import socket
from typing import Any

from local.sandboxes.messages import Message, read

LAST_WORDS_SECONDS = 1.0
"""How long a sandbox's answer and its exit may be apart."""


class Sandbox:
    """A sandbox; `pid` is 0 until the fork server reports it."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.pid = 0
        self.busy = True
        self.is_killed = False
        self.status: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        """How it ended, negative for a signal."""
        self.ending: asyncio.TimerHandle | None = None

    async def connect(self, channel: socket.socket) -> None:
        self._reader, self._writer = await asyncio.open_connection(sock=channel)

    async def ask(self, message: bytes) -> Message | None:
        """Send a message; returns the answer, or None if the sandbox ended."""
        self._writer.write(message)
        return await self.hear()

    async def hear(self) -> Message | None:
        """Wait for the next message; returns None if the sandbox ended."""
        answer = asyncio.create_task(self._read())
        try:
            either: set[asyncio.Future[Any]] = {answer, self.status}
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            if not answer.done():  # the answer may have been sent before the end
                await asyncio.wait({answer}, timeout=LAST_WORDS_SECONDS)
        finally:
            answer.cancel()
        return answer.result() if answer.done() and answer.exception() is None else None

    async def _read(self) -> Message:
        await self._writer.drain()
        return await read(self._reader)

    def close(self) -> None:
        """Close the socket, which ends an idle sandbox."""
        if self.ending is not None:
            self.ending.cancel()
        self._writer.close()


def wording(status: int) -> str:
    """Word an exit status as Lambda does: `exit status 1`, `signal: killed`."""
    return f"signal: {signal.strsignal(-status)}".lower() if status < 0 else f"exit status {status}"
