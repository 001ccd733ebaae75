"""Sessions, their owners and their messages."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from yarrow.formats import json_text
from yarrow.protocol.problems import Code, Problem
from yarrow.store import clock, table
from yarrow.store.branches import Branch, Path, from_text, path, to_text
from yarrow.store.items.records import JSON, Codec, Form, read_from, stored_always, stored_as
from yarrow.store.items.updates import IS_NEW, Attr, Update

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import TransactWriteItemTypeDef as WriteItem

    from yarrow.protocol.reading_outcome import Outcome


@dataclass(frozen=True, slots=True)
class StoredPicture:
    """A picture of a message: its artifact, and its path in the bucket."""

    artifact_id: str
    path: str
    mime_type: str


class OpenQuestion(NamedTuple):
    """A question of the session's last run that its user has not answered; `step` is the call that asks."""

    id: str
    step: str
    closes_at: str

    @property
    def is_over(self) -> bool:
        return datetime.fromisoformat(self.closes_at) <= datetime.now(UTC)


_PICTURES: Final = Form(
    lambda pictures: [list(astuple(picture)) for picture in pictures],
    lambda stored: tuple(StoredPicture(*picture) for picture in stored),
)
_BRANCHES: Final = Form(to_text, from_text)
_NAMES: Final = Form(JSON.dump, lambda text: tuple(JSON.load(text)))
_OPEN_QUESTIONS: Final = Form(JSON.dump, lambda text: tuple(OpenQuestion(*line) for line in JSON.load(text)))
_TOPICS: Final = Form(JSON.dump, lambda text: tuple((seq, topic) for seq, topic in JSON.load(text)))


