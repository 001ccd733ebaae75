"""Runs: input, phase and end.

A run is `queued`, `running`, then ended: `finished`, `failed` or `canceled`. Only the transaction that writes the
terminal event ends it (`yarrow.store.journal`). `attempt` counts the workers that claimed it, one for each turn and for
each that died; `beats` grows while one is alive; `last_sequence` is the terminal event's number.
"""

import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from yarrow.formats import json_text
from yarrow.protocol.run_input.trigger import MESSAGE_RECEIVED, TriggerSource
from yarrow.protocol.runner.vocabulary import StateScope
from yarrow.store import clock, event_log, journal, session_runs, sessions, table, tool_use
from yarrow.store.items.records import Codec, Form, in_key, stored_always, stored_as
from yarrow.store.items.updates import IS_NEW, Attr, Condition, Update

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import TransactWriteItemTypeDef as WriteItem

    from yarrow.protocol.events.framing import RunIds

Phase = Literal["queued", "running", "finished", "failed", "canceled"]

INPUT_DAYS = journal.EVENT_DAYS + journal.LONGEST_RUN_DAYS

MAX_MINUTES: Final = 5
"""How long a run may last if its agent does not say."""

_NAMESPACE = uuid.UUID("6f0c1f0e-5d0c-5b8e-9a55-79617272776f")


class ModelUse(NamedTuple):
    """The model calls and tokens of a run, as far as known."""

    calls: int
    tokens: int


_KEYS: Final = Form(list, tuple)


class Fork(NamedTuple):
    """The run that a run repeats from a step on: its key, its ids, and when it was created; `step_id` is the first step
    that is made again.
    """

    run_key: str
    thread_id: str
    run_id: str
    created_at: str
    step_id: str


_FORK: Final = Form(list, lambda stored: Fork(*stored))


class ReplacedError(Exception):
    """The run has ended or a later worker claimed it; this worker's writes have no effect."""


@dataclass(frozen=True, slots=True)
class Run:
    """One run of a session. `key` is unique across users; `run_id` is the client's id."""

    key: str = field(metadata=in_key("pk", "RUN#"))
    user_id: str
    thread_id: str
    run_id: str
    agent: str
    runtime_mode: str
    fingerprint: str
    made_session: bool
    created_at: str
    phase: Phase = field(default="queued", metadata=stored_always())
    attempt: int = field(default=0, metadata=stored_always())
    last_sequence: int | None = None
    ended_at: str | None = None
    beats: int = field(default=0, metadata=stored_always())
    parent_run_id: str | None = None
    branch: int = 1
    from_agui: bool = False
    """Whether `POST /send-message` submitted it."""
    message_seq: int | None = field(default=None, metadata=stored_as("asked_at"))
    """The seq of the last message when the run was stored, including its own; None for runs of earlier versions."""
    begins: bool = False
    """Whether its user message is the first of the conversation."""
    locale: str | None = None
    zoneinfo: str | None = None
    user_name: str | None = field(default=None, repr=False)
    event_type: str = MESSAGE_RECEIVED
    event_source: TriggerSource = "api"
    """The trigger's type and source, if it has one."""
    workspace: str | None = None
    """The key of the workspace that shows the run, if its agent has one."""
    job: str | None = field(default=None, metadata=stored_as("job_id"))
    """The id of the automation job whose run it is, if any."""
    max_minutes: int = MAX_MINUTES
    """How long it may last, counted from its first worker."""
    turns: int = field(default=0, metadata=stored_as("turns_ended"))
    """How many turns have ended before the run did."""
    resumes_at: str | None = None
    """When its next turn begins, from the end of a turn until then; no worker has it in between."""
    model_calls: int = 0
    model_tokens: int = 0
    """What its models had used at the end of its last turn."""
    earlier: tuple[str, ...] = field(default=(), metadata=stored_as("earlier_runs", _KEYS))
    """The keys of the runs that it continues, oldest first: each ended with a question (ASK-01)."""
    log_began_at: str | None = None
    """When the first of them was created."""
    stored_ms: int | None = None
    """How long the worker that finished it has waited for its writes of events."""
    began_at: str | None = None
    """When its first worker claimed it."""
    api_key: str | None = None
    """The id of the API key that submitted it, if one did."""
    fork: Fork | None = field(default=None, metadata=stored_as("forked_from", _FORK))
    """The run whose steps answer before those of its own log, if it was forked."""
    trace_parent: str | None = None
    """The `traceparent` of the client's request, if it named one (`protocol.trace_context`)."""
    added: int = 0
    """How many messages its user has added to it (`store.runner.added_messages`)."""

    @property
    def log_key(self) -> str:
        return self.earlier[0] if self.earlier else self.key

    @property
    def ids(self) -> "RunIds":
        return {"thread_id": self.thread_id, "run_id": self.run_id}

    @property
    def rests(self) -> bool:
        """Whether a turn has ended before the run, and the next one has not begun."""
        return not self.ended and self.resumes_at is not None

    @property
    def ended(self) -> bool:
        return self.phase not in ("queued", "running")


