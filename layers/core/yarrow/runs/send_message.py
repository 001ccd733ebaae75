"""`POST /send-message`: an AG-UI request becomes a run.

Source: `agui-http-agent.md` (EVT-19, EVT-21, C4, C5, C15, C36). It is submitted as a `POST /runs` body is: with the
same rules, idempotency and sessions.
"""

import uuid
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from yarrow.agents import bindings
from yarrow.formats import json_text
from yarrow.media.sent_pictures import SentPictures
from yarrow.packages import event_types
from yarrow.protocol import trace_context
from yarrow.protocol.agui import request
from yarrow.protocol.agui.events import Profile
from yarrow.protocol.agui.request import AgUiInput
from yarrow.protocol.caller import Caller
from yarrow.protocol.run_ids import is_uuid
from yarrow.protocol.run_input.body import MAX_PAYLOAD_BYTES, RunBody, checked_ids, parse_run_input
from yarrow.runs import stream_events
from yarrow.runs.agui.request import AgUiDoor
from yarrow.runs.submission.reading import submission_of
from yarrow.runs.submit_run import submit
from yarrow.store import runs

_NAMESPACE: Final = uuid.UUID("0d3b3f2a-7c1e-5a64-8f0a-79617272776f")


@dataclass(frozen=True, slots=True)
class RunStream:
    subscription: stream_events.Subscription
    profile: Profile
    snapshot_event: str | None = None
    """Sent after the first event, if the client already shows some output (C39)."""


def send_message(raw: bytes, caller: Caller, agent: str | None = None, *, trace_parent: str | None = None) -> RunStream:
    """Take a stream slot and submit the run; a repeated request gets the same run.

    `trace_parent` is the header of the request.

    Raises Problem as the functions it calls.
    """
    members = frozenset[str]().union(*(binding.rules.members for binding in bindings.deployed().values()))
    pictures = SentPictures(caller.user_id, partial(session_id_of, caller.user_id))
    agui_input = request.read(raw, members, pictures.find, pictures.find_in_result)
    thread_id = session_id_of(caller.user_id, agui_input.thread_id)
    if agui_input.resume and not agui_input.steers_away:
        return _resumed(agui_input, caller, thread_id, trace_parent)
    document = {**agui_input.body, "threadId": thread_id}
    run_input = parse_run_input(document)
    binding = bindings.agent_for(run_input, existing=None, requested=agent, default=bindings.agui_default())
    door = AgUiDoor(agui_input, pictures)
    run_key = runs.key_of(caller.user_id, thread_id, run_input.run_id)
    with stream_events.reserved_slot(caller.user_id, run_key) as slot:  # first: no run without a stream for it
        body = RunBody.of(document, MAX_PAYLOAD_BYTES)
        submission = submission_of(body, run_input, caller, binding.agent, door)
        submission = replace(submission, trace_parent=trace_context.read(trace_parent))
        accepted = submit(submission)
        run = accepted.run
        subscription = stream_events.subscribe_from_start(run, slot)
    snapshot_event = door.snapshot_event(submission.fingerprints[run.fingerprint]) if accepted.is_repeated else None
    return RunStream(subscription, _profile(run, agui_input), snapshot_event)


def _resumed(agui_input: AgUiInput, caller: Caller, thread_id: str, trace_parent: str | None) -> RunStream:
    """Submit the run that goes on with the client's answers (ASK-02, ASK-03)."""
    from yarrow.runs import answer_questions  # few requests answer questions

    _, client_run_id = checked_ids({**agui_input.body, "threadId": thread_id})
    run_id = answer_questions.run_id_of(caller.user_id, thread_id, client_run_id, agui_input.resume)
    with stream_events.reserved_slot(caller.user_id, runs.key_of(caller.user_id, thread_id, run_id)) as slot:
        entries = agui_input.resume
        run = answer_questions.answer_questions(caller, thread_id, run_id, entries, trace_parent=trace_parent).run
        subscription = stream_events.subscribe_from_start(run, slot)
    return RunStream(subscription, _profile(run, agui_input, client_run_id))


def _profile(run: runs.Run, agui_input: AgUiInput, run_id: str | None = None) -> Profile:
    return Profile(
        run.ids, event_types.find, agui_input.thread_id, agui_input.protocol_version, run_id, agui_input.sent
    )


def session_id_of(user_id: str, thread_id: str) -> str:
    """Return the thread id if it is a UUID, else one derived per user (C5)."""
    return thread_id if is_uuid(thread_id) else str(uuid.uuid5(_NAMESPACE, json_text.dumps([user_id, thread_id])))
