"""What a workspace uses on top of its runs: reckoned from what was seen on the local stack, not counted."""

from typing import Final

SHORT_SECONDS: Final = 0.1
"""What a function that only writes or checks something is taken to be billed for."""

BEATS_A_SECOND: Final = 0.2
BEATS: Final = round(3600 * BEATS_A_SECOND)
"""Frames an hour of a page at which nothing happens: each a function that reads the connection's item."""

CONNECTED_HOUR: Final[dict[str, float]] = {
    "websocket connection minutes": 60,
    "websocket messages": BEATS,
    "lambda requests": BEATS,
    "lambda gb-seconds": BEATS * 0.5 * SHORT_SECONDS,
    "dynamodb read units": BEATS,
}
FRAMES, ENTRIES, PUSHES = 8, 5, 6
"""Of a run with one answer, as seen on the local stack: frames both ways, entries of the log, batches of the stream."""

WORKSPACE_RUN: Final[dict[str, float]] = {
    "websocket messages": FRAMES,
    "lambda requests": 1 + PUSHES,
    "lambda gb-seconds": (1 + PUSHES) * 0.5 * SHORT_SECONDS,
    # An entry, and the lease of a connection, taken and released; each time the log's tail is read.
    "dynamodb write units": ENTRIES * 2 + (1 + PUSHES) * 2,
    "dynamodb read units": (1 + PUSHES) * 4,
}
