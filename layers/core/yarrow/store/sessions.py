"""Sessions and their messages: owner, messages and the active run."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from yarrow.formats import json_text
from yarrow.protocol.problems import Code, Problem
from yarrow.settings import settings
from yarrow.store import clients, clock, table
from yarrow.store.branches import Branch, Path, from_text, path, to_text
from yarrow.store.items.records import JSON, Codec, Form, read_from, stored_always, stored_as
from yarrow.store.items.updates import IS_NEW, Attr, Condition, Update

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import TransactWriteItemTypeDef as WriteItem

    from yarrow.protocol.reading_outcome import Outcome

_LATEST_CHATS: Final = 100
_BATCH: Final = 25

APPROVED_TOOLS: Final = 100

TOPICS: Final = 5
"""Topics stored with a session, in the attribute `casts`, named after the first kind of topic."""


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


_SESSIONS: Final = Codec(Session)
_MESSAGES: Final = Codec(StoredMessage)


@dataclass(frozen=True, slots=True)
class LatestAnswer:
    """The latest answer of a session, and the session's outcome, if the user recorded one."""

    thread_id: str
    seq: int
    outcome: "Outcome | None" = None


@dataclass(frozen=True, slots=True)
class BranchUpdate:
    """The branch change of a run: the branches after it, and the last messages of user and assistant that stay;
    `unanswered` is as in Session.
    """

    branches: tuple[Branch, ...]
    asked: StoredMessage | None
    answered: StoredMessage | None
    unanswered: bool


@dataclass(frozen=True, slots=True)
class RunStart:
    """What a starting run changes in its session: its messages, branch and topic.

    `job` is for a session that the run creates.
    """

    run_key: str
    thread_id: str
    user_id: str
    agent: str
    at: str
    messages: Sequence[StoredMessage]
    branch_update: BranchUpdate | None = None
    topic: Mapping[str, Any] | None = None
    workspace: str | None = None
    job: str | None = None
    open_questions: Sequence[OpenQuestion] = ()
    """Those that stay open while it runs."""
    approved_tools: Sequence[str] = ()
    """Those that its user approves for the session from now on."""

    @property
    def asked(self) -> StoredMessage | None:
        return next((message for message in reversed(self.messages) if message.role == "user"), None)


def read(thread_id: str) -> Session | None:
    """Read the session of a thread, of any owner, deleted or not; None if it never existed."""
    return _SESSIONS.record_if(table.get(table.session_key(thread_id)))


def must_read(thread_id: str) -> Session:
    """Read the session of a run. Raises LookupError if it is missing."""
    session = read(thread_id)
    if session is None:
        raise LookupError(f"there is no session {thread_id}")
    return session


def stored(item: table.Item) -> Session:
    return _SESSIONS.record(item)


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
        yield _MESSAGES.record(item)


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
            yield from map(_MESSAGES.record, found)


def messages_after(thread_id: str, seq: int, limit: int) -> Iterator[StoredMessage]:
    """Read the first messages after a seq, ascending, including superseded ones."""
    start, before = table.message_key(thread_id, seq + 1), table.message_key(thread_id, seq + limit)
    yield from map(_MESSAGES.record, table.query(start["pk"], start=start["sk"], before=before["sk"]))


def timestamp_of(thread_id: str, seq: int) -> str | None:
    """Return when a message was stored; None if there is none. It costs a read of the whole item."""
    key = table.message_key(thread_id, seq)
    found = table.query(key["pk"], start=key["sk"], before=key["sk"], attributes=("timestamp",))
    return next((str(item["timestamp"]) for item in found), None)


