"""The sockets of the local stack: a port for clients, and one for the emulator and tests."""

import os
import socket
from typing import NamedTuple

from local.emulator.process import LOOPBACK


class StartError(Exception):
    """The stack cannot start; the message says why in one line."""


class Listeners(NamedTuple):
    """The listening sockets of the public and the internal port."""

    public: socket.socket
    internal: socket.socket

    @property
    def public_url(self) -> str:
        """The URL of the public port."""
        return _url(self.public)

    @property
    def internal_url(self) -> str:
        return _url(self.internal)


def listen(port: str) -> socket.socket:
    """Listen on a port of this machine, 0 for any. Raises StartError."""
    if not port.isascii() or not port.isdigit() or int(port) > 65535:
        raise StartError(f"PORT must be a number from 0 to 65535, not {port!r}")
    try:
        listener = socket.create_server((LOOPBACK, int(port)))
    except OSError as error:
        raise StartError(
            f"port {port} on {LOOPBACK}: {os.strerror(error.errno or 0)}; choose another with PORT"
        ) from None
    # Connections inherit it; asyncio sets it only on sockets with an explicit protocol.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


def _url(listener: socket.socket) -> str:
    return f"http://{LOOPBACK}:{listener.getsockname()[1]}"
