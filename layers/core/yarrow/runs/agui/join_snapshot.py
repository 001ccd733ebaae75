"""Joins a run as an AG-UI client from a snapshot of earlier conversation and state.

Unlike the history, it is the conversation as clients show it: a repeated question removes what followed it, and runs
with tools are rebuilt from their events.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any, Final

from yarrow.formats import json_text
from yarrow.packages import event_types
from yarrow.protocol.agui import snapshot
from yarrow.protocol.agui.events import Profile
from yarrow.protocol.events.lines import is_terminal
from yarrow.protocol.run_input.body import RunInput, parse_run_input
from yarrow.runs.agui.join_cursor import JoinedStream
from yarrow.runs.stream_events import Subscription
from yarrow.store import clock, journal, runs, sessions, tool_use
from yarrow.store.branches import Path
from yarrow.store.branches import path as path_to

MAX_MESSAGES: Final = 500
MAX_BYTES: Final = 2 * 1024 * 1024
"""The most bytes of the conversation before the run."""

MAX_RUNS: Final = 30
"""The most earlier runs with tool calls; each costs a read."""

_KEPT: Final = timedelta(days=journal.EVENT_DAYS - 1)
"""How long a run's events are certain to exist: they expire one by one."""


def join_from_snapshot(subscription: Subscription, version: str | None = None) -> JoinedStream:
    """Join from a snapshot, ignoring the cursor (EVT-14); `version` is the client's `protocolVersion`."""
    run = runs.must_read(subscription.run_key)
    profile = Profile(run.ids, event_types.find, protocol_version=version)
    at, stored = journal.Position(), list[str]()
    for batch in journal.read(run.key, at):
        stored += batch.lines
        at = batch.end
    opening = snapshot.opening(profile, earlier_messages(run), stored)
    ended = is_terminal(stored[-1])
    last = at.last if ended else subscription.last
    joined = replace(subscription, after=at.last, at=at, last=last, first_event=None)
    return JoinedStream(joined, profile, tuple(opening))


def earlier_messages(run: runs.Run) -> Iterable[dict[str, Any]]:
    """Build the conversation up to and including the run's input."""
    run_input = parse_run_input(runs.read_input(run.key))
    question = run_input.user_message
    path = _path(run)
    messages, room = _messages_before(run, path, None if question is None else question.id)
    runs_with_tools = _runs_with_tools(run, path, messages, room)
    conversation = _ClientMessages()
    for message in messages:
        conversation.add(message)
        for earlier_input, output in runs_with_tools.get(message.seq, ()):
            if earlier_input is None:
                conversation.add_adopted(output)
            else:
                conversation.add_run(earlier_input, output)
    conversation.add_run(run_input, ())
    return conversation.messages()


def _messages_before(
    run: runs.Run, path: Path | None, question: str | None
) -> tuple[Sequence[sessions.StoredMessage], int]:
    """Read the latest messages before the run's question (or its submission), oldest first, and the bytes left."""
    kept: list[sessions.StoredMessage] = []
    room, reached = MAX_BYTES, False
    for message in _stored_messages(run, path):
        if not reached:  # newer ones belong to this run or later ones, even under the same id
            is_own = (message.id, message.role) == (question, "user")
            reached = message.timestamp <= run.created_at and (is_own or question is None)
            if is_own or not reached:
                continue
        size = len(message.content.encode())
        if size > room or len(kept) == MAX_MESSAGES:
            break
        room -= size
        kept.append(message)
    return kept[::-1], room


_ToolRun = tuple[RunInput | None, Sequence[dict[str, Any]]]
"""A run's input and the messages it emitted; without input, messages with calls that no run made."""


def _stored_messages(run: runs.Run, path: Path | None) -> Iterable[sessions.StoredMessage]:
    """Read the messages of the run's branch at its start, newest first."""
    return (
        sessions.messages(run.thread_id, newest_first=True)
        if path is None
        else sessions.messages_on(path, run.thread_id)
    )


def _path(run: runs.Run) -> Path | None:
    """Return the path at the run's start; None for runs of earlier versions and deleted branches."""
    if run.message_seq is None:
        return None
    branches = sessions.must_read(run.thread_id).branches
    is_known = run.branch == 1 or any(branch.first == run.branch for branch in branches)
    return path_to(branches, run.message_seq, run.branch) if is_known else None


def _runs_with_tools(
    run: runs.Run, path: Path | None, messages: Sequence[sessions.StoredMessage], room: int
) -> dict[int, list[_ToolRun]]:
    """Read earlier runs with tools, by the seq of the last message before their first text."""
    found: dict[int, list[_ToolRun]] = {}
    if not messages:
        return found
    for ended in tool_use.runs_after(run.thread_id, messages[0].seq, messages[-1].seq, MAX_RUNS, path):
        body, output = None, ended.adopted
        if output is None:
            if clock.since(ended.at) > _KEPT:
                break
            body, batches = runs.read_work(ended.run_key)
            output = snapshot.messages_of(line for batch in batches for line in batch.lines)
        room -= len(json_text.dumps([body and body["messages"], output]).encode())
        if room < 0:
            break
        run_input = None if body is None else parse_run_input(body)
        found.setdefault(ended.after, []).insert(0, (run_input, output))
    return found


class _ClientMessages:
    def __init__(self) -> None:
        self._by_id: dict[str, dict[str, Any]] = {}
        self._taken: set[str] = set()
        """The ids of messages that the user has added to runs, which are among their output."""

    def messages(self) -> Iterable[dict[str, Any]]:
        return self._by_id.values()

    def add(self, message: sessions.StoredMessage) -> None:
        """Add a message, unless its run was added with it."""
        if message.role == "user" and message.id not in self._taken:
            self._rewind_to(message.id)
        members = {"id": message.id, "role": message.role, "content": message.content, **message.extras}
        self._by_id.setdefault(message.id, {**members, **snapshot.metadata_of(message.agent_output)})

    def add_run(self, run_input: RunInput, output: Iterable[dict[str, Any]]) -> None:
        """Add a run's messages, replacing what followed its question."""
        sent = [message.wire() for message in run_input.messages]
        if run_input.user_message is not None:
            sent[0]["content"] = run_input.text  # clients cannot open the paths of its pictures
            self._rewind_to(run_input.user_message.id)
        output = list(output)
        self._taken.update(message["id"] for message in output if message["role"] == "user")
        for message in (*(result.wire() for result in run_input.results_before), *sent, *output):
            self._by_id.pop(message["id"], None)
            self._by_id[message["id"]] = message

    def add_adopted(self, messages: Iterable[dict[str, Any]]) -> None:
        """Add messages with calls; an assistant message that is there gets its calls."""
        for message in messages:
            self._by_id[message["id"]] = {**self._by_id.get(message["id"], {}), **message}

    def _rewind_to(self, question: str) -> None:
        if question in self._by_id:
            names = list(self._by_id)
            for name in names[names.index(question) :]:
                del self._by_id[name]
