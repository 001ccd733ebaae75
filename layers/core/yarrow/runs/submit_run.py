"""Submitting a run: validate, store it in one transaction, start its execution; a repeat gets the same answer."""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol

from botocore.exceptions import ClientError

from yarrow.access import limits
from yarrow.agents import bindings
from yarrow.formats import json_text
from yarrow.media import message_pictures
from yarrow.observability.logs import correlate, logger
from yarrow.protocol.automation.trigger import JobTrigger
from yarrow.protocol.caller import Caller
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.run_input.body import RunInput, parse_run_input, read_body, read_object
from yarrow.protocol.run_input.messages import Message
from yarrow.protocol.run_input.rules import Topics
from yarrow.protocol.run_input.trigger import MEMBER as TRIGGER
from yarrow.protocol.run_input.trigger import MESSAGE_RECEIVED, Trigger
from yarrow.runs.first_event import first_event
from yarrow.runs.lost_runs import end_if_overdue
from yarrow.runs.run_event import event_of
from yarrow.settings import settings
from yarrow.store import artifacts, clients, clock, event_log, runs, sessions, submit_snapshot, table
from yarrow.store.branches import Path
from yarrow.store.branches import path as path_to
from yarrow.store.limits import buckets, reservations, run_slots, usage
from yarrow.store.workspace import keys

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import TransactWriteItemTypeDef as WriteItem

    from yarrow.runs.agui.branching import Continuation

_TRIES = 5

MAX_STORED_BYTES = 350 * 1024
"""The limit of a body that is serialised again; a DynamoDB item holds 400 KB."""


class NewPictures(Protocol):
    """The caller's own pictures that a body references by path."""

    @property
    def paths(self) -> Collection[str]:
        """Their paths."""

    def store(self) -> None:
        """Store the new ones. Raises Problem 503."""


class ClientList(Protocol):
    """The message list of an AG-UI client, and what it means for the run."""

    def continuation(self, session: sessions.Session, question: sessions.Message | None) -> "Continuation":
        """Where the run continues its session (C38). Raises Problem 409 at the branch limit."""
        ...

    def fingerprints(self, run_input: RunInput, question: sessions.Message | None) -> Mapping[str, int]:
        """The run's fingerprint, then those of runs that this request may repeat (C39)."""
        ...

    def adopted_items(
        self, run: runs.Run, path: Path, new: Sequence[sessions.Message], continuation: "Continuation | None"
    ) -> Sequence["WriteItem"]:
        """The items for calls in the list that no run made (MSG-08); `new` are the messages stored with the run."""
        ...

    def end_if_abandoned(self, active: runs.Run) -> bool:
        """Cancel the session's active run if it has no viewers (C40). False if it continues."""
        ...


@dataclass(frozen=True, slots=True)
class TaskAccepted:
    """The answer to a submit (RUN-19). `created`: the run created its session."""

    task_id: str
    thread_id: str
    run_id: str
    created: bool
    run: runs.Run = field(compare=False, repr=False)
    is_repeated: bool = field(default=False, compare=False, repr=False)

    def document(self) -> dict[str, Any]:
        """The JSON of TaskAcceptedResponse."""
        return {
            "taskId": self.task_id,
            "threadId": self.thread_id,
            "runId": self.run_id,
            "created": self.created,
        }


