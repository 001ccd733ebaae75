"""What must hold of every run that has ended, whatever happened to it on its way."""

import json
from collections import defaultdict
from typing import Any

from tests.support.journals import numbered
from yarrow.protocol.events.lines import TERMINAL_TYPES
from yarrow.protocol.events.order import EventOrder
from yarrow.store import runs, sessions


def ending_of(run_key: str) -> dict[str, Any]:
    """Return the terminal event of a run. Fails unless it is the only one, the last of a dense and orderly journal, and
    the run, its session and the history agree with it (EVT-08, EVT-17, EVT-27, CMP-11, HIS-17, HIS-19)."""
    run = runs.must_read(run_key)
    stored = numbered(run_key)
    assert run.last_sequence == len(stored)
    assert [number for number, _ in stored] == list(range(1, len(stored) + 1))
    EventOrder().replay(line for _, line in stored)
    events = [json.loads(line) for _, line in stored]
    assert [event["type"] in TERMINAL_TYPES for event in events] == [False] * (len(events) - 1) + [True]
    ending: dict[str, Any] = events[-1]
    phase = {"RUN_FINISHED": "finished", "RUN_CANCELED": "canceled"}.get(ending.get("code", ending["type"]), "failed")
    assert run.phase == phase
    _check_history(run, events)
    return ending


def _check_history(run: runs.Run, events: list[dict[str, Any]]) -> None:
    session = sessions.read(run.thread_id)
    assert session is not None
    assert session.active_run != run.key
    messages = list(sessions.messages(run.thread_id))
    assert [message.seq for message in messages] == list(range(1, session.message_count + 1))
    replies: defaultdict[str, str] = defaultdict(str)
    for event in events:
        if event["type"] == "TEXT_MESSAGE_CONTENT":
            replies[event["messageId"]] += event["delta"]
    kept = [(message.id, message.content) for message in messages if message.id in replies]
    told_whole = list(replies.items()) if events[-1]["type"] == "RUN_FINISHED" else []
    assert kept == told_whole or (kept == [] and session.deleted_at is not None)  # it may have ended before the delete