def latest_answers(user_id: str, limit: int, after_thread: str | None = None) -> tuple[list[LatestAnswer], bool]:
    """Find the latest answer of each of the user's sessions, last active first, and whether there are more.

    Only sessions with an answer are in the index (HIS-02); one row beyond the limit shows whether there are more
    (HIS-03). `after_thread` is looked up for its current position; raises Problem 422 unless it is the user's session.
    """
    start: dict[str, Any] = {}
    if after_thread is not None:
        start = _from_place_of(user_id, after_thread)
    found: list[LatestAnswer] = []
    while True:
        response = clients.dynamodb().query(
            TableName=settings.table_name,
            IndexName=table.SESSIONS_BY_ACTIVITY,
            KeyConditionExpression="listed_for = :user",
            ExpressionAttributeValues=table.to_wire({":user": user_id}),
            ScanIndexForward=False,
            Limit=limit + 1 - len(found),
            **start,
        )
        items = map(table.from_wire, response["Items"])
        found += [LatestAnswer(item["thread_id"], int(item["latest"]["seq"]), item.get("outcome")) for item in items]
        if len(found) > limit or "LastEvaluatedKey" not in response:
            return found[:limit], len(found) > limit
        start = {"ExclusiveStartKey": response["LastEvaluatedKey"]}


def messages_of(answers: Sequence[LatestAnswer]) -> Iterator[StoredMessage]:
    """Read the answers' messages in order, in batches: taking only the first ones does not cost all."""
    for start in range(0, len(answers), _BATCH):
        batch = answers[start : start + _BATCH]
        items = table.get_all(*(table.message_key(latest.thread_id, latest.seq) for latest in batch))
        yield from (_MESSAGES.record(item) for item in items if item is not None)


def latest_chat(user_id: str) -> str | None:
    """Find the user's session that was answered last, without jobs' sessions, up to _LATEST_CHATS sessions back."""
    response = clients.dynamodb().query(
        TableName=settings.table_name,
        IndexName=table.SESSIONS_BY_ACTIVITY,
        KeyConditionExpression="listed_for = :user",
        ExpressionAttributeValues=table.to_wire({":user": user_id}),
        ScanIndexForward=False,
        Limit=_LATEST_CHATS,
    )
    items = map(table.from_wire, response["Items"])
    return next((str(item["thread_id"]) for item in items if "job_id" not in item), None)


def _from_place_of(user_id: str, thread_id: str) -> dict[str, Any]:
    item = table.get(table.session_key(thread_id))
    if item is None or item["user_id"] != user_id:
        raise Problem(Code.AGENT_HISTORY_QUERY_INVALID, "after_thread is not one of your sessions")
    # A session that was deleted meanwhile still has its position, though it has left the index.
    key = {"pk": item["pk"], "sk": item["sk"], "listed_for": user_id, "last_active": item["last_active"]}
    return {"ExclusiveStartKey": table.to_wire(key)}


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
    return _SESSIONS.record(changed)


def begin_run(session: Session | None, start: RunStart) -> "WriteItem":
    """Make the transaction item that creates a session, or adds a run to one.

    That one must have no active run, not be deleted, and have the messages and branches that were read.
    """
    return _created(start) if session is None else _continued(session, start)


def _created(start: RunStart) -> "WriteItem":
    question, count = start.asked, len(start.messages)
    new = Session(
        thread_id=start.thread_id,
        user_id=start.user_id,
        agent=start.agent,
        created_at=start.at,
        message_count=count,
        active_run=start.run_key,
        deleted_at=None,
        last_question=None if question is None else question.digest,
        unanswered=question is not None,
        last_asked=None if question is None else question.id,
        run_count=1,
        topics=() if start.topic is None else ((count, dict(start.topic)),),
    )
    more = {"last_active": start.at, "workspace": start.workspace, "job_id": start.job}
    return table.put({**table.session_key(new.thread_id), **_SESSIONS.item(new), **more}, IS_NEW)


