"""The sessions that a user had with the agent before the workspace was opened (CMP-09): the latest, and their tails."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Final

from yarrow.agents.bindings import Binding
from yarrow.protocol.workspace.models import Message
from yarrow.store import session_list, sessions
from yarrow.workspace.state.projection import fitted

MAX_SESSIONS: Final = 10
MAX_MESSAGES: Final = 20
_NAME_CHARACTERS: Final = 40


@dataclass(frozen=True, slots=True)
class EarlierSession:
    id: str
    name: str
    messages: Sequence[Message]

    @property
    def updated_at(self) -> int:
        """When its last message was sent, in milliseconds."""
        return self.messages[-1]["createdAt"]


def earlier_sessions(user_id: str, binding: Binding) -> list[EarlierSession]:
    """Return the user's latest sessions with this agent that have an answer, oldest first."""
    found: list[EarlierSession] = []
    for latest in session_list.latest_answers(user_id, MAX_SESSIONS)[0]:
        session = sessions.read(latest.thread_id)
        if session is None or session.agent != binding.agent or session.deleted_at is not None:
            continue
        tail = list(islice(sessions.messages_on(session.path, session.thread_id, MAX_MESSAGES), MAX_MESSAGES))
        messages = [message for message in reversed(tail) if message.role in ("user", "assistant")]
        if messages:
            question = next(
                (message.content for message in messages if message.role == "user" and message.content.strip()), ""
            )
            name = question.strip()[:_NAME_CHARACTERS] or session.created_at[:10]
            found.append(EarlierSession(session.thread_id, name, _messages(messages)))
    return found[::-1]


def _messages(stored: Sequence[sessions.StoredMessage]) -> list[Message]:
    """Convert messages to the page's, with strictly increasing times (WSP-22)."""
    messages: list[Message] = []
    at = 0
    for message in stored:
        at = max(at + 1, round(datetime.fromisoformat(message.timestamp).timestamp() * 1000))
        messages.append(
            fitted(
                {
                    "id": message.id if message.role == "assistant" else f"user-{message.seq}",
                    "role": "user" if message.role == "user" else "assistant",
                    "content": message.content,
                    "createdAt": at,
                }
            )
        )
    return messages
