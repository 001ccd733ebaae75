"""What one user can cost in a day, by each door: at the limits of a user, and if only the route limited them.

List prices (`prices.json`), the template's defaults; without the model's tokens and remote runners.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from tests.bench import scale
from tests.bench.figures import bill, watching
from tests.bench.figures.workspace_use import BEATS, CONNECTED_HOUR, SHORT_SECONDS
from yarrow.protocol.files import attachments
from yarrow.protocol.run_input.body import MAX_STORED_BYTES
from yarrow.protocol.workspace import frames
from yarrow.runs import get_history, read_stream
from yarrow.worker.results import payloads

SECONDS: Final = 86_400
MINUTES: Final = 1_440
HOURS: Final = 24
FORM_BYTES: Final = 10_000_000
"""The most that API Gateway takes."""
CONNECTION_MINUTES: Final = 120
"""The longest that API Gateway keeps a WebSocket connection."""
SLOTS: Final = 24
"""Of a job a day, at most: its minute of every hour."""

_READ_BYTE: Final = {"dynamodb read units": 0.5 / 4_096, "bytes sent to the client": 1}
_STORED_BYTE: Final = {
    "dynamodb write units": 2 / 1_024,
    "bytes stored for a month": 1,
    "bytes recoverable for a month": 1,
}
_FORM: Final = {"s3 writes": 1, "file bytes for a month": FORM_BYTES * 2 / bill.DAYS}
"""Until S3 removes it: after a day, at midnight."""
_CHANGE: Final = {**bill.SHORT_REQUEST, "dynamodb write units": 4}
_OUTCOME: Final = {**bill.SHORT_REQUEST, "dynamodb read units": 7, "dynamodb write units": 8}
"""One that replaces another: three items in a transaction, the session's index, and the count of requests."""
_OPENED: Final = {**bill.SHORT_REQUEST, **watching.OPENED}
_CONNECTED: Final = {
    "websocket messages": 1 + -(-frames.MAX_FRAME_BYTES // 32_768),
    "lambda requests": 2,
    "lambda gb-seconds": SHORT_SECONDS,
    "dynamodb read units": 20,
    "dynamodb write units": 5,
    "bytes sent to the client": frames.MAX_FRAME_BYTES,
}
"""A page that gets the longest snapshot: reckoned."""
_COMMAND: Final = {
    "websocket messages": 2,
    "lambda requests": 3,
    "lambda gb-seconds": 3 * 0.5 * SHORT_SECONDS,
    "dynamodb write units": 8,
    "dynamodb read units": 12,
}
"""With its entry, which is pushed to one page: reckoned."""


@dataclass(frozen=True)
class Door:
    """What a day's use is, how much of it the route alone lets through and how much the user's limit does."""

    name: str
    used: Mapping[str, float]
    by_route: float
    by_user: float
    unit: str = ""

    def price(self, amount: float) -> float:
        return sum(bill.price(name, amount * number) for name, number in self.used.items())


def doors() -> list[Door]:
    """Return the doors, the dearest by the user's limit first."""
    route, starts, files = (scale.default(f"{name}RateLimit") * SECONDS for name in ("", "Run", "Upload"))
    frames_taken = scale.default("WorkspaceRateLimit") * SECONDS
    found = [
        Door("runs of 20 seconds", scale.USE["run"]["used"], starts, _minutes("RunsPerMinute")),
        Door("inputs of runs", _STORED_BYTE, starts * MAX_STORED_BYTES, _minutes("RunBytesPerMinute"), "B"),
        Door(
            "streams held open",
            watching.WAYS[1].used,
            scale.default("AccountConcurrency") * HOURS,
            scale.default("StreamsPerUser") * HOURS,
            "h",
        ),
        Door("streams opened", _OPENED, route, _minutes("StreamsPerMinute")),
        Door("bytes of streams", _READ_BYTE, route * payloads.MAX_RUN_BYTES, _minutes("StreamBytesPerMinute"), "B"),
        Door("bytes of chunks", _READ_BYTE, route * read_stream.CHUNK_BYTES, _minutes("StreamBytesPerMinute"), "B"),
        Door("history, requests", bill.SHORT_REQUEST, route, _minutes("RequestsPerMinute")),
        Door("history, bytes", _READ_BYTE, route * get_history.MAX_BYTES, _minutes("HistoryBytesPerMinute"), "B"),
        Door("memories, cancel and the like, each", bill.SHORT_REQUEST, route, _minutes("RequestsPerMinute")),
        Door("outcomes of readings", _OUTCOME, route, _minutes("RequestsPerMinute")),
        Door("signed URLs", bill.SHORT_REQUEST, route, _minutes("SignedUrlsPerMinute")),
        Door(
            "downloads, if each URL is used once",
            {"bytes sent to the client": 1},
            route * attachments.MAX_BYTES,
            _minutes("SignedUrlsPerMinute") * attachments.MAX_BYTES,
            "B",
        ),
        Door("changes of jobs", _CHANGE, route, _minutes("JobChangesPerMinute")),
        Door(
            "firings of jobs, without their runs",
            scale.USE["firing"],
            _minutes("JobChangesPerMinute") * SLOTS,
            scale.default("JobsPerUser") * SLOTS,
        ),
        Door("form bodies that are never finished", _FORM, files, 2 * _minutes("UploadsPerMinute")),
        Door(
            "attachments kept for a month",
            {"file bytes for a month": 1},
            files * attachments.MAX_BYTES,
            scale.default("AttachmentBytesPerUser"),
            "B",
        ),
        Door(
            "speech",
            {"transcribed seconds": 1},
            files * scale.default("TranscriptionSeconds"),
            scale.default("TranscriptionSecondsPerDay"),
            "s",
        ),
        Door("workspace connections opened", _CONNECTED, frames_taken, _minutes("WorkspaceTicketsPerMinute")),
        Door(
            "workspace connections, minutes",
            {"websocket connection minutes": 1},
            frames_taken * CONNECTION_MINUTES,
            _minutes("WorkspaceTicketsPerMinute") * CONNECTION_MINUTES,
        ),
        Door(
            "frames of workspaces",
            {name: number / BEATS for name, number in CONNECTED_HOUR.items() if "minutes" not in name},
            frames_taken,
            _minutes("WorkspaceFramesPerMinute"),
        ),
        Door("commands of workspaces", _COMMAND, frames_taken, _minutes("WorkspaceCommandsPerMinute")),
        Door("requests that are refused, each route", bill.SHORT_REQUEST, route, route),
    ]
    return sorted(found, key=lambda door: -door.price(door.by_user))


def _minutes(limit: str) -> float:
    return scale.default(limit) * MINUTES
