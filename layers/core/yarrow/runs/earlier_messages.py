"""Stores a conversation held elsewhere before its first run here (C22): part of the session's transcript, not of the
run. A fork begins with as much of one (STP-09).
"""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from yarrow.protocol.run_input.messages import AssistantMessage, Message, UserMessage
from yarrow.store import runs, sessions

MAX_MESSAGES = 40
"""So many of the latest messages are stored at most, in the transaction that submits the run."""
MAX_BYTES = 64 * 1024
"""Their contents have so many bytes at most."""

_Message = TypeVar("_Message")


def earlier_messages(run: runs.Run, messages: Sequence[Message]) -> list[sessions.StoredMessage]:
    """Return the messages before the run's own, in order, with seq from 1."""
    said = (
        (message, message.content)
        for message in reversed(messages)
        if isinstance(message, UserMessage | AssistantMessage) and isinstance(message.content, str) and message.content
    )
    return [
        sessions.StoredMessage(
            id=message.id,
            thread_id=run.thread_id,
            seq=seq,
            role=message.role,
            content=content,
            timestamp=run.created_at,
            extras=message.extras(),
        )
        for seq, (message, content) in enumerate(that_fit(said, lambda one: one[1]), 1)
    ]


def that_fit(newest_first: Iterable[_Message], content: Callable[[_Message], str]) -> list[_Message]:
    """Return the latest messages that a new session can begin with, oldest first."""
    kept: list[_Message] = []
    room = MAX_BYTES
    for message in newest_first:
        room -= len(content(message).encode())
        if room < 0 or len(kept) == MAX_MESSAGES:
            break
        kept.append(message)
    return kept[::-1]
