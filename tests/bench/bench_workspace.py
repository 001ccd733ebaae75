"""How long a page waits for what another page of its user does: a command's way through the WebSocket API, the log, the
table's stream and the push, on the local stack. Both connections and all functions share this machine.
"""

import json
import time
import uuid
from statistics import quantiles

from websockets.sync.client import connect
from websockets.sync.connection import Connection

from tests.bench.row import Row
from tests.bench.servers import make_run
from tests.support.stack.app import App
from tests.support.workspace.live import address_of, bearer_of

TASK = "assistant"
USERS, COMMANDS = 4, 25
"""A workspace keeps 30 sessions."""
SECONDS = 30


def measure() -> list[Row]:
    """Return the milliseconds from sending a frame, and from storing it, to its effect on the other page."""
    with make_run() as url:
        delays = [delay for _ in range(USERS) for delay in _delays(url)]
    whole, pushes = (quantiles(pair, n=20) for pair in zip(*delays, strict=True))
    return [
        Row("workspace, command to another connection, median", "ms", whole[9]),
        Row("workspace, command to another connection, p95", "ms", whole[18]),
        Row("workspace, push delay, median", "ms", pushes[9]),
        Row("workspace, push delay, p95", "ms", pushes[18]),
    ]


def _delays(url: str) -> list[tuple[float, float]]:
    app = App(url, f"bench-{uuid.uuid4()}")
    address, bearer = address_of(url, taskName=TASK), bearer_of(app)
    app.http.close()
    with (
        connect(address, additional_headers=bearer, proxy=None) as acting,
        connect(address, additional_headers=bearer, proxy=None) as watching,
    ):
        return [_delay(acting, watching, number) for number in range(COMMANDS)]


def _delay(acting: Connection, watching: Connection, number: int) -> tuple[float, float]:
    name = f"session number {number:03d}"
    command = {"type": "agent_session_create", "taskName": TASK, "payload": {"name": name, "language": "en"}}
    sent = time.time()
    acting.send(json.dumps(command))
    stored = _stored(name, watching)
    arrived = time.time()
    _stored(name, acting)
    return (arrived - sent) * 1000, max(0.0, arrived * 1000 - stored)


def _stored(name: str, connection: Connection) -> float:
    """Wait for a session of this name; when it was stored, in milliseconds."""
    while True:
        for session in json.loads(connection.recv(timeout=SECONDS))["data"].get("sessions", ()):
            if session["name"] == name:
                return float(session["updatedAt"])
