"""The limits and intervals that the architecture names are those of the code."""

import re

import pytest

from tests.support.paths import ROOT
from tests.support.state_machine import MACHINE, TURN_MACHINE
from yarrow.protocol.agui import request
from yarrow.protocol.run_input import body
from yarrow.runs import lost_runs, stream_events
from yarrow.settings import settings
from yarrow.store import branches, runs
from yarrow.store.limits import run_slots, stream_slots
from yarrow.web.streams import event_stream, journal_polling
from yarrow.worker import heartbeat, journal_writer, presence, turns

WORK = MACHINE["States"]["Work"]
PAGE = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
ROWS = dict(re.findall(r"^\| ([^|`]+) \| ([^|]+) \|$", PAGE[PAGE.index("## Limits and intervals") :], re.MULTILINE))


def milliseconds(seconds: float) -> str:
    return f"{seconds * 1000:g}"


INTERVALS = {
    "run input": (
        f"{body.MAX_PAYLOAD_BYTES >> 10} KiB",
        f"{body.MAX_MESSAGES} messages",
        f"{body.MAX_USER_TEXT_LENGTH:,} characters",
    ),
    "time": (
        f"a run {runs.MAX_MINUTES} minutes",
        f"turn {settings.turn_seconds:g} s, and {turns.GRACE_SECONDS:g} s for calls",
        f"the Work task {WORK['TimeoutSeconds']} s; executions {MACHINE['TimeoutSeconds'] // 3600} hours,",
        f"those of later turns {TURN_MACHINE['TimeoutSeconds'] // 3600}",
    ),
    "storing events": (
        f"every {milliseconds(journal_writer.FLUSH_SECONDS)} ms",
        (
            f"from {journal_writer.EARLY_SECONDS:g} s of an answer on every "
            f"{milliseconds(journal_writer.LATER_FLUSH_SECONDS)} ms"
        ),
        f"while nobody watches, every {journal_writer.UNWATCHED_FLUSH_SECONDS:g} s",
        f"looked for every {presence.LOOK_SECONDS:g} s",
        f"counts for {presence.LINGER_SECONDS:g} s",
        f"{journal_writer.MAX_BATCH_BYTES >> 10} KiB an item",
    ),
    "polling by streams": (
        f"after {milliseconds(journal_polling.FIRST_PACE_SECONDS)} ms",
        f"growing to {milliseconds(journal_polling.PACE_SECONDS)};",
        f"after {milliseconds(journal_polling.BULK_PACE_SECONDS)} ms when",
        f"every {milliseconds(journal_polling.FASTEST_POLL_SECONDS)} ms",
        f"growing to {journal_polling.SLOWEST_POLL_SECONDS:g} s",
    ),
    "keep-alive": (f"every {event_stream.KEEP_ALIVE_SECONDS:g} s",),
    "heartbeat of a worker": (
        f"every {heartbeat.BEAT_SECONDS:g} s",
        f"after {lost_runs.PATIENCE_SECONDS['running']:g} s",
        f"({lost_runs.PATIENCE_SECONDS['queued']:g} s while it is queued)",
    ),
    "idle stream": (f"after {stream_events.DEFAULT_IDLE_SECONDS} s",),
    "long stream": (f"{event_stream.MARGIN_SECONDS} s before",),
    "stream slot of a crashed function": (f"after {stream_slots.SLOT_SECONDS} s",),
    "active run that nobody ends": (f"{run_slots.MARGIN.seconds // 60} minutes longer",),
}


@pytest.mark.parametrize("row", INTERVALS)
def test_an_interval_of_the_architecture_is_that_of_the_code(row: str) -> None:
    for text in INTERVALS[row]:
        assert text in ROWS[row]


def test_the_limits_of_the_endpoint_for_ag_ui_are_those_of_the_code() -> None:
    row = f"{request.MAX_BYTES >> 20} MiB, {request.MAX_MESSAGES:,} messages; {branches.MAX_BRANCHES} branches"
    assert f"| request to `/send-message` | {row} a session |" in PAGE
