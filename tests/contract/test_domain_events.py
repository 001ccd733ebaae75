"""The published schemas of events are those of the structs, and hold for what is published (EVB-01)."""

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tools.make_event_schemas import TARGET, documents
from yarrow.protocol.domain_events import (
    EVENTS,
    AskedQuestion,
    DisabledWebhook,
    EndedRun,
    PausedJob,
)
from yarrow.protocol.response_body import to_json
from yarrow.protocol.usage import TokenCounts

AT = "2026-11-27T19:15:48.543+00:00"
IDS: dict[str, Any] = {"user_id": "alice", "thread_id": "550e8400-e29b-41d4-a716-446655440000"}
OF_RUN: dict[str, Any] = IDS | {
    "run_id": "run-1",
    "run_key": "4f020b1b-92be-5061-8810-9166bffe3966",
    "agent": "divination",
}
LEAST = EndedRun(**OF_RUN, sequence=1, created_at=AT, ended_at=AT)
MOST = EndedRun(
    **OF_RUN,
    sequence=1,
    created_at=AT,
    ended_at=AT,
    job_id="job-1",
    outcome="interrupt",
    code="RUN_FAILED",
    usage=(TokenCounts(model="m", input_tokens=3), TokenCounts(provider="p", output_tokens=0)),
)
ASKED = AskedQuestion(**OF_RUN, sequence=2, interrupt_id="0" * 32, expires_at=AT)
PAUSED = PausedJob(**IDS, job_id="job-1", reason="failures")
DISABLED = DisabledWebhook(user_id="ops", webhook_id="550e8400-e29b-41d4-a716-446655440000", reason="failures")
CASES = [
    *((kind, data) for kind in ("run.completed", "run.failed", "run.canceled") for data in (LEAST, MOST)),
    *((kind, ASKED) for kind in ("interrupt.opened", "interrupt.expired")),
    ("job.paused", PAUSED),
    ("webhook.disabled", DISABLED),
]


def test_the_schemas_are_up_to_date() -> None:
    """EVB-01: run `python -m tools.make_event_schemas`."""
    assert {file.name: file.read_text("utf-8") for file in TARGET.iterdir()} == documents()
    assert {kind for kind, _ in CASES} == EVENTS.keys()


def published(kind: str, data: Any) -> Any:
    return json.loads(to_json(EVENTS[kind](id="1", type=kind, timestamp=AT, data=data)))


@pytest.mark.parametrize(("kind", "data"), CASES)
def test_an_event_is_as_its_schema_says(kind: str, data: Any) -> None:
    """EVB-01: with all members and with the fewest; without one that is required it is none."""
    validator = Draft202012Validator(json.loads((TARGET / f"{kind}.json").read_text("utf-8")))
    event = published(kind, data)
    validator.validate(event)
    for missing in ("id", "type", "timestamp", "data"):
        assert not validator.is_valid({name: value for name, value in event.items() if name != missing})
    others = [other for other, _ in CASES if other != kind]
    assert not any(validator.is_valid(event | {"type": other}) for other in others)
