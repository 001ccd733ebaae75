"""The list of a user's sessions by their latest answers, in an index of the table."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from yarrow.protocol.problems import Code, Problem
from yarrow.settings import settings
from yarrow.store import clients, sessions, table

if TYPE_CHECKING:
    from yarrow.protocol.reading_outcome import Outcome

_LATEST_CHATS: Final = 100
_BATCH: Final = 25


@dataclass(frozen=True, slots=True)
class LatestAnswer:
    """The latest answer of a session, the session's agent, and its outcome, if the user recorded one."""

    thread_id: str
    seq: int
    agent: str
    outcome: "Outcome | None" = None


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
        found += [
            LatestAnswer(item["thread_id"], int(item["latest"]["seq"]), item["agent"], item.get("outcome"))
            for item in items
        ]
        if len(found) > limit or "LastEvaluatedKey" not in response:
            return found[:limit], len(found) > limit
        start = {"ExclusiveStartKey": response["LastEvaluatedKey"]}


def messages_of(answers: Sequence[LatestAnswer]) -> Iterator[sessions.StoredMessage]:
    """Read the answers' messages in order, in batches: taking only the first ones does not cost all."""
    for start in range(0, len(answers), _BATCH):
        batch = answers[start : start + _BATCH]
        items = table.get_all(*(table.message_key(latest.thread_id, latest.seq) for latest in batch))
        yield from (sessions.MESSAGES.record(item) for item in items if item is not None)


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
