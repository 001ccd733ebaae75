"""Sessions and their messages: who owns a thread, what was said in it, and which run is active."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from yarrow.formats import json_text
from yarrow.protocol.problems import Code, Problem
from yarrow.settings import settings
from yarrow.store import clients, clock, table
from yarrow.store.branches import Branch, Path, from_text, path, to_text

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import TransactWriteItemTypeDef as WriteItem


CASTS: Final = 5
"""How many casts of a session are kept with it."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a session. `seq` counts from 1; `agent_output` is an assistant's structured output, `pictures` are
    those that came with a user's.
    """

    id: str
    thread_id: str
    seq: int
    role: str
    content: str
    timestamp: str
    agent_output: dict[str, Any] | None = None
    pictures: tuple["Picture", ...] = ()
    event_id: str | None = None
    """The logged event that it came with or answers; None for one that was told before this was stored."""

    @property
    def digest(self) -> str:
        """The same for a message that says the same under the same id, whenever it is sent."""
        said = [self.id, self.role, self.content, [picture.path for picture in self.pictures]]
        return hashlib.sha256(json_text.dumps(said).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of a message: its artifact, and its path in the bucket."""

    artifact_id: str
    path: str
    mime_type: str


@dataclass(frozen=True, slots=True)
class Session:
    """A thread of one user with one agent. `thread_id` keeps the spelling of the run that made the session."""

    thread_id: str
    user_id: str
    agent: str
    created_at: str
    message_count: int
    active_run: str | None
    deleted_at: str | None
    last_question: str | None = None
    """The digest of the user's last message."""
    unanswered: bool = False
    """Whether nothing was said since."""
    last_asked: str | None = None
    """The id of the user's last message."""
    last_answer: str | None = None
    """The id of the assistant's last message."""
    branches: tuple[Branch, ...] = ()
    casts: tuple[tuple[int, dict[str, Any]], ...] = ()
    """What was cast, the latest last, each with the number of messages there were then."""

    def cast_on(self, path: Path) -> dict[str, Any] | None:
        """The latest cast of a conversation that something was said to."""
        return next((cast for seq, cast in reversed(self.casts) if path.holds(seq) and seq < path.last), None)

    def cast_asked(self, path: Path) -> dict[str, Any] | None:
        """The cast that the last message of a conversation asked for."""
        return next((cast for seq, cast in reversed(self.casts) if path.holds(seq) and seq == path.last), None)

    @property
    def path(self) -> Path:
        """The conversation as it stands."""
        return path(self.branches, self.message_count)

    @property
    def newest(self) -> str | None:
        """The id of the last message; None where that is not known."""
        return self.last_asked if self.unanswered else self.last_answer

    @property
    def branch(self) -> int:
        """The branch that goes on."""
        return self.branches[-1].first if self.branches else 1


@dataclass(frozen=True, slots=True)
class Turnoff:
    """Where a run leaves a session's conversation: the branches from then on, and the last messages that it keeps of
    the user and of the assistant; `unanswered` as in Session.
    """

    branches: tuple[Branch, ...]
    asked: Message | None
    answered: Message | None
    unanswered: bool


def read(thread_id: str) -> Session | None:
    """The session of a thread, whoever owns it and deleted or not; None where there never was one."""
    item = table.get(table.session_key(thread_id))
    return None if item is None else stored(item)


def must_read(thread_id: str) -> Session:
    """The session of a run. Raises LookupError when there is none."""
    session = read(thread_id)
    if session is None:
        raise LookupError(f"there is no session {thread_id}")
    return session


def stored(item: table.Item) -> Session:
    """The session that an item holds."""
    return Session(
        thread_id=item["thread_id"],
        user_id=item["user_id"],
        agent=item["agent"],
        created_at=item["created_at"],
        message_count=int(item["message_count"]),
        active_run=item.get("active_run"),
        last_question=item.get("last_question"),
        unanswered=item.get("unanswered", False),
        last_asked=item.get("last_asked"),
        last_answer=item["latest"]["id"] if "latest" in item else None,
        branches=from_text(item.get("branches")),
        casts=tuple((seq, cast) for seq, cast in json_text.loads(item.get("casts", "[]").encode())),
        deleted_at=item.get("deleted_at"),
    )


def check_owner(session: Session, user_id: str) -> None:
    """Raise Problem 403 unless the session, deleted or not, is this user's (SEC-03)."""
    if session.user_id != user_id:
        raise Problem(Code.AGENT_FORBIDDEN, "the thread belongs to another user")


