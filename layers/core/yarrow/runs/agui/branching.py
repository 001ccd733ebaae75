"""Continues a run after the last stored message in the client's list; later ones are superseded (C38). Lists may omit
older messages. One without any stored message creates no branch, unless `metadata.branch` names a run: it continues
after that run, or replaces it if it began the conversation.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.run_input.messages import AssistantMessage, Message, ToolMessage, UserMessage
from yarrow.runs.submission.door import Continuation
from yarrow.store import branches, runs, sessions, tool_use
from yarrow.store.branches import Branch, Path, Segment
from yarrow.store.session_runs import BranchUpdate
from yarrow.store.sessions import Session

DEPTH: Final = 500
"""How many of the latest messages are searched for listed ones."""
_FEW: Final = 20
_NEAR: Final = 50
"""How many messages before a branch are searched for the last of user and assistant."""


@dataclass(frozen=True, slots=True)
class ListedMessage:
    """`has_text` if it is an assistant message with text."""

    id: str
    role: str
    calls: frozenset[str] = frozenset()
    has_text: bool = False


def listed_messages(messages: Iterable[Message]) -> list[ListedMessage]:
    found: list[ListedMessage] = []
    for message in messages:
        match message:
            case UserMessage():
                found.append(ListedMessage(message.id, "user"))
            case AssistantMessage():
                calls = frozenset(call.id for call in message.tool_calls or ())
                found.append(ListedMessage(message.id, "assistant", calls, has_text=bool(message.content)))
            case ToolMessage():
                found.append(ListedMessage(message.id, "tool", frozenset({message.tool_call_id})))
            case _:
                pass
    return found


def find_continuation(
    session: Session, listed: Sequence[ListedMessage], question: sessions.StoredMessage | None, branch: str | None
) -> Continuation:
    """Find where a run continues; `question` is its user message, the last one listed. Reads nothing if the list names
    the newest message. Raises Problem 409 at the branch limit.
    """
    asks_last = question is not None and question.digest == session.last_question
    for index, entry in _backwards(listed):
        if entry.id == session.newest and (question is None or entry.id != question.id or asks_last):
            return Continuation(_is_before(listed, question, index), anchor=entry.id)
    return _BranchSearch(session, listed, question).result(branch)


def _backwards(listed: Sequence[ListedMessage]) -> Iterable[tuple[int, ListedMessage]]:
    return ((index, listed[index]) for index in reversed(range(len(listed))))


def _is_before(listed: Sequence[ListedMessage], question: sessions.StoredMessage | None, index: int) -> bool:
    return question is not None and any(
        entry.id == question.id for entry in listed[: index + 1] if entry.role == "user"
    )


class _BranchSearch:
    def __init__(
        self, session: Session, listed: Sequence[ListedMessage], question: sessions.StoredMessage | None
    ) -> None:
        self._session = session
        self._listed = listed
        self._question = question
        self._seen: list[sessions.StoredMessage] = []
        """Messages newer than the one found, oldest first."""

    def result(self, branch: str | None) -> Continuation:
        found, changed = self._find()
        if found is not None:
            index = max(number for number, entry in enumerate(self._listed) if entry.id == found.id)
            keep = self._last_listed(found.seq, self._listed[index:])
            is_stored = _is_before(self._listed, self._question, index)
            return replace(self._continue_after(keep, is_stored=is_stored), anchor=found.id)
        if changed is not None:
            base = self._branch_of(changed.seq)
            if base is None:
                return Continuation(is_stored=False)
            way = branches.path(self._session.branches, changed.seq - 1, base)
            return self._continue_after(way.last, is_stored=False)
        if branch is not None:
            run = runs.read(runs.key_of(self._session.user_id, self._session.thread_id, branch))
            if run is not None and run.begins:
                return self._continue_after(0, is_stored=False)
            if run is not None and run.message_seq is not None:
                self._seen = [*islice(self._messages_after(run.message_seq), _NEAR)]
                return self._continue_after(self._last_answer_after(run.message_seq, run.branch), is_stored=False)
        return Continuation(is_stored=False)

    def _find(self) -> tuple[sessions.StoredMessage | None, sessions.StoredMessage | None]:
        """Find the newest listed message, else the stored version of an edited question."""
        ids = {entry.id for entry in self._listed}
        changed: sessions.StoredMessage | None = None
        if not ids:
            return None, None
        for message in self._latest():
            if message.id in ids:
                question = self._question
                if question is None or message.id != question.id or message.digest == question.digest:
                    return message, None
                changed = changed or message
            self._seen.insert(0, message)
        return None, changed

    def _latest(self) -> Iterable[sessions.StoredMessage]:
        """Read all branches, newest message first, in two reads: a list of one has a recent or the first message."""
        thread, count = self._session.thread_id, self._session.message_count
        rest = count - _FEW
        if len(self._listed) == 1:
            rest = min(rest, self._session.path.first)
        for last, limit in ((count, _FEW), (rest, DEPTH - _FEW)):
            if last > 0:
                yield from islice(sessions.messages_on(Path((Segment(1, last),)), thread, limit), limit)

    def _last_listed(self, keep: int, following: Sequence[ListedMessage]) -> int:
        """Find the last message that the rest of the list covers: by its calls, or as an answer under another id."""
        calls = frozenset[str]().union(*(entry.calls for entry in following))
        if calls:
            by_id = {message.id: message.seq for message in self._seen}
            for _, use in tool_use.since(
                self._session.thread_id, max(0, keep - 1), _TOOL_USE_BYTES, self._session.path
            ):
                for message_id, made, _ in use.rounds:
                    if message_id in by_id and not calls.isdisjoint(call.id for call in made):
                        keep = max(keep, by_id[message_id])
        own = {message.id for message in self._seen}
        if any(entry.has_text and not entry.calls and entry.id not in own for entry in following[1:]):
            keep = self._last_answer_after(keep, self._branch_of(keep))
        return keep

    def _last_answer_after(self, keep: int, base: int | None) -> int:
        for message in self._seen:
            if message.seq > keep and self._branch_of(message.seq) == base:
                if message.role != "assistant":
                    break
                keep = message.seq
        return keep

    def _messages_after(self, seq: int) -> Iterable[sessions.StoredMessage]:
        path = Path((Segment(seq + 1, min(seq + _NEAR, self._session.message_count)),))
        return sorted(sessions.messages_on(path, self._session.thread_id), key=lambda message: message.seq)

    def _branch_of(self, seq: int) -> int | None:
        return branches.branch_of(self._session.branches, seq)

    def _continue_after(self, keep: int, *, is_stored: bool) -> Continuation:
        """Continue after a message; creates a branch unless it is the last one."""
        session = self._session
        base = self._branch_of(keep) if keep else 1
        if base is None or keep == session.path.last:
            return Continuation(is_stored)
        new = self._new_branch(keep, base)
        kept = branches.added(session.branches, new)
        if kept is None:
            raise Problem(Code.AGENT_BRANCH_LIMIT, "the session has too many branches")
        question, answer = self._last_by_role(branches.path(kept, session.message_count))
        unanswered = question is not None and (answer is None or answer.seq < question.seq)
        return Continuation(is_stored, BranchUpdate(kept, question, answer, unanswered))

    def _new_branch(self, keep: int, base: int) -> Branch:
        session = self._session
        path = session.path if session.path.holds(keep) else branches.path(session.branches, keep, base)
        calls = frozenset[str]().union(*(entry.calls for entry in self._listed))
        first = session.message_count + 1
        for use in reversed(tool_use.at_place(session.thread_id, keep, path) if keep else []):
            if not calls.isdisjoint(use.calls):
                empty = [branch for branch in session.branches if branch.first == first == use.branch]
                return empty[-1] if empty else Branch(first, use.branch, use.after, use.at)
        return Branch(first, base, keep)

    def _last_by_role(self, path: Path) -> tuple[sessions.StoredMessage | None, sessions.StoredMessage | None]:
        near = list(islice(sessions.messages_on(path, self._session.thread_id, _NEAR), _NEAR))
        by_role = [[message for message in near if message.role == role] for role in ("user", "assistant")]
        question, answer = (found[0] if found else None for found in by_role)
        return question, answer


_TOOL_USE_BYTES: Final = 1 << 20
