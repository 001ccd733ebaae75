"""Questions of runs to their users (ASK-01): open until they are answered, cancelled or closed, or have expired.

An open question is one item in its user's partition and a line of its session, and holds nothing else. Whoever closes
it deletes that item on condition that it is there, in the transaction that takes the answer: the first answer wins.
What is left says how it ended, until it expires. One that has lapsed, which its timer stores, takes no answer any more,
whatever the clock of who would take it says.
"""

import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from yarrow.protocol.interrupts import InterruptItem, interrupt
from yarrow.protocol.runner.vocabulary import AnswerStatus, OnExpiry, QuestionKind
from yarrow.store import clock, table
from yarrow.store.items.records import JSON, Codec, read_from, stored_as
from yarrow.store.items.updates import EXISTS, Attr, Update
from yarrow.store.sessions import OpenQuestion, Session

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import TransactWriteItemTypeDef as WriteItem

KEPT_DAYS: Final = 30
"""How long a question is kept after its expiry, or after its end."""

LOG_DAYS: Final = 28
"""No question is open longer than this after the first run of its log began: steps and events expire after 30 days."""


def _id_in(sort_key: str) -> str:
    return sort_key.partition("#")[2]


_OPEN: Final = "OPEN#"
_CLOSED: Final = "CLOSED#"


@dataclass(frozen=True, slots=True)
class Question:
    """A question of the run `run_key`. `step_id` is the call that asked; `closes_at` is when it expires.

    `labels` are those of the choices; `details` are for clients.
    """

    id: str = field(metadata=read_from("sk", _id_in))
    thread_id: str
    run_key: str
    run_id: str
    agent: str
    step_id: str
    action: str = field(metadata=stored_as("runner_action"))
    step_number: int
    asked_at: str
    kind: QuestionKind = field(metadata=stored_as("question_kind"))
    message: str
    schema: Mapping[str, Any] = field(metadata=stored_as("response_schema", JSON))
    closes_at: str
    created_at: str
    labels: Mapping[str, str] = field(default_factory=dict, metadata=stored_as("labels", JSON))
    details: Mapping[str, Any] = field(default_factory=dict, metadata=stored_as("details", JSON))
    tool_call_id: str | None = None
    step_name: str | None = field(default=None, metadata=stored_as("resource_name"))
    ended: AnswerStatus | None = field(default=None, metadata=stored_as("answer_status"))
    """How it ended; None while it is open."""
    ended_at: str | None = field(default=None, metadata=stored_as("closed_at"))
    answer_digest: str | None = None
    answered_in: str | None = None
    """The key of the run that took the answer."""
    on_expiry: OnExpiry = "stop"
    lapsed: bool = False
    """Whether its timer has found it open at its time."""
    job: str | None = field(default=None, metadata=stored_as("job_id"))
    """The id of the automation job whose run asks, if any."""
    opened_by: str | None = None
    """The id of the run that asked it first, if `run_id` asked it again."""

    @property
    def is_over(self) -> bool:
        return self.lapsed or datetime.fromisoformat(self.closes_at) <= datetime.now(UTC)

    @property
    def line(self) -> OpenQuestion:
        return OpenQuestion(self.id, self.step_id, self.closes_at)

    def interrupt(self) -> dict[str, Any]:
        return interrupt(
            self.id,
            kind=self.kind,
            message=self.message,
            schema=self.schema,
            expires_at=self.closes_at,
            metadata=self.details,
            tool_call_id=self.tool_call_id,
        )

    def item(self) -> InterruptItem:
        return InterruptItem(
            id=self.id,
            thread_id=self.thread_id,
            run_id=self.run_id,
            agent=self.agent,
            message=self.message,
            kind=self.kind,
            response_schema=dict(self.schema),
            metadata=dict(self.details) or None,
            tool_call_id=self.tool_call_id,
            expires_at=self.closes_at,
            created_at=self.created_at,
        )


_QUESTIONS: Final = Codec(Question)
_LAPSED: Final = Update().set(lapsed=True)


def partition(user_id: str) -> str:
    return f"QUESTIONS#{user_id}"


def id_of(key: table.Item) -> str:
    """Return the id of the question with this key."""
    return _id_in(key["sk"])


def user_of(partition_key: str) -> str:
    return partition_key.removeprefix("QUESTIONS#")


def stored(item: table.Item) -> Question:
    return _QUESTIONS.record(item)


def new_id() -> str:
    """Return an id; later ones sort later."""
    return f"{clock.now_ms():012x}{secrets.token_hex(10)}"


def created_at(question_id: str) -> str:
    return clock.iso(datetime.fromtimestamp(int(question_id[:12], 16) / 1000, UTC))