_RUNS: Final = Codec(Run)


@dataclass(frozen=True, slots=True)
class RunPlan:
    """A new run and what is stored with it: its body and first event as JSON text, the messages and other changes of
    its session (`session_runs.RunStart`), and `others`, items of its own.
    """

    run: Run
    body: str
    first_event: str
    messages: Sequence[sessions.StoredMessage] = ()
    branch_update: session_runs.BranchUpdate | None = None
    topic: Mapping[str, Any] | None = None
    others: Sequence["WriteItem"] = ()
    open_questions: Sequence[sessions.OpenQuestion] = ()
    approved_tools: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class OutputMessage:
    """A message of the assistant, with its structured output if any, and the question that it is, if it is one; or one
    that the user has added to the run, with the time at which it was sent.
    """

    message_id: str
    content: str
    output: dict[str, Any] | None = None
    interrupt: Mapping[str, Any] = field(default_factory=dict)
    added_at: str | None = None


@dataclass(frozen=True, slots=True)
class RunOutcome:
    """The outcome of a run: its messages in order, and the state to store by scope and key."""

    messages: tuple[OutputMessage, ...] = ()
    state: Mapping[StateScope, dict[str, Any]] = field(default_factory=dict)
    tool_calls: tool_use.ToolUse | None = None
    """Its tool calls, if any."""
    declined: str | None = None
    """The kind of question declined without a reading, if any."""
    shared_state: Any = None
    """The state that client and agent share at the end; None if there is none."""
    questions: tuple[sessions.OpenQuestion, ...] = ()
    usage: Sequence[Mapping[str, Any]] = ()
    """The run's tokens by model, as RUN_FINISHED has them."""


def key_of(user_id: str, thread_id: str, run_id: str) -> str:
    """Return the key of a user's run, deterministic: the idempotency key of a submit (RUN-23)."""
    return str(uuid.uuid5(_NAMESPACE, json_text.dumps([user_id, thread_id.lower(), run_id])))


def read(run_key: str) -> Run | None:
    """Read a run by key."""
    return _RUNS.record_if(table.get(table.run_key_of(run_key)))


def must_read(run_key: str) -> Run:
    """Read a run by a key of this service. Raises LookupError if it is missing."""
    run = read(run_key)
    if run is None:
        raise LookupError(f"there is no run {run_key}")
    return run


def read_input(run_key: str) -> dict[str, Any]:
    return _body(run_key, table.get(table.run_key_of(run_key, "INPUT")))


def read_work(run_key: str) -> tuple[dict[str, Any], list[journal.Batch]]:
    """Read the submitted body and the journal so far, in one query."""
    # The items of a run up to its INPUT are batches of events and its GRANT.
    items = list(table.query(table.run_key_of(run_key)["pk"], start="EVENT#", before="INPUT"))
    submitted = items[-1] if items and items[-1]["sk"] == "INPUT" else None
    return _body(run_key, submitted), list(journal.batches(items))


def _body(run_key: str, item: table.Item | None) -> dict[str, Any]:
    if item is None:
        raise LookupError(f"the input of run {run_key} has expired")
    body: dict[str, Any] = json_text.loads(item["body"].encode())
    return body


def create(plan: RunPlan, session: sessions.Session | None) -> None:
    """Store a planned run in one transaction (RUN-20, RUN-27); `session` is as it was read.

    Raises table.ConditionFailedError if the session changed, is busy or deleted, or the run exists.
    """
    run = plan.run
    start = session_runs.RunStart(
        run_key=run.key,
        thread_id=run.thread_id,
        user_id=run.user_id,
        agent=run.agent,
        at=run.created_at,
        messages=plan.messages,
        branch_update=plan.branch_update,
        topic=plan.topic,
        workspace=run.workspace,
        job=run.job,
        open_questions=plan.open_questions,
        approved_tools=plan.approved_tools,
    )
    submitted = {"body": plan.body, "expires_at": clock.epoch_in(INPUT_DAYS)}
    table.transact(
        session_runs.begin_run(session, start),
        *map(sessions.add_message, plan.messages),
        *plan.others,
        table.put({**table.run_key_of(run.key), **_RUNS.item(run)}, IS_NEW),
        table.put({**table.run_key_of(run.key, "INPUT"), **submitted}),
        journal.begin(run.key, plan.first_event, run.workspace),
    )


def claim(run_key: str, turn: int = 0) -> Run | None:
    """Claim a run as the latest worker of a turn; None if the turn or the run has ended."""
    claimed = Update().set(phase="running").set_once(began_at=clock.now_iso()).increase(attempt=1).remove("resumes_at")
    is_due = journal.IS_ACTIVE & Attr("turns_ended").eq(turn or None)
    changed = table.update_returning(table.run_key_of(run_key), claimed, is_due)
    return _RUNS.record_if(changed)