def _continued(session: Session, start: RunStart) -> "WriteItem":
    back, question = start.branch_update, start.asked
    branches = session.branches if back is None else back.branches
    is_unanswered = session.unanswered if back is None else back.unanswered
    count = session.message_count + len(start.messages)
    changes = Update().set(
        active_run=start.run_key,
        message_count=count,
        run_count=session.run_count + 1,
        last_active=start.at,
        unanswered=question is not None or is_unanswered,
    )
    if start.workspace is not None:
        changes = changes.set(workspace=start.workspace)
    if session.open_questions:
        changes += _asking(start.open_questions)
    if start.approved_tools:
        earlier = [tool for tool in session.approved_tools if tool not in start.approved_tools]
        approved = [*earlier, *start.approved_tools][-APPROVED_TOOLS:]
        changes = changes.set(approved_tools=json_text.dumps(approved))
    last = back.asked if question is None and back is not None else question
    if last is not None:
        changes = changes.set(last_question=last.digest, last_asked=last.id)
    if back is not None:
        changes += _back_to(back, start.user_id)
    if start.topic is not None:
        # Regenerated, without a message of its own, it answers one that is there.
        seq = count if start.messages else path(branches, count).last
        changes = changes.set(casts=json_text.dumps([*session.topics, (seq, start.topic)][-TOPICS:]))
    return table.update(
        table.session_key(start.thread_id), changes, Attr("user_id").eq(start.user_id) & _is_unchanged(session)
    )


def _back_to(back: BranchUpdate, user_id: str) -> Update:
    """Change the branch; a session without an answer leaves the list."""
    changes = Update().set(branches=to_text(back.branches))
    if back.answered is None:
        return changes.remove("listed_for", "latest")
    return changes.set(listed_for=user_id, latest=_reference(back.answered))


def _is_unchanged(session: Session) -> Condition:
    """The session has no run, message or branch that was not read; even a run that ended without messages (FUP-07)."""
    return (
        Attr("message_count").eq(session.message_count)
        & Attr("run_count").eq(session.run_count or None)
        & Attr("branches").eq(to_text(session.branches) if session.branches else None)
        & Attr("open_questions").eq(json_text.dumps(session.open_questions) if session.open_questions else None)
        & Attr("active_run").not_exists()
        & Attr("deleted_at").not_exists()
    )


def _asking(questions: Sequence[OpenQuestion]) -> Update:
    if not questions:
        return Update().remove("open_questions")
    return Update().set(open_questions=json_text.dumps(questions))


def release(
    thread_id: str, run_key: str, *, unless_deleted: bool = False, questions: Sequence[OpenQuestion] = ()
) -> "WriteItem":
    """Release the session's active run, which leaves these `questions` open; with `unless_deleted` only if the session
    is not deleted.
    """
    held = Attr("active_run").eq(run_key)
    if unless_deleted:
        held &= Attr("deleted_at").not_exists()
    return table.update(table.session_key(thread_id), _asking(questions).remove("active_run"), held)


def answer(
    session: Session, run_key: str, messages: Sequence[StoredMessage], questions: Sequence[OpenQuestion] = ()
) -> list["WriteItem"]:
    """Release the active run and add its answer, whose last message the history list shows; `questions` stay open."""
    last = messages[-1]
    answered = _asking(questions).set(
        message_count=last.seq, last_active=last.timestamp, listed_for=session.user_id, latest=_reference(last)
    )
    is_held = (
        Attr("active_run").eq(run_key)
        & Attr("message_count").eq(session.message_count)
        & Attr("deleted_at").not_exists()
    )
    key = table.session_key(session.thread_id)
    return [table.update(key, answered.remove("active_run", "unanswered"), is_held), *map(add_message, messages)]


def add_message(message: StoredMessage) -> "WriteItem":
    return table.put(_item(message), IS_NEW)


def _reference(message: StoredMessage) -> table.Item:
    """Return what a session stores of its latest answer: its size is paid at every write, and again in the index."""
    return {"id": message.id, "seq": message.seq}


def _item(message: StoredMessage) -> table.Item:
    item = {**table.message_key(message.thread_id, message.seq), **_MESSAGES.item(message)}
    if message.pictures:
        item["artifacts"] = json_text.dumps(
            [
                {"artifact_id": picture.artifact_id, "artifact_type": "image", "mime_type": picture.mime_type}
                for picture in message.pictures
            ]
        )
    return item