def closing_time(seconds: int, log_began_at: str) -> str:
    """Return when a question that is asked now expires."""
    latest = datetime.fromisoformat(log_began_at) + timedelta(days=LOG_DAYS)
    return clock.iso(min(clock.now() + timedelta(seconds=seconds), latest))


def read(user_id: str, ids: Sequence[str]) -> list[Question | None]:
    """Read questions of the user by id, open or closed."""
    keys = [_key(user_id, prefix, question_id) for question_id in ids for prefix in (_OPEN, _CLOSED)]
    items = table.get_all(*keys) if keys else []
    found = [opened or closed for opened, closed in zip(items[::2], items[1::2], strict=True)]
    # Reads of a batch are not at one instant: one that is closed meanwhile may be in neither place, but stays closed.
    if missing := [index for index, item in enumerate(found) if item is None]:
        closed_since = table.get_all(*(_key(user_id, _CLOSED, ids[index]) for index in missing))
        for index, item in zip(missing, closed_since, strict=True):
            found[index] = item
    return [_QUESTIONS.record_if(item) for item in found]


def open_of(user_id: str, limit: int, before: str | None = None) -> Iterator[Question]:
    """Read the user's open questions, newest first, `limit` at a time; only those older than the one named."""
    end = f"{_OPEN}~" if before is None else f"{_OPEN}{before}"
    for item in table.query(
        partition(user_id), start=_OPEN, before=end, per_page=limit, newest_first=True, consistent=False
    ):
        question = _QUESTIONS.record(item)
        if question.id != before and not question.is_over:
            yield question


def count_open(user_id: str, limit: int) -> int:
    """Count the user's open questions, up to `limit`."""
    return sum(1 for _ in islice(open_of(user_id, limit), limit))


def as_opened(user_id: str, questions: Sequence[Question]) -> list[Question]:
    """Return questions that a run asks with what is stored of those that an earlier one asked too."""
    known = read(user_id, [question.id for question in questions])
    return [
        question if before is None else _asked_again(question, before)
        for question, before in zip(questions, known, strict=True)
    ]


def _asked_again(question: Question, before: Question) -> Question:
    first = before.opened_by or before.run_id
    return replace(question, lapsed=before.lapsed, opened_by=None if first == question.run_id else first)


def ask(user_id: str, question: Question) -> "WriteItem":
    return table.put({**_key(user_id, _OPEN, question.id), **_item(question)})


def close(
    user_id: str, question: Question, status: AnswerStatus, digest: str | None = None, answered_in: str | None = None
) -> list["WriteItem"]:
    """Make the items that close an open question, on condition that it is open; for an answer, not lapsed either."""
    ended = replace(
        question, ended=status, ended_at=clock.now_iso(), answer_digest=digest, answered_in=answered_in, schema={}
    )
    is_open = EXISTS if digest is None or status == "expired" else EXISTS & Attr("lapsed").not_exists()
    gone = table.delete(_key(user_id, _OPEN, question.id), is_open)
    return [gone, table.put({**_key(user_id, _CLOSED, question.id), **_item(ended)})]


def lapse(user_id: str, question_id: str) -> None:
    """Store that an open question has expired; nothing if it is closed."""
    table.update_returning(_key(user_id, _OPEN, question_id), _LAPSED, EXISTS)


def pass_on(user_id: str, question: Question, run_key: str) -> "WriteItem":
    """Make the item by which another run has an answer that was taken before."""
    passed_on = replace(question, answered_in=run_key)
    is_as_read = Attr("answered_in").eq(question.answered_in)
    return table.put({**_key(user_id, _CLOSED, question.id), **_item(passed_on)}, is_as_read)


def abandon(user_id: str, ids: Sequence[str]) -> list["WriteItem"]:
    """Make the items that close questions which nobody will answer any more."""
    items: list[WriteItem] = []
    for question in read(user_id, ids):
        if question is not None and question.ended is None:
            items += close(user_id, question, "expired" if question.is_over else "cancelled")
    return items


def close_of(session: Session) -> None:
    """Close the open questions of a deleted session; those that are closed meanwhile are left as they are."""
    for line in session.open_questions:
        if items := abandon(session.user_id, [line.id]):
            with suppress(table.ConditionFailedError):
                table.transact(*items)


def _item(question: Question) -> table.Item:
    kept_until = clock.epoch_in(KEPT_DAYS)
    if question.ended is None:
        kept_until = int(datetime.fromisoformat(question.closes_at).timestamp()) + KEPT_DAYS * 86_400
    return {**_QUESTIONS.item(question), "expires_at": kept_until}


def _key(user_id: str, prefix: str, question_id: str) -> table.Item:
    return {"pk": partition(user_id), "sk": f"{prefix}{question_id}"}
