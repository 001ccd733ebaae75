"""What runs change in their sessions: a run begins, answers, or leaves without an answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from yarrow.formats import json_text
from yarrow.store import clock, sessions, table
from yarrow.store.branches import Branch, path, to_text
from yarrow.store.items.updates import IS_NEW, Attr, Condition, Update

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import TransactWriteItemTypeDef as WriteItem

APPROVED_TOOLS: Final = 100

TOPICS: Final = 5
"""Topics stored with a session, in the attribute `casts`, named after the first kind of topic."""


@dataclass(frozen=True, slots=True)
class BranchUpdate:
    """The branch change of a run: the branches after it, and the last messages of user and assistant that stay;
    `unanswered` is as in Session.
    """

    branches: tuple[Branch, ...]
    asked: sessions.StoredMessage | None
    answered: sessions.StoredMessage | None
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
    messages: Sequence[sessions.StoredMessage]
    branch_update: BranchUpdate | None = None
    topic: Mapping[str, Any] | None = None
    workspace: str | None = None
    job: str | None = None
    open_questions: Sequence[sessions.OpenQuestion] = ()
    """Those that stay open while it runs."""
    approved_tools: Sequence[str] = ()
    """Those that its user approves for the session from now on."""

    @property
    def question(self) -> sessions.StoredMessage | None:
        return next((message for message in reversed(self.messages) if message.role == "user"), None)


def begin_run(session: sessions.Session | None, start: RunStart) -> "WriteItem":
    """Make the transaction item that creates a session, or adds a run to one.

    That one must have no active run, not be deleted, and have the messages and branches that were read.
    """
    return _created(start) if session is None else _continued(session, start)


def _created(start: RunStart) -> "WriteItem":
    question, count = start.question, len(start.messages)
    new = sessions.Session(
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
    return table.put({**table.session_key(new.thread_id), **sessions.SESSIONS.item(new), **more}, IS_NEW)


def _continued(session: sessions.Session, start: RunStart) -> "WriteItem":
    branch_update, question = start.branch_update, start.question
    branches = session.branches if branch_update is None else branch_update.branches
    is_unanswered = session.unanswered if branch_update is None else branch_update.unanswered
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
        changes += _open_questions(start.open_questions)
    if start.approved_tools:
        earlier = [tool for tool in session.approved_tools if tool not in start.approved_tools]
        approved = [*earlier, *start.approved_tools][-APPROVED_TOOLS:]
        changes = changes.set(approved_tools=json_text.dumps(approved))
    last = branch_update.asked if question is None and branch_update is not None else question
    if last is not None:
        changes = changes.set(last_question=last.digest, last_asked=last.id)
    if branch_update is not None:
        changes += _branch_change(branch_update, start.user_id)
    if start.topic is not None:
        # Regenerated, without a message of its own, it answers one that is there.
        seq = count if start.messages else path(branches, count).last
        changes = changes.set(casts=json_text.dumps([*session.topics, (seq, start.topic)][-TOPICS:]))
    return table.update(
        table.session_key(start.thread_id), changes, Attr("user_id").eq(start.user_id) & _is_unchanged(session)
    )


def _branch_change(branch_update: BranchUpdate, user_id: str) -> Update:
    """Change the branch; a session without an answer leaves the list."""
    changes = Update().set(branches=to_text(branch_update.branches))
    if branch_update.answered is None:
        return changes.remove("listed_for", "latest")
    return changes.set(listed_for=user_id, latest=_reference(branch_update.answered))


def _is_unchanged(session: sessions.Session) -> Condition:
    """The session has no run, message or branch that was not read; even a run that ended without messages (FUP-07)."""
    return (
        Attr("message_count").eq(session.message_count)
        & Attr("run_count").eq(session.run_count or None)
        & Attr("branches").eq(to_text(session.branches) if session.branches else None)
        & Attr("open_questions").eq(json_text.dumps(session.open_questions) if session.open_questions else None)
        & Attr("active_run").not_exists()
        & Attr("deleted_at").not_exists()
    )


def _open_questions(questions: Sequence[sessions.OpenQuestion]) -> Update:
    if not questions:
        return Update().remove("open_questions")
    return Update().set(open_questions=json_text.dumps(questions))


def release(
    thread_id: str, run_key: str, *, unless_deleted: bool = False, questions: Sequence[sessions.OpenQuestion] = ()
) -> "WriteItem":
    """Release the session's active run, which leaves these `questions` open; with `unless_deleted` only if the session
    is not deleted.
    """
    held = Attr("active_run").eq(run_key)
    if unless_deleted:
        held &= Attr("deleted_at").not_exists()
    return table.update(table.session_key(thread_id), _open_questions(questions).remove("active_run"), held)


def answer(
    session: sessions.Session,
    run_key: str,
    messages: Sequence[sessions.StoredMessage],
    questions: Sequence[sessions.OpenQuestion] = (),
) -> list["WriteItem"]:
    """Release the active run and add its messages, whose last one of the assistant the history list shows; `questions`
    stay open. A message that the user has added to the run is unanswered if no other follows it.
    """
    last = messages[-1]
    answered = next((message for message in reversed(messages) if message.role == "assistant"), None)
    changes = _open_questions(questions).set(message_count=last.seq, last_active=clock.now_iso())
    if answered is not None:
        changes = changes.set(listed_for=session.user_id, latest=_reference(answered))
    if last.role == "user":
        changes = changes.set(unanswered=True, last_question=last.digest, last_asked=last.id).remove("active_run")
    else:
        changes = changes.remove("active_run", "unanswered")
    is_held = (
        Attr("active_run").eq(run_key)
        & Attr("message_count").eq(session.message_count)
        & Attr("deleted_at").not_exists()
    )
    key = table.session_key(session.thread_id)
    return [
        table.update(key, changes, is_held),
        *map(sessions.add_message, messages),
    ]


def _reference(message: sessions.StoredMessage) -> table.Item:
    """Return what a session stores of its latest answer: its size is paid at every write, and again in the index."""
    return {"id": message.id, "seq": message.seq}