def beat(run: Run) -> bool:
    """Record a heartbeat. False if the run has ended or another worker claimed it."""
    return table.update_returning(table.run_key_of(run.key), Update().increase(beats=1), _is_held(run)) is not None


def hand_over(run: Run, resumes_at: str, used: ModelUse) -> Run | None:
    """Record the end of a worker's turn and when the next one begins. None where `beat` returns False."""
    rests = Update().set(
        turns_ended=run.turns + 1, resumes_at=resumes_at, model_calls=used.calls, model_tokens=used.tokens
    )
    return _RUNS.record_if(table.update_returning(table.run_key_of(run.key), rests, _is_held(run)))


def _is_held(run: Run) -> Condition:
    return Attr("phase").eq("running") & Attr("attempt").eq(run.attempt)


def is_active(run: Run) -> bool:
    """Return whether the run is active and this claim is current; strongly consistent."""
    item = table.get(table.run_key_of(run.key))
    return item is not None and item["phase"] == "running" and int(item["attempt"]) == run.attempt


def finish(
    run: Run,
    session: sessions.Session,
    outcome: RunOutcome,
    kept: Sequence["WriteItem"],
    at: journal.Position,
    last_events: Sequence[str],
    stored_ms: int | None = None,
    counted: Sequence["WriteItem"] = (),
    added: int | None = None,
) -> journal.Position:
    """End a run with its outcome: last events, messages, stored items and session in one transaction (HIS-08).

    `stored_ms` is how long the worker has waited for its writes of events; `counted` are items of the user's limits;
    `added` is how many messages its user has added, all of them in the outcome, None if no one may.

    If the session was deleted meanwhile, only its active run is released (SES-04). Raises table.ConditionFailedError as
    `journal.end` does.
    """
    others: list[WriteItem] = []
    if session.deleted_at is None:
        others += kept
    if session.deleted_at is None and outcome.tool_calls is not None:
        others.append(
            tool_use.keep(session.thread_id, session.message_count, run.key, outcome.tool_calls, session.branch)
        )
    if session.deleted_at is None and outcome.messages:
        answer = [*_placed(run, session, outcome.messages, outcome.usage)]
        others += session_runs.answer(session, run.key, answer, outcome.questions)
    else:
        left = () if session.deleted_at is not None else outcome.questions
        others.append(session_runs.release(run.thread_id, run.key, unless_deleted=bool(others), questions=left))
    items = [*others, *counted]
    return journal.end(run.key, run.attempt, at, last_events, "finished", items, run.workspace, stored_ms, added)


def _placed(
    run: Run, session: sessions.Session, messages: Sequence[OutputMessage], usage: Sequence[Mapping[str, Any]] = ()
) -> Iterator[sessions.StoredMessage]:
    """Yield messages of a run as they follow those of its session; the last of the assistant has the run's usage."""
    now = clock.now_iso()
    last = max((place for place, message in enumerate(messages) if message.added_at is None), default=None)
    for place, message in enumerate(messages):
        yield sessions.StoredMessage(
            id=message.message_id,
            thread_id=session.thread_id,
            seq=session.message_count + 1 + place,
            role="assistant" if message.added_at is None else "user",
            content=message.content,
            timestamp=message.added_at or now,
            agent_output=message.output,
            event_id=event_log.event_id(run.key, run.created_at),
            interrupt=message.interrupt,
            usage=usage if place == last else (),
        )


def end_without_answer(
    run: Run,
    session: sessions.Session | None,
    calls: tool_use.ToolUse | None,
    at: journal.Position,
    last_events: list[str],
    phase: Literal["failed", "canceled"],
    closed: Sequence["WriteItem"] = (),
    added: Sequence[OutputMessage] = (),
) -> None:
    """End a run without an answer, and store its tool calls and the messages that its user has `added` to it, if any,
    in a session that is not deleted.

    `closed` are the items that close questions which it left open, and others that belong to its end.

    Raises table.ConditionFailedError if it has ended, its journal moved on, or the session was deleted meanwhile.
    """
    kept: list[WriteItem] = []
    if calls is not None and session is not None and session.deleted_at is None:
        kept = [tool_use.keep(session.thread_id, session.message_count, run.key, calls, session.branch)]
    if added and session is not None and session.deleted_at is None:
        released = session_runs.answer(session, run.key, [*_placed(run, session, added)])
    else:
        released = [session_runs.release(run.thread_id, run.key, unless_deleted=bool(kept))]
    others = [*kept, *closed, *released]
    journal.end(run.key, journal.NOBODY, at, last_events, phase, others, run.workspace, added=len(added))


def stored(item: table.Item) -> Run:
    return _RUNS.record(item)
