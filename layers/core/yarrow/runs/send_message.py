"""The door for AG-UI clients: what comes in one request becomes a run like any other, watched from its first event.

Source: `agui-http-agent.md` (EVT-19, EVT-21, C4, C5, C15, C36). The request is brought into the form of `POST /runs`
and submitted as such, so that the two doors keep the same rules, may be sent again the same way, and share sessions.
"""

import uuid
from dataclasses import dataclass
from functools import partial
from typing import Final

from yarrow.agents import bindings
from yarrow.formats import json_text
from yarrow.media.sent_pictures import SentPictures
from yarrow.protocol.agui import request
from yarrow.protocol.agui.events import Profile
from yarrow.protocol.caller import Caller
from yarrow.protocol.run_ids import is_uuid
from yarrow.protocol.run_input.body import parse_run_input
from yarrow.runs import stream_events
from yarrow.runs.agui.request import AgUiRequest
from yarrow.runs.submit_run import submit_run
from yarrow.settings import settings
from yarrow.store import runs
from yarrow.store.limits import stream_slots

DEFAULT_AGENT: Final = "assistant"
"""The agent of a request that names none and implies none, where there is one of this name (C36)."""

_NAMESPACE: Final = uuid.UUID("0d3b3f2a-7c1e-5a64-8f0a-79617272776f")


@dataclass(frozen=True, slots=True)
class RunStream:
    """A run that was accepted, from its first event on, and how this client is told of it."""

    subscription: stream_events.Subscription
    profile: Profile
    snapshot_event: str | None = None
    """An event to be told after the first, if the client has shown some of what follows (C39)."""


def send_message(raw: bytes, caller: Caller, agent: str | None = None) -> RunStream:
    """Take a slot for a stream, and submit the run that a request asks for.

    The same request again gives the same run. Raises Problem as `agui_input.read`, `stream_events.take_slot`,
    `submit_run` and `stream_events.subscribe_from_start` do.
    """
    members = frozenset[str]().union(*(binding.rules.members for binding in bindings.BINDINGS.values()))
    pictures = SentPictures(caller.user_id, partial(session_id_of, caller.user_id))
    given = request.read(raw, members, pictures.find)
    thread_id = session_id_of(caller.user_id, given.thread_id)
    body = {**given.body, "threadId": thread_id}
    default = DEFAULT_AGENT if DEFAULT_AGENT in bindings.BINDINGS else settings.default_agent
    run_input = parse_run_input(body)
    binding = bindings.agent_for(run_input, existing=None, requested=agent, default=default)
    listed = AgUiRequest(given.messages, given.sent)
    run_key = runs.key_of(caller.user_id, thread_id, run_input.run_id)
    slot = stream_events.take_slot(caller.user_id, run_key)  # first: whoever could not watch the run has none
    try:
        raw = json_text.dumps(body).encode()
        accepted = submit_run(raw, caller, binding.agent, pictures, given.earlier, listed)
        run = accepted.run
        followed = stream_events.subscribe_from_start(run, slot)
    except Exception:
        stream_slots.release(slot)
        raise
    snapshot_event = listed.snapshot_event(run.fingerprint) if accepted.is_repeated else None
    return RunStream(followed, Profile(run.ids, given.thread_id, given.protocol_version), snapshot_event)


def session_id_of(user_id: str, thread_id: str) -> str:
    """The session that a user's client calls by this name: itself if it is a UUID, else one of the user's own (C5)."""
    return thread_id if is_uuid(thread_id) else str(uuid.uuid5(_NAMESPACE, json_text.dumps([user_id, thread_id])))
