"""Joining a run as an AG-UI client from a snapshot: the conversation before the run, and where the run stands.

Going on from a cursor is in `rejoining`, which most clients do; this reads and brings far more.
"""

from dataclasses import replace
from typing import Any, Final

from yarrow.host.rejoining import Joined
from yarrow.host.subscription import Subscription
from yarrow.protocol import agui_snapshot, sse
from yarrow.protocol.agui import Profile
from yarrow.protocol.run_input import parse_run_input
from yarrow.store import journal, runs, sessions

MAX_MESSAGES: Final = 500
MAX_BYTES: Final = 2 * 1024 * 1024
"""How much of the conversation before the run a snapshot restates: messages, and bytes of text."""


def restate(subscription: Subscription) -> Joined:
    """Begin with where the run stands now, whatever the cursor (EVT-14)."""
    run = runs.must_read(subscription.run_key)
    profile = Profile(run.ids)
    at, stored = journal.Place(), list[str]()
    for batch in journal.read(run.key, at):
        stored += batch.lines
        at = batch.end
    opening = agui_snapshot.opening(profile, _past(run), stored)
    ended = sse.event_type(stored[-1]) in sse.TERMINAL_TYPES
    joined = replace(subscription, after=at.last, at=at, last=at.last if ended else subscription.last)
    return Joined(joined, profile, tuple(opening))


def _past(run: runs.Run) -> list[dict[str, Any]]:
    """The conversation up to what the run was given, with that: first what is kept of it, then the run's own input."""
    run_input = parse_run_input(runs.read_input(run.key))
    given = run_input.messages
    restated = {each.id for each in given}  # the latest of each id, for clients may use one again
    kept: list[dict[str, Any]] = []
    room, reached = MAX_BYTES, False
    for message in sessions.messages(run.thread_id, newest_first=True):
        reached = reached or message.id == given[0].id  # what is newer came of this run, or after it
        if not reached or message.id in restated:
            restated -= {message.id} if reached else set()
            continue
        room -= len(message.content.encode())
        if room < 0 or len(kept) == MAX_MESSAGES:
            break
        kept.append({"id": message.id, "role": message.role, "content": message.content})
    question, *others = (each.model_dump(mode="json", by_alias=True, exclude_none=True) for each in given)
    question["content"] = run_input.user_message.text()  # its pictures are kept by their paths, which nobody can follow
    return [*reversed(kept), question, *others]
