"""A sandbox: a process that serves one invocation of one function after another, until its socket is closed."""

import os
import socket
import sys
import threading
from typing import NoReturn

from local.sandboxes.invocations import Handler, call
from local.sandboxes.messages import Kind, packed, read_invocation, receive
from local.stack import Function


def serve(function: Function, handler: Handler, channel: socket.socket) -> NoReturn:
    """Serve. A handler that raises SystemExit ends the process, as on Lambda."""
    threading.current_thread().name = function.name
    while (message := receive(channel)) is not None:
        context, payload = read_invocation(message[1])
        result = call(handler, payload, context)
        sys.stdout.flush()
        channel.sendall(packed(Kind.ERROR if result.failed else Kind.RESULT, result.payload))
    os._exit(0)  # threads that an agent left behind end with it