def submit_run(
    raw: bytes,
    caller: Caller,
    agent: str | None = None,
    sent: NewPictures | None = None,
    earlier: Sequence[Message] = (),
    listed: ClientList | None = None,
    *,
    trigger: Trigger | None = None,
) -> TaskAccepted:
    """Accept a run of the caller, for the requested agent if any.

    `/send-message` passes `sent`, pictures to store; `earlier`, the transcript of a new session; and `listed`, the
    client's list. `trigger` is the event of a run that no client submits as a RunAgentInput.

    Everything is stored before the execution starts. The same runId with the same body gets the same answer and repairs
    a lost start; with another body it is 409 (RUN-23). Raises Problem for every other refusal, with nothing stored.
    """
    body, raw = _read(raw, trigger, from_agui=sent is not None)
    run_input = parse_run_input(body)
    expired = False
    if run_input.pictures:
        from yarrow.media import attachments  # here: few runs have pictures

        by_path = attachments.stored_input(body, caller.user_id, sent.paths if sent else ())
        body, expired = by_path.body, by_path.expired
        run_input, raw = parse_run_input(body), _rewritten(body)
    asked = _message(run_input, run_input.thread_id, 0, "")
    fingerprints = (
        {_fingerprint(body, run_input.thread_id): 0} if listed is None else listed.fingerprints(run_input, asked)
    )
    run_key = runs.key_of(caller.user_id, run_input.thread_id, run_input.run_id)
    correlate(run_key=run_key)
    logger.info("a run is submitted", extra={"thread_id": run_input.thread_id, "run_id": run_input.run_id})
    for _ in range(_TRIES):
        (session, run, reservation), (slots, used) = submit_snapshot.read_with(
            run_input.thread_id, run_key, run_slots.key(caller.user_id), usage.key(caller.user_id)
        )
        if session is not None:
            sessions.check_access(session, caller.user_id)
        binding = bindings.agent_for(
            run_input,
            existing=session.agent if session else None,
            requested=agent,
            default=settings.default_agent,
        )
        continues = session is not None and listed is not None
        if not continues:
            bindings.check(binding, run_input)
        if run_input.tools:
            _check_tools(run_input)
        if run is not None:
            return _repeated(run, fingerprints)
        if session is not None and session.active_run == run_key:
            continue  # it is being submitted right now: this read saw half of it
        if expired and not (session and _is_last_question(session, run_input)):
            raise Problem(Code.AGENT_RUN_MESSAGES_INVALID, "binary content url has expired")
        if session is None:
            reservations.check(reservation, caller.user_id)
        if run_input.runtime_mode == "follow_up":
            _check_follow_up(binding, run_input, session, continues=continues)
        limits.check_session_runs(session.run_count if session else 0)
        if session is not None and session.active_run is not None:
            _end_or_refuse(session.active_run, listed)
            continue
        limits.check_tokens(used)
        with limits.rate_limited():
            drawn = limits.draw_run(slots, len(raw))
        if not run_slots.make_room(caller.user_id, run_slots.stored(slots), settings.runs_per_user):
            raise Problem(Code.AGENT_RUN_LIMIT, "too many active runs", params={"limit": settings.runs_per_user})
        given, stored, continuation = run_input, raw, None
        if session is not None and listed is not None:
            continuation = listed.continuation(session, asked)
            given, stored = _continued(binding, session, continuation, body, raw)
        run = _new_run(run_key, given, binding.agent, caller, next(iter(fingerprints)), made_session=session is None)
        try:
            # As sent: serialised again, its numbers may exceed an item.
            _store(run, given, session, stored.decode(), drawn, sent, earlier, listed, continuation)
        except table.ConditionFailedError:
            continue  # a concurrent write won: read again
        start_execution(run)
        return accepted(run)
    raise Problem(Code.SERVICE_UNAVAILABLE, "the session is busy")


def _check_follow_up(
    binding: bindings.Binding, run_input: RunInput, session: sessions.Session | None, *, continues: bool
) -> None:
    """Check a follow-up against its session and, unless it came by `/send-message`, against the session's topic (C47).
    Raises Problem.
    """
    if session is None:
        raise Problem(Code.AGENT_SESSION_NOT_FOUND, "there is no such session")
    topic = None if continues else session.topic_on(path_to(session.branches, session.message_count))
    if topic is not None:
        binding.rules.check_topic(run_input, topic)


