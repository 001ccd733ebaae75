"""The message list of an AG-UI request."""

import hashlib
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from yarrow.formats import json_text
from yarrow.protocol.run_input.body import RunInput
from yarrow.protocol.run_input.messages import AssistantMessage, Message, ToolMessage, UserMessage
from yarrow.protocol.run_input.tool_results import ResultPictures
from yarrow.store import runs, sessions, turns
from yarrow.store.branches import Path
from yarrow.store.limits import stream_slots

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import TransactWriteItemTypeDef as WriteItem

    from yarrow.runs.agui.branching import Continuation

VIEWER_CHECK_PAUSES: Final = (0.0, 0.1, 0.2, 0.4, 0.8)
"""Seconds before each check for a viewer: a closed stream releases its slot late."""


@dataclass(frozen=True, slots=True)
class AgUiRequest:
    """Messages parsed and as sent. `branch` is the id of the run to continue after if they name no stored message;
    `result_pictures` are those that the agent sees in tool results."""

    messages: Sequence[Message]
    sent: Sequence[Any]
    branch: str | None = None
    result_pictures: Sequence[ResultPictures] = ()
    _counts: dict[str, int] = field(default_factory=dict)

    def continuation(self, session: sessions.Session, question: sessions.Message | None) -> "Continuation":
        """Where the run continues (C38)."""
        from yarrow.runs.agui.branching import find_continuation, listed_messages

        return find_continuation(session, listed_messages(self.messages), question, self.branch)

    def fingerprints(self, run_input: RunInput, question: sessions.Message | None) -> dict[str, int]:
        """The run's fingerprint, then those of runs whose output may be listed (C39), each with its number of leading
        messages that are no output."""
        thread, digest = run_input.thread_id.lower(), None if question is None else question.digest
        fingerprint = _hash(["agui", thread, digest, dict(run_input.extensions)])
        start = (
            max((index for index, each in enumerate(self.messages) if isinstance(each, UserMessage)), default=-1) + 1
        )
        found = [(fingerprint, start)]
        client = {tool.name for tool in run_input.tools}
        shown = {each.tool_call_id: [picture.path for picture in each.pictures] for each in self.result_pictures}
        for index, result, tool in _results(self.messages, start):
            if tool in client:  # only the client answers these
                found = []
            pictures = shown.get(result.tool_call_id, ())
            fingerprint = _hash([fingerprint, result.tool_call_id, result.content, result.error, *pictures])
            found.append((fingerprint, index + 1))
        self._counts.update(reversed(found))
        return self._counts

    def snapshot_event(self, fingerprint: str) -> str | None:
        """A MESSAGES_SNAPSHOT without this run's output; None if there is none."""
        count = self._counts[fingerprint]
        if count >= len(self.sent):
            return None
        return json_text.dumps({"type": "MESSAGES_SNAPSHOT", "messages": list(self.sent[:count])})

    def adopted_items(
        self, run: runs.Run, path: Path, new: Sequence[sessions.Message], continuation: "Continuation | None"
    ) -> list["WriteItem"]:
        """The items for calls in the list that no run made, to store with the run (MSG-08).

        `path` is the stored conversation, `new` are the messages that are stored with the run; without `continuation`,
        the session is new.
        """
        index = None if continuation is None else self._last_index(continuation.anchor)
        listed = self.messages if index is None else self.messages[index + 1 :]
        if not any(isinstance(message, AssistantMessage) and message.tool_calls for message in listed):
            return []
        from yarrow.runs.agui.adopted_calls import adopted_calls, known_calls  # here: few lists have such calls

        places = {message.id: message.seq for message in new}
        known = frozenset[str]() if continuation is None else known_calls(run.thread_id, path)
        found = adopted_calls(listed, places, known, None if index is None else path.last)
        return [
            turns.adopt(run.thread_id, calls.after, run.key, calls.turn, calls.messages, run.branch) for calls in found
        ]

    def _last_index(self, message_id: str | None) -> int | None:
        ids = [message.id for message in self.messages]
        return len(ids) - 1 - ids[::-1].index(message_id) if message_id in ids else None

    def end_if_abandoned(self, active: runs.Run) -> bool:
        """Cancel an active AG-UI run without viewers (C40). False if it continues."""
        if not active.from_agui:
            return False
        for pause in VIEWER_CHECK_PAUSES:
            time.sleep(pause)
            if not stream_slots.is_watched(active.user_id, active.key):
                break
        else:
            return False
        from yarrow.runs import cancel_run  # imports every event model

        cancel_run.stop(active.key)
        return True


def _results(messages: Sequence[Message], start: int) -> Iterator[tuple[int, ToolMessage, str | None]]:
    """With the names of their tools."""
    names: dict[str, str] = {}
    for index, each in enumerate(messages):
        if isinstance(each, AssistantMessage):
            names |= {call.id: call.function.name for call in each.tool_calls or ()}
        elif isinstance(each, ToolMessage) and index >= start:
            yield index, each, names.get(each.tool_call_id)


def _hash(parts: Any) -> str:
    return hashlib.sha256(json_text.canonical(parts).encode()).hexdigest()
