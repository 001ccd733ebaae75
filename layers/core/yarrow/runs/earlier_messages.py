"""What a client tells of a conversation that went on elsewhere before its first run here (C22).

It becomes part of the session's transcript, where agents read it as they read what was said here; nothing of it goes
into a run. A session that is here already is told by its own transcript alone.
"""

from collections.abc import Iterator, Sequence

from yarrow.protocol.run_input.messages import AssistantMessage, Message, UserMessage
from yarrow.store import runs, sessions

MAX_MESSAGES = 40
"""How many messages, the latest, are taken: all are written in the transaction that submits the run."""
MAX_BYTES = 64 * 1024


def earlier_messages(run: runs.Run, messages: Sequence[Message]) -> list[sessions.Message]:
    """Of the messages before the one the run answers, those that are kept, in their order, numbered from 1."""
    kept = list(_latest(messages))[::-1]
    return [
        sessions.Message(
            id=message.id,
            thread_id=run.thread_id,
            seq=seq,
            role=message.role,
            content=content,
            timestamp=run.created_at,
        )
        for seq, (message, content) in enumerate(kept, 1)
    ]


def _latest(messages: Sequence[Message]) -> Iterator[tuple[UserMessage | AssistantMessage, str]]:
    """What was said in words, with the words, latest first, as far as there is room."""
    room, count = MAX_BYTES, 0
    for each in reversed(messages):
        if isinstance(each, UserMessage | AssistantMessage) and isinstance(each.content, str) and each.content:
            room, count = room - len(each.content.encode()), count + 1
            if room < 0 or count > MAX_MESSAGES:
                return
            yield each, each.content