def _continued(
    binding: bindings.Binding, session: sessions.Session, continuation: "Continuation", body: dict[str, Any], raw: bytes
) -> tuple[RunInput, bytes]:
    """The input of a run that continues an AG-UI conversation, as its agent reads it (C41), and its JSON."""
    branches = continuation.branch_update.branches if continuation.branch_update else session.branches
    path = path_to(branches, session.message_count)
    answered, asked = session.topic_on(path), session.topic_asked(path)
    asks_again = continuation.is_stored and asked is not None
    topics = Topics(asked or answered, answered, asks_again, are_known=bool(session.topics))
    props = binding.rules.continued(body["forwardedProps"], topics)
    if props != body["forwardedProps"]:
        body = {**body, "forwardedProps": props}
        raw = _rewritten(body)
    run_input = parse_run_input(body)
    bindings.check(binding, run_input)
    return run_input, raw


def _read(raw: bytes, trigger: Trigger | None, *, from_agui: bool) -> tuple[dict[str, Any], bytes]:
    """The body as an object and as JSON, without what no client may set: `passedOn` is of `/send-message`, `trigger`
    of the host.
    """
    body = read_body(raw)
    foreign = {TRIGGER} if from_agui else {TRIGGER, "passedOn"}
    if trigger is None and foreign.isdisjoint(body):
        return body, raw
    body = {name: value for name, value in body.items() if name not in foreign}
    if trigger is not None:
        body[TRIGGER] = trigger.as_member()
    return body, _rewritten(body)


def _rewritten(body: dict[str, Any]) -> bytes:
    """A changed body as JSON. Raises Problem 413 if it exceeds an item: numbers may grow."""
    raw = json_text.dumps(body).encode()
    read_object(raw, MAX_STORED_BYTES)
    return raw


def _fingerprint(body: dict[str, Any], thread_id: str) -> str:
    """A hash of the body; the order of members and the case of the thread id, a UUID, do not count."""
    same = {name: value for name, value in body.items() if name != "thread_id"} | {"threadId": thread_id.lower()}
    return hashlib.sha256(json_text.canonical(same).encode()).hexdigest()


def _check_tools(run_input: RunInput) -> None:
    # Imported here: few runs have client tools.
    from yarrow.agents.permissions import check_frontend_tools
    from yarrow.services.tools.names import NAMES

    check_frontend_tools(run_input.tools, NAMES)


def _end_or_refuse(run_key: str, listed: ClientList | None) -> None:
    """End the session's active run if it is overdue or abandoned; else raise Problem 409."""
    active = runs.must_read(run_key)
    if active.ended or end_if_overdue(active) or (listed is not None and listed.end_if_abandoned(active)):
        return
    if active.phase == "queued":
        start_execution(active)  # its start may have been lost
    raise Problem(Code.AGENT_RUN_IN_PROGRESS, "the session has an active run")


def _new_run(
    key: str, run_input: RunInput, agent: str, caller: Caller, fingerprint: str, *, made_session: bool
) -> runs.Run:
    trigger, task = run_input.trigger, bindings.task_of(agent)
    job = JobTrigger.of(trigger)
    return runs.Run(
        key=key,
        user_id=caller.user_id,
        thread_id=run_input.thread_id,
        run_id=run_input.run_id,
        agent=agent,
        runtime_mode=run_input.runtime_mode,
        fingerprint=fingerprint,
        made_session=made_session,
        created_at=clock.now_iso(),
        parent_run_id=run_input.parent_run_id,
        locale=caller.locale,
        zoneinfo=caller.zoneinfo,
        user_name=caller.name,
        from_agui=bool(run_input.passed_on),
        event_type=trigger.type if trigger else MESSAGE_RECEIVED,
        event_source=trigger.source if trigger else "api",
        workspace=None if task is None else keys.key_of(caller.user_id, task),
        job=None if job is None else job.job_id,
    )


