"""A user's limits per minute and day."""

import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final, Literal

from botocore.exceptions import BotoCoreError, ClientError

from yarrow.observability.logs import logger
from yarrow.protocol.problems import Code, Problem
from yarrow.settings import settings
from yarrow.store import table
from yarrow.store.limits import buckets
from yarrow.store.limits.buckets import Bucket

HISTORY_BYTES: Final = 32_768
"""Bytes of a response drawn with the request; a longer one draws the rest once its size is known."""

STREAM_BYTES: Final = 65_536
"""Bytes of events drawn with the stream; a longer one is charged for the rest when it ends."""

FRAMES_AT_ONCE: Final = 10

Counted = Literal[
    "agent_reads",
    "cancels",
    "capability_reads",
    "device_changes",
    "device_reads",
    "forks",
    "forms",
    "interrupt_reads",
    "job_changes",
    "job_reads",
    "job_run_reads",
    "mcp_connection_changes",
    "mcp_connection_reads",
    "mcp_messages",
    "memory_deletions",
    "memory_reads",
    "outcomes",
    "run_messages",
    "session_deletions",
    "signed_urls",
    "transcription_reads",
    "upload_reads",
    "uploads",
    "usage_reads",
    "webhook_changes",
    "webhook_reads",
    "webhook_sends",
    "workspace_commands",
    "workspace_connections",
    "workspace_tickets",
]
"""What is counted, in buckets of their own."""

_RATES: Final[Mapping[Counted, Callable[[], int]]] = {
    "forms": lambda: 2 * settings.uploads_per_minute,
    "job_changes": lambda: settings.job_changes_per_minute,
    "signed_urls": lambda: settings.signed_urls_per_minute,
    "uploads": lambda: settings.uploads_per_minute,
    "webhook_sends": lambda: settings.webhook_sends_per_minute,
    "workspace_commands": lambda: settings.workspace_commands_per_minute,
    "workspace_connections": lambda: settings.workspace_tickets_per_minute,
    "workspace_tickets": lambda: settings.workspace_tickets_per_minute,
}
"""Rates per minute; other requests have `requests_per_minute`. `uploads` limits clients that finish their forms,
`forms` those that do not: API Gateway stores what they send."""


def refusal(
    code: Code,
    detail: str,
    *,
    params: Mapping[str, Any],
    of: str | None = None,
    retry_after: int | None = None,
) -> Problem:
    """Count that a limit refused something, for operators, and return the problem that says so.

    `of` is what is limited, where a code is that of several limits. A count that cannot be written is only logged.
    """
    from yarrow.store.limits import refusals  # few requests are refused

    try:
        refusals.count(code.name, of)
    except (BotoCoreError, ClientError):
        logger.warning("a refusal could not be counted", exc_info=True)
    return Problem(code, detail, params=params, retry_after=retry_after)


@contextmanager
def rate_limited() -> Iterator[None]:
    """Turn an empty bucket into Problem 429 with Retry-After."""
    try:
        yield
    except buckets.EmptyError as error:
        raise refusal(
            Code.AGENT_RATE_LIMIT,
            f"too many {error.bucket.name.replace('_', ' ')} a minute",
            of=error.bucket.name,
            params={"of": error.bucket.name, "perMinute": error.bucket.per_minute},
            retry_after=error.seconds,
        ) from error


def count(user_id: str, what: Counted, amount: int = 1) -> None:
    """Count requests, or what they bring. Raises Problem 429."""
    per_minute = _RATES[what]() if what in _RATES else settings.requests_per_minute
    with rate_limited():
        buckets.take(user_id, Bucket(what, per_minute), amount)


def count_history_read(user_id: str) -> None:
    """Count a read with the first HISTORY_BYTES of its response. Raises Problem 429."""
    requests = Bucket("history_reads", settings.requests_per_minute)
    with rate_limited():
        buckets.take_all(user_id, (requests, 1), (_history_bytes(), HISTORY_BYTES))


def charge_history(user_id: str, size: int) -> None:
    if size > HISTORY_BYTES:
        buckets.charge(user_id, _history_bytes(), size - HISTORY_BYTES)


def _history_bytes() -> Bucket:
    return Bucket("history_bytes", settings.history_bytes_per_minute)


def count_workspace_frame(user_id: str) -> None:
    """Draw for FRAMES_AT_ONCE frames on one of them: a heartbeat would else cost double. Raises Problem 429."""
    if random.randrange(FRAMES_AT_ONCE):  # noqa: S311 (a user who guessed it would gain nothing)
        return
    with rate_limited():
        buckets.take(user_id, Bucket("workspace_frames", settings.workspace_frames_per_minute), FRAMES_AT_ONCE)


def count_stream_read(user_id: str) -> None:
    """Count a read that holds no stream open, with the first STREAM_BYTES of its events. Raises Problem 429."""
    reads = Bucket("stream_reads", settings.streams_per_minute)
    with rate_limited():
        buckets.take_all(user_id, (reads, 1), (_chunk_bytes(), STREAM_BYTES))


def charge_stream_read(user_id: str, size: int) -> None:
    if size > STREAM_BYTES:
        buckets.charge(user_id, _chunk_bytes(), size - STREAM_BYTES)


def opened_stream() -> buckets.Amounts:
    """Return what an open stream draws: one stream, and its first STREAM_BYTES."""
    return (Bucket("streams", settings.streams_per_minute), 1), (_stream_bytes(), STREAM_BYTES)


def sent_by_stream(size: int) -> buckets.Amount:
    """Return the bytes beyond STREAM_BYTES."""
    return (_stream_bytes() if size > STREAM_BYTES else Bucket("stream_bytes", 0)), max(0, size - STREAM_BYTES)


def _stream_bytes() -> Bucket:
    return Bucket("stream_bytes", settings.stream_bytes_per_minute)


def _chunk_bytes() -> Bucket:
    return Bucket("chunk_bytes", settings.stream_bytes_per_minute)


def check_session_runs(run_count: int) -> None:
    """Raise Problem 409 if the session cannot have one more run (FUP-07)."""
    most = settings.runs_per_session
    if most and run_count >= most:
        raise Problem(Code.AGENT_SESSION_RUN_LIMIT_EXCEEDED, "the session has too many runs", params={"limit": most})


def draw_run(item: table.Item | None, size: int) -> buckets.Draw:
    """Draw for a run of `size` bytes. Raises EmptyError."""
    runs = buckets.draw(Bucket("runs", settings.runs_per_minute), item)
    return runs + buckets.draw(Bucket("run_bytes", settings.run_bytes_per_minute), item, size)


def runs_left(item: table.Item | None) -> int | None:
    """Return how many runs the user may start at once; None without a limit a minute."""
    return buckets.left(Bucket("runs", settings.runs_per_minute), item)


def check_tokens(item: table.Item | None) -> None:
    """Raise Problem 429 at the day's limit of tokens."""
    from yarrow.store.limits import usage  # few functions need it

    most = settings.tokens_per_user_per_day
    if most and usage.tokens(item) >= most:
        raise refusal(
            Code.AGENT_TOKEN_LIMIT,
            "the limit of model tokens a day is reached",
            params={"tokensPerDay": most},
            retry_after=usage.seconds_left(),
        )


def are_tokens_spent(user_id: str) -> bool:
    from yarrow.store.limits import usage

    most = settings.tokens_per_user_per_day
    return bool(most) and usage.tokens(table.get(usage.key(user_id))) >= most
