"""Interprets an AG-UI client's message list for the run that it submits."""

import hashlib
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from yarrow.formats import json_text
from yarrow.media.sent_pictures import SentPictures
from yarrow.protocol.agui.request import AgUiInput
from yarrow.protocol.run_input.body import RunInput
from yarrow.protocol.run_input.messages import AssistantMessage, Message, ToolMessage, UserMessage
from yarrow.protocol.run_input.rules import InputRules, Topics
from yarrow.runs.submission.door import Continuation, Taken, abandoned
from yarrow.store import runs, sessions, tool_use
from yarrow.store.branches import Path
from yarrow.store.branches import path as path_to
from yarrow.store.limits import stream_slots

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import TransactWriteItemTypeDef as WriteItem

VIEWER_CHECK_PAUSES: Final = (0.0, 0.1, 0.2, 0.4, 0.8)
"""Seconds before the checks for a viewer: a closed stream releases its slot late."""


@dataclass(frozen=True, slots=True)
class AgUiDoor:
    """Submits a run of an AG-UI client, whose list determines what the run continues and may repeat."""

    request: AgUiInput
    pictures: SentPictures
    interprets: bool = True

    @property
    def own_pictures(self) -> Collection[str]:
        return self.pictures.paths

    def fingerprints(
        self, _: Mapping[str, Any], run_input: RunInput, question: sessions.StoredMessage | None
    ) -> dict[str, int]:
        """Return the run's fingerprint, then those of runs whose output may be listed (C39), each with the number of
        leading messages that are no output.
        """
        messages = self.request.messages
        thread, digest = run_input.thread_id.lower(), None if question is None else question.digest
        fingerprint = _hash(["agui", thread, digest, dict(run_input.extensions)])
        start = (
            max((index for index, message in enumerate(messages) if isinstance(message, UserMessage)), default=-1) + 1
        )
        found = [(fingerprint, start)]
        client = {tool.name for tool in run_input.tools}
        paths = {
            result.tool_call_id: [picture.path for picture in result.pictures]
            for result in self.request.result_pictures
        }
        for index, result, tool in _results(messages, start):
            if tool in client:  # only the client answers these
                found = []
            pictures = paths.get(result.tool_call_id, ())
            fingerprint = _hash([fingerprint, result.tool_call_id, result.content, result.error, *pictures])
            found.append((fingerprint, index + 1))
        return dict(reversed(found))

    def snapshot_event(self, count: int) -> str | None:
        """Make a MESSAGES_SNAPSHOT of the first messages of the list; None if it has no others."""
        sent = self.request.sent
        if count >= len(sent):
            return None
        return json_text.dumps({"type": "MESSAGES_SNAPSHOT", "messages": list(sent[:count])})

    def end_if_abandoned(self, active: runs.Run) -> bool:
        """Cancel an active AG-UI run without viewers (C40); False if it continues."""
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

    def taken(self, session: sessions.Session | None, user_id: str, _run_key: str) -> Taken:
        """Close the open questions if the client answers none, or none can: clients before 1.0 have no `resume`. Raises
        Problem 409 if it has to answer them.
        """
        return abandoned(session, user_id, may_leave=self.request.protocol_version is None or bool(self.request.resume))

    def continuation(
        self, session: sessions.Session, _: RunInput, question: sessions.StoredMessage | None
    ) -> Continuation:
        """Find where the run continues (C38)."""
        from yarrow.runs.agui.branching import find_continuation, listed_messages

        return find_continuation(session, listed_messages(self.request.messages), question, self.request.branch)

    def interpreted(
        self, props: dict[str, Any], rules: InputRules, session: sessions.Session, continuation: Continuation
    ) -> dict[str, Any]:
        """Interpret forwardedProps by the topics of the conversation that the run continues (C41)."""
        path = path_to(continuation.branches(session), session.message_count)
        answered, latest = session.topic_on(path), session.topic_asked(path)
        asks_again = continuation.is_stored and latest is not None
        return rules.continued(props, Topics(latest or answered, answered, asks_again, are_known=bool(session.topics)))

    def store_pictures(self) -> None:
        self.pictures.store()

    def earlier_messages(self, run: runs.Run) -> Sequence[sessions.StoredMessage]:
        """Return the list up to the run's own messages (C22)."""
        if not self.request.earlier:
            return ()
        from yarrow.runs.earlier_messages import earlier_messages  # here: few conversations began elsewhere

        return earlier_messages(run, self.request.earlier)

    def adopted_items(
        self, run: runs.Run, path: Path, new: Sequence[sessions.StoredMessage], continuation: Continuation
    ) -> list["WriteItem"]:
        """Make the items of calls in the list that no run made (MSG-08)."""
        messages = self.request.messages
        index = self._last_index(continuation.anchor)
        listed = messages if index is None else messages[index + 1 :]
        if not any(isinstance(message, AssistantMessage) and message.tool_calls for message in listed):
            return []
        from yarrow.runs.agui.adopted_calls import adopted_calls, known_calls  # here: few lists have such calls

        places = {message.id: message.seq for message in new}
        known = frozenset[str]() if run.made_session else known_calls(run.thread_id, path)
        found = adopted_calls(listed, places, known, None if index is None else path.last)
        return [
            tool_use.adopt(run.thread_id, calls.after, run.key, calls.tool_use, calls.messages, run.branch)
            for calls in found
        ]

    def _last_index(self, message_id: str | None) -> int | None:
        ids = [message.id for message in self.request.messages]
        return len(ids) - 1 - ids[::-1].index(message_id) if message_id in ids else None


def _results(messages: Sequence[Message], start: int) -> Iterator[tuple[int, ToolMessage, str | None]]:
    """Yield tool results from `start` with their indexes and tools' names."""
    names: dict[str, str] = {}
    for index, message in enumerate(messages):
        if isinstance(message, AssistantMessage):
            names |= {call.id: call.function.name for call in message.tool_calls or ()}
        elif isinstance(message, ToolMessage) and index >= start:
            yield index, message, names.get(message.tool_call_id)


def _hash(parts: Any) -> str:
    return hashlib.sha256(json_text.canonical(parts).encode()).hexdigest()