def _store(
    run: runs.Run,
    run_input: RunInput,
    session: sessions.Session | None,
    body: str,
    drawn: buckets.Draw,
    sent: NewPictures | None,
    client_messages: Sequence[Message],
    listed: ClientList | None,
    continuation: "Continuation | None",
) -> None:
    if sent:
        sent.store()
    with_sizes = message_pictures.pictures_with_sizes(run_input)
    earlier: list[sessions.Message] = []
    if client_messages and session is None:
        from yarrow.runs.earlier_messages import earlier_messages  # here: few conversations began elsewhere

        earlier = earlier_messages(run, client_messages)
    thread_id = session.thread_id if session else run.thread_id
    logged = event_of(run, run_input.text)
    count = session.message_count if session else len(earlier)
    seq = count + 1
    message = _message(run_input, thread_id, seq, run.created_at, logged.event_id)
    # A run with tool results, or one that repeats an unanswered question, sends a message that is stored already.
    if continuation is not None:
        is_stored = continuation.is_stored
    else:
        continues = session and (session.unanswered or any(each.role == "tool" for each in run_input.messages))
        is_stored = bool(session and continues and message and session.last_question == message.digest)
    new = [] if message is None or is_stored else [message]
    branch_update = None if continuation is None else continuation.branch_update
    branches = branch_update.branches if branch_update else session.branches if session else ()
    begins = session is None or (bool(branch_update) and branches[-1].after == 0)
    branch = branches[-1].first if branches else 1
    run = replace(run, branch=branch, asked_at=count + len(new), begins=begins)
    logged = replace(logged, seq=count + len(new) if new else path_to(branches, count).last)
    as_artifacts = [
        artifacts.refer(
            picture.artifact_id,
            thread_id=thread_id,
            user_id=run.user_id,
            run_key=run.key,
            object_key=picture.path,
            artifact_type="image",
            mime_type=picture.mime_type,
            size_bytes=size,
        )
        for picture, size in with_sizes
    ]
    named = run_slots.add(run.user_id, run.key, settings.runs_per_user, drawn)
    messages = [*earlier, *new]
    others = [event_log.record(logged), *as_artifacts, *named]
    if listed is not None:
        others += listed.adopted_items(run, path_to(branches, count, branch), messages, continuation)
    topic = bindings.deployed()[run.agent].rules.topic(run_input)
    runs.create(runs.PlannedRun(run, body, first_event(run), messages, branch_update, topic, others), session)


def _is_last_question(session: sessions.Session, run_input: RunInput) -> bool:
    """Whether the user's message is the session's last question."""
    message = _message(run_input, session.thread_id, 0, "")
    return message is not None and session.last_question == message.digest


def _message(
    run_input: RunInput, thread_id: str, seq: int, timestamp: str, event_id: str | None = None
) -> sessions.Message | None:
    if run_input.user_message is None:
        return None
    return sessions.Message(
        id=run_input.user_message.id,
        thread_id=thread_id,
        seq=seq,
        role="user",
        content=run_input.text,
        timestamp=timestamp,
        pictures=tuple(message_pictures.pictures_of(run_input)),
        event_id=event_id,
        extras=run_input.user_message.extras(),
    )


def _repeated(run: runs.Run, fingerprints: Mapping[str, int]) -> TaskAccepted:
    if run.fingerprint not in fingerprints:
        raise Problem(Code.AGENT_RUN_CONFLICT, "the runId was used before in this session with another body")
    if run.phase == "queued":
        start_execution(run)
    return replace(accepted(run), is_repeated=True)


def start_execution(run: runs.Run) -> None:
    """Start the run's execution; idempotent, since the run's key is its name."""
    try:
        clients.step_functions().start_execution(
            stateMachineArn=settings.state_machine_arn,
            name=run.key,
            input=json_text.dumps({"runKey": run.key}),
        )
    except ClientError as error:
        if "ExecutionAlreadyExists" not in table.error_codes(error):
            raise


def accepted(run: runs.Run) -> TaskAccepted:
    """The answer to the submit of a stored run."""
    return TaskAccepted(run.key, run.thread_id, run.run_id, run.made_session, run)