def check_access(session: Session, user_id: str) -> None:
    """Raise Problem unless the session is this user's (403) and not deleted (404)."""
    check_owner(session, user_id)
    if session.deleted_at is not None:
        raise Problem(Code.AGENT_SESSION_NOT_FOUND, "there is no such session")


def owned(thread_id: str, user_id: str) -> Session:
    """The user's session. Raises Problem: 404 when unknown or deleted, 403 when another user's."""
    return of_user(read(thread_id), user_id)


def of_user(session: Session | None, user_id: str) -> Session:
    """A session that was read, if it is the user's. Raises Problem as `owned` does."""
    if session is None:
        raise Problem(Code.AGENT_SESSION_NOT_FOUND, "there is no such session")
    check_access(session, user_id)
    return session


def messages(thread_id: str, *, newest_first: bool = False) -> Iterator[Message]:
    """A session's messages by ascending seq, or by descending; superseded ones, too."""
    partition = table.session_partition(thread_id)
    for item in table.query(partition, start="MESSAGE#", before="MESSAGE#~", newest_first=newest_first):
        yield _message(item)


def messages_on(path: Path, thread_id: str, limit: int | None = None) -> Iterator[Message]:
    """The messages of a path, newest first; given a limit, at most so many of each stretch."""
    for stretch in reversed(path.stretches):
        if stretch.first <= stretch.last:
            start, before = (table.message_key(thread_id, seq) for seq in stretch[:2])
            found = table.query(start["pk"], start=start["sk"], before=before["sk"], limit=limit, newest_first=True)
            yield from map(_message, found)


def latest_messages(user_id: str, limit: int, after_thread: str | None = None) -> tuple[list[Message], bool]:
    """The latest assistant message of each of the user's sessions, last active first, and whether there are more.

    Only sessions that have one are in the index (HIS-02); one row past the limit tells of more (HIS-03). The list goes
    on after the place in it that `after_thread`, a session of the user, has now; raises Problem 422 if it is none.
    """
    start: dict[str, Any] = {}
    if after_thread is not None:
        start = _from_place_of(user_id, after_thread)
    found: list[Message] = []
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
        found += [_message(table.from_wire(item)["latest"]) for item in response["Items"]]
        if len(found) > limit or "LastEvaluatedKey" not in response:
            return found[:limit], len(found) > limit
        start = {"ExclusiveStartKey": response["LastEvaluatedKey"]}


def _from_place_of(user_id: str, thread_id: str) -> dict[str, Any]:
    item = table.get(table.session_key(thread_id))
    if item is None or item["user_id"] != user_id:
        raise Problem(Code.AGENT_HISTORY_QUERY_INVALID, "after_thread is none of your sessions")
    # A session that was deleted meanwhile has still its place, though it is not in the index any more.
    key = {"pk": item["pk"], "sk": item["sk"], "listed_for": user_id, "last_active": item["last_active"]}
    return {"ExclusiveStartKey": table.to_wire(key)}


def mark_deleted(session: Session) -> str | None:
    """Mark a session as deleted, if it is not, and take it off its owner's list; returns the run that is active."""
    changed = table.update_returning(
        table.session_key(session.thread_id),
        "SET deleted_at = if_not_exists(deleted_at, :now) REMOVE listed_for",
        {":now": clock.now_iso(), ":user": session.user_id},
        "user_id = :user",
    )
    return None if changed is None else changed.get("active_run")