@dataclass(frozen=True, slots=True)
class StoredMessage:
    """One message of a session. `seq` counts from 1; `agent_output` is the assistant's structured output, `pictures`
    are the user's.
    """

    id: str
    thread_id: str
    seq: int
    role: str
    content: str
    timestamp: str
    agent_output: dict[str, Any] | None = field(default=None, metadata=stored_as("agent_output", JSON))
    pictures: tuple["StoredPicture", ...] = field(default=(), metadata=stored_as("pictures", _PICTURES))
    event_id: str | None = None
    """The logged event of the message; None for messages stored before there was a log."""
    extras: Mapping[str, Any] = field(default_factory=dict, metadata=stored_as("extras", JSON))
    """Members that a client sent beside its content: `name`, `encryptedValue`, `metadata`."""
    interrupt: Mapping[str, Any] = field(default_factory=dict, metadata=stored_as("interrupt", JSON))
    """The `id` and `kind` of the question that an assistant's message is; empty for others."""
    answers: Mapping[str, Any] = field(default_factory=dict, metadata=stored_as("answers", JSON))
    """The answers to questions that a user's message gives, `status` and `payload` by question."""
    usage: Sequence[Mapping[str, Any]] = field(default=(), metadata=stored_as("usage", JSON))
    """The tokens of the run whose last message it is, by model, as RUN_FINISHED has them."""

    @property
    def digest(self) -> str:
        """A hash: equal for messages with the same id and content, whenever sent."""
        parts = [self.id, self.role, self.content, [picture.path for picture in self.pictures]]
        return hashlib.sha256(json_text.dumps(parts).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Session:
    """A thread of one user with one agent. `thread_id` is spelled as in the run that created the session."""

    thread_id: str
    user_id: str
    agent: str
    created_at: str
    message_count: int
    active_run: str | None
    deleted_at: str | None
    last_question: str | None = None
    """The digest of the user's last message."""
    unanswered: bool = field(default=False, metadata=stored_always())
    """Whether the user's last message has no answer."""
    last_asked: str | None = None
    """The id of the user's last message."""
    last_answer: str | None = field(default=None, metadata=read_from("latest", lambda latest: latest["id"]))
    run_count: int = 0
    """The number of its runs, however they ended, without those of earlier versions."""
    branches: tuple[Branch, ...] = field(default=(), metadata=stored_as("branches", _BRANCHES))
    topics: tuple[tuple[int, dict[str, Any]], ...] = field(default=(), metadata=stored_as("casts", _TOPICS))
    """The topics of its runs, latest last, with the number of messages at that time."""
    outcome: "Outcome | None" = None
    """The outcome that the user recorded; `session_outcomes` has the rest."""
    open_questions: tuple[OpenQuestion, ...] = field(default=(), metadata=stored_as("open_questions", _OPEN_QUESTIONS))

    approved_tools: tuple[str, ...] = field(default=(), metadata=stored_as("approved_tools", _NAMES))
    """Tools whose calls the user has approved for the whole session, latest last (ASK-06)."""

    def topic_on(self, path: Path) -> dict[str, Any] | None:
        """Return the latest topic of a conversation that has an answer."""
        return next((topic for seq, topic in reversed(self.topics) if path.holds(seq) and seq < path.last), None)

    def topic_asked(self, path: Path) -> dict[str, Any] | None:
        return next((topic for seq, topic in reversed(self.topics) if path.holds(seq) and seq == path.last), None)

    @property
    def path(self) -> Path:
        return path(self.branches, self.message_count)

    @property
    def newest(self) -> str | None:
        """The id of the last message; None if unknown."""
        return self.last_asked if self.unanswered else self.last_answer

    @property
    def branch(self) -> int:
        return self.branches[-1].first if self.branches else 1


SESSIONS: Final = Codec(Session)
MESSAGES: Final = Codec(StoredMessage)


def read(thread_id: str) -> Session | None:
    """Read the session of a thread, of any owner, deleted or not; None if it never existed."""
    return SESSIONS.record_if(table.get(table.session_key(thread_id)))


def must_read(thread_id: str) -> Session:
    """Read the session of a run. Raises LookupError if it is missing."""
    session = read(thread_id)
    if session is None:
        raise LookupError(f"there is no session {thread_id}")
    return session


def stored(item: table.Item) -> Session:
    return SESSIONS.record(item)


def check_owner(session: Session, user_id: str) -> None:
    """Raise Problem 403 unless the session, deleted or not, is the user's (SEC-03)."""
    if session.user_id != user_id:
        raise Problem(Code.AGENT_FORBIDDEN, "the thread belongs to another user")


def check_access(session: Session, user_id: str) -> None:
    """Raise Problem unless the session is the user's (403) and not deleted (404)."""
    check_owner(session, user_id)
    if session.deleted_at is not None:
        raise Problem(Code.AGENT_SESSION_NOT_FOUND, "there is no such session")


def read_owned(thread_id: str, user_id: str) -> Session:
    """Read the user's session. Raises Problem: 404 if unknown or deleted, 403 if another user's."""
    return of_user(read(thread_id), user_id)


def of_user(session: Session | None, user_id: str) -> Session:
    """Check a session that was read. Raises Problem as `read_owned` does."""
    if session is None:
        raise Problem(Code.AGENT_SESSION_NOT_FOUND, "there is no such session")
    check_access(session, user_id)
    return session


def messages(thread_id: str, *, newest_first: bool = False) -> Iterator[StoredMessage]:
    """Read a session's messages by seq, ascending or descending, including superseded ones."""
    partition = table.session_partition(thread_id)
    for item in table.query(partition, start="MESSAGE#", before="MESSAGE#~", newest_first=newest_first):
        yield MESSAGES.record(item)


def messages_on(
    path: Path, thread_id: str, limit: int | None = None, *, per_page: int | None = None
) -> Iterator[StoredMessage]:
    """Read the messages of a path, newest first, `per_page` at a time; `limit` applies to each segment."""
    for segment in reversed(path.segments):
        if segment.first <= segment.last:
            start, before = (table.message_key(thread_id, seq) for seq in segment[:2])
            found = table.query(
                start["pk"], start=start["sk"], before=before["sk"], limit=limit, per_page=per_page, newest_first=True
            )
            yield from map(MESSAGES.record, found)


def messages_after(thread_id: str, seq: int, limit: int) -> Iterator[StoredMessage]:
    """Read the first messages after a seq, ascending, including superseded ones."""
    start, before = table.message_key(thread_id, seq + 1), table.message_key(thread_id, seq + limit)
    yield from map(MESSAGES.record, table.query(start["pk"], start=start["sk"], before=before["sk"]))


def timestamp_of(thread_id: str, seq: int) -> str | None:
    """Return when a message was stored; None if there is none. It costs a read of the whole item."""
    key = table.message_key(thread_id, seq)
    found = table.query(key["pk"], start=key["sk"], before=key["sk"], attributes=("timestamp",))
    return next((str(item["timestamp"]) for item in found), None)


def mark_deleted(session: Session) -> Session | None:
    """Mark a session as deleted, remove it from its owner's list and delete its outcome; returns it as it is then.

    A repeated call deletes an outcome that the first one left.
    """
    deleted = Update().set_once(deleted_at=clock.now_iso()).remove("listed_for", "approved_tools")
    changed = table.update_returning(table.session_key(session.thread_id), deleted, Attr("user_id").eq(session.user_id))
    if changed is None:
        return None
    if "outcome" in changed:
        from yarrow.store.feedback import session_outcomes  # here: few functions delete sessions

        session_outcomes.delete(session.user_id, session.thread_id, changed["outcome"])
    return SESSIONS.record(changed)


def add_message(message: StoredMessage) -> "WriteItem":
    return table.put(_item(message), IS_NEW)


def _item(message: StoredMessage) -> table.Item:
    item = {**table.message_key(message.thread_id, message.seq), **MESSAGES.item(message)}
    if message.pictures:
        item["artifacts"] = json_text.dumps(
            [
                {"artifact_id": picture.artifact_id, "artifact_type": "image", "mime_type": picture.mime_type}
                for picture in message.pictures
            ]
        )
    return item
