"""The third step of a submit: plans everything that is stored with the run, in one transaction."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from yarrow.agents import bindings
from yarrow.agents.bindings import Binding
from yarrow.media import message_pictures
from yarrow.protocol.automation.trigger import JobTrigger
from yarrow.protocol.run_input.body import RunBody
from yarrow.protocol.run_input.trigger import MESSAGE_RECEIVED
from yarrow.runs.first_event import first_event
from yarrow.runs.run_event import event_of
from yarrow.runs.submission.admission import Admission
from yarrow.runs.submission.door import NEW_SESSION, Continuation, Taken
from yarrow.runs.submission.reading import Submission
from yarrow.settings import settings
from yarrow.store import artifacts, clock, event_log, runs, sessions
from yarrow.store.branches import path as path_to
from yarrow.store.limits import run_slots
from yarrow.store.workspace import keys

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import TransactWriteItemTypeDef as WriteItem


def plan(submission: Submission, admission: Admission) -> runs.RunPlan:
    """Plan the run, its messages and its other items; stores the caller's new pictures.

    Raises Problem: 409 at the branch limit, 422 for an input that the session's topics make invalid or a picture that
    is missing, 429 and 503 of storing pictures.
    """
    session, binding, door = admission.session, admission.binding, submission.door
    continuation = NEW_SESSION
    taken = door.taken(session, submission.caller.user_id, submission.run_key)
    if session is not None:
        continuation = door.continuation(session, submission.run_input, submission.question)
        if door.interprets and not taken.answers:
            submission = _interpreted(submission, binding, session, continuation)
    run = _new_run(submission, binding, taken, made_session=session is None)
    door.store_pictures()
    with_sizes = message_pictures.pictures_with_sizes(submission.run_input)
    earlier = door.earlier_messages(run) if session is None else ()
    count = len(earlier) if session is None else session.message_count
    logged = event_of(run, submission.run_input.text)
    thread_id = run.thread_id if session is None else session.thread_id  # spelled as in the session's first run
    new = []
    if submission.question is not None and not continuation.is_stored:
        new = [_placed(submission.question, thread_id, count + 1, run.created_at, logged.event_id)]
    update = continuation.branch_update
    branches = () if session is None else continuation.branches(session)
    run = replace(
        run,
        branch=branches[-1].first if branches else 1,
        message_seq=count + len(new),
        begins=session is None or (update is not None and branches[-1].after == 0),
    )
    logged = replace(logged, seq=count + len(new) if new else path_to(branches, count).last)
    messages = [*earlier, *new]
    others = [
        event_log.record(logged),
        *_artifacts(run, thread_id, with_sizes),
        *run_slots.add(run.user_id, run.key, settings.runs_per_user, admission.drawn),
        *door.adopted_items(run, path_to(branches, count, run.branch), messages, continuation),
        *taken.items,
    ]
    topic = None if taken.answers else binding.rules.topic(submission.run_input)
    return runs.RunPlan(
        run,
        submission.body.encoded.decode(),
        first_event(run),
        messages,
        update,
        topic,
        others,
        taken.left,
        taken.approved_tools,
    )


def _interpreted(
    submission: Submission, binding: Binding, session: sessions.Session, continuation: Continuation
) -> Submission:
    """Interpret the submission as its agent reads it in this session. Raises Problem if the result is invalid."""
    sent = submission.body.document["forwardedProps"]
    props = submission.door.interpreted(sent, binding.rules, session, continuation)
    if props != sent:
        body = RunBody.of({**submission.body.document, "forwardedProps": props})
        submission = replace(submission, body=body, run_input=submission.run_input.with_props(props))
    bindings.check(binding, submission.run_input)
    return submission


def _new_run(submission: Submission, binding: Binding, taken: Taken, *, made_session: bool) -> runs.Run:
    run_input, caller = submission.run_input, submission.caller
    trigger, task = run_input.trigger, binding.task_name
    job = JobTrigger.of(trigger)
    return runs.Run(
        key=submission.run_key,
        user_id=caller.user_id,
        thread_id=run_input.thread_id,
        run_id=run_input.run_id,
        agent=binding.agent,
        runtime_mode=run_input.runtime_mode,
        fingerprint=next(iter(submission.fingerprints)),
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
        job=taken.job if job is None else job.job_id,
        max_minutes=min(binding.descriptor.max_minutes, settings.max_run_minutes),
        earlier=taken.earlier,
        log_began_at=taken.log_began_at,
        fork=taken.fork,
        api_key=caller.api_key,
        trace_parent=submission.trace_parent,
    )


def _placed(
    question: sessions.StoredMessage, thread_id: str, seq: int, timestamp: str, event_id: str
) -> sessions.StoredMessage:
    return replace(question, thread_id=thread_id, seq=seq, timestamp=timestamp, event_id=event_id)


def _artifacts(
    run: runs.Run, thread_id: str, with_sizes: Sequence[tuple[sessions.StoredPicture, int]]
) -> list["WriteItem"]:
    """Make the items of its pictures, by which agents read them."""
    return [
        artifacts.refer(
            artifacts.reference(
                picture.artifact_id,
                thread_id=thread_id,
                user_id=run.user_id,
                run_key=run.key,
                object_key=picture.path,
                artifact_type="image",
                mime_type=picture.mime_type,
                size_bytes=size,
            )
        )
        for picture, size in with_sizes
    ]