def begin_run(
    session: Session | None,
    *,
    thread_id: str,
    user_id: str,
    agent: str,
    run_key: str,
    at: str,
    messages: Sequence[Message],
    turnoff: Turnoff | None = None,
    cast: Mapping[str, Any] | None = None,
) -> "WriteItem":
    """Make the session, or take it for one more run: with these messages more and no other active run."""
    asked = [message for message in messages if message.role == "user"]
    last = asked[-1] if asked else None
    if session is None:
        new = {
            **table.session_key(thread_id),
            "thread_id": thread_id,
            "user_id": user_id,
            "agent": agent,
            "created_at": at,
            "last_active": at,
            "message_count": len(messages),
            "active_run": run_key,
            "last_question": None if last is None else last.digest,
            "last_asked": None if last is None else last.id,
            "unanswered": bool(asked),
            "casts": None if cast is None else json_text.dumps([[len(messages), cast]]),
        }
        return table.put(new, "attribute_not_exists(pk)")
    sets = ["active_run = :run", "message_count = :new", "last_active = :at", "unanswered = :yes"]
    removes: list[str] = []
    unchanged = "user_id = :user AND message_count = :old"
    values: dict[str, Any] = {
        ":run": run_key,
        ":old": session.message_count,
        ":new": session.message_count + len(messages),
        ":yes": bool(asked) or (session.unanswered if turnoff is None else turnoff.unanswered),
        ":at": at,
        ":user": user_id,
    }
    if last is None and turnoff is not None:
        last = turnoff.asked
    if last is not None:
        sets += ["last_question = :asked", "last_asked = :asked_id"]
        values |= {":asked": last.digest, ":asked_id": last.id}
    if session.branches:
        unchanged += " AND branches = :branched"
        values |= {":branched": to_text(session.branches)}
    else:
        unchanged += " AND attribute_not_exists(branches)"
    if turnoff is not None:
        sets += ["branches = :branches"]
        values |= {":branches": to_text(turnoff.branches)}
        if turnoff.answered is None:
            removes += ["listed_for", "latest"]
        else:
            sets += ["listed_for = :user", "latest = :latest"]
            values |= {":latest": _record(turnoff.answered)}
    if cast is not None:
        seq = session.message_count + len(messages)
        if not messages:  # regenerated: it answers a message that is there
            seq = path(session.branches if turnoff is None else turnoff.branches, seq).last
        sets += ["casts = :casts"]
        values |= {":casts": json_text.dumps([*session.casts, (seq, cast)][-CASTS:])}
    return table.update(
        table.session_key(thread_id),
        f"SET {', '.join(sets)}" + (f" REMOVE {', '.join(removes)}" if removes else ""),
        values,
        f"{unchanged} AND attribute_not_exists(active_run) AND attribute_not_exists(deleted_at)",
    )


def release(thread_id: str, run_key: str, *, unless_deleted: bool = False) -> "WriteItem":
    """Let go of the session's active run, leaving the rest as it is; given that, only of one that is not deleted."""
    held = "active_run = :run AND attribute_not_exists(deleted_at)" if unless_deleted else "active_run = :run"
    return table.update(table.session_key(thread_id), "REMOVE active_run", {":run": run_key}, held)


def answer(session: Session, run_key: str, said: Sequence[Message]) -> list["WriteItem"]:
    """Let go of the active run and add what it said, of which the history list shows the last from now on."""
    last = said[-1]
    return [
        table.update(
            table.session_key(session.thread_id),
            "SET message_count = :new, last_active = :at, listed_for = :user, latest = :latest"
            " REMOVE active_run, unanswered",
            {
                ":run": run_key,
                ":old": session.message_count,
                ":new": last.seq,
                ":at": last.timestamp,
                ":user": session.user_id,
                ":latest": _record(last),
            },
            "active_run = :run AND message_count = :old AND attribute_not_exists(deleted_at)",
        ),
        *map(add_message, said),
    ]


def add_message(message: Message) -> "WriteItem":
    """Add a message at its seq, once."""
    key = table.message_key(message.thread_id, message.seq)
    return table.put({**key, **_record(message)}, "attribute_not_exists(pk)")


def _record(message: Message) -> table.Item:
    record = {
        "id": message.id,
        "thread_id": message.thread_id,
        "seq": message.seq,
        "role": message.role,
        "content": message.content,
        "timestamp": message.timestamp,
    }
    if message.agent_output is not None:
        record["agent_output"] = json_text.dumps(message.agent_output)
    if message.event_id is not None:
        record["event_id"] = message.event_id
    if message.pictures:
        record["pictures"] = [[each.artifact_id, each.path, each.mime_type] for each in message.pictures]
        record["artifacts"] = json_text.dumps(
            [
                {"artifact_id": each.artifact_id, "artifact_type": "image", "mime_type": each.mime_type}
                for each in message.pictures
            ]
        )
    return record


def _message(record: table.Item) -> Message:
    output = record.get("agent_output")
    return Message(
        id=record["id"],
        thread_id=record["thread_id"],
        seq=int(record["seq"]),
        role=record["role"],
        content=record["content"],
        timestamp=record["timestamp"],
        agent_output=None if output is None else json_text.loads(output.encode()),
        pictures=tuple(Picture(*picture) for picture in record.get("pictures", ())),
        event_id=record.get("event_id"),
    )
