"""Stores a conversation held elsewhere before its first run here (C22): part of the session's transcript, not of the
run.
"""

from collections.abc import Iterator, Sequence

from yarrow.protocol.run_input.messages import AssistantMessage, Message, UserMessage
from yarrow.store import runs, sessions

MAX_MESSAGES = 40
"""Of the latest messages, in the transaction that submits the run."""
MAX_BYTES = 64 * 1024


def earlier_messages(run: runs.Run, messages: Sequence[Message]) -> list[sessions.StoredMessage]:
    """Return the messages before the run's own, in order, with seq from 1."""
    kept = list(_latest(messages))[::-1]
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
        for seq, (message, content) in enumerate(kept, 1)
    ]


def _latest(messages: Sequence[Message]) -> Iterator[tuple[UserMessage | AssistantMessage, str]]:
    room, count = MAX_BYTES, 0
    for message in reversed(messages):
        if isinstance(message, UserMessage | AssistantMessage) and isinstance(message.content, str) and message.content:
            room, count = room - len(message.content.encode()), count + 1
            if room < 0 or count > MAX_MESSAGES:
                return
            yield message, message.content
