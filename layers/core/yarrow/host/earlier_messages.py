"""What a client tells of a conversation that went on elsewhere before its first run here (C22).

It becomes part of the session's transcript, where agents read it as they read what was said here; nothing of it is
passed on beside that. A session that is here already is told by its own transcript alone.
"""

from collections.abc import Iterator
from typing import Any

from yarrow.protocol.run_input import RunInput
from yarrow.store import runs, sessions

MOST = 40
"""How many messages, the latest, are taken: all are written in the transaction that submits the run."""
MOST_BYTES = 64 * 1024

_ROLES = frozenset({"user", "assistant"})


def earlier_messages(run: runs.Run, run_input: RunInput) -> list[sessions.Message]:
    """The messages that come before the one the run answers, in their order, numbered from 1."""
    given = run_input.passed_on.get("messages")
    kept = list(_latest(given if isinstance(given, list) else []))[::-1]
    return [
        sessions.Message(
            id=message["id"],
            thread_id=run.thread_id,
            seq=seq,
            role=message["role"],
            content=message["content"],
            timestamp=run.created_at,
        )
        for seq, message in enumerate(kept, 1)
    ]


def _latest(given: list[Any]) -> Iterator[dict[str, str]]:
    """What was said in words, latest first, as far as there is room."""
    room, count = MOST_BYTES, 0
    for each in reversed(given):
        match each:
            case {"id": str(id_), "role": str(role), "content": str(content)} if role in _ROLES and content and id_:
                room, count = room - len(content.encode()), count + 1
                if room < 0 or count > MOST:
                    return
                yield each
