"""The bodies of responses, byte for byte as clients have always got them (`tests/vectors/response_bodies.jsonl`)."""

import json
from typing import Any, Final

import pydantic_core
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.paths import ROOT
from yarrow.protocol.automation.job_runs import JobRun, JobRunPage
from yarrow.protocol.files.attachments import AttachmentAnswer, SignedUrl, StoredAttachment, Upload
from yarrow.protocol.history import (
    AssistantItem,
    Attachment,
    CardAssistantItem,
    CardSnapshot,
    DayAssistantItem,
    DaySnapshot,
    Snapshot,
    UserItem,
)
from yarrow.protocol.memories import MemoryItem, MemoryPage
from yarrow.protocol.reading_outcome import OutcomeRecord, SessionOutcome, record_of
from yarrow.protocol.response_body import Body, to_json

BODIES: Final = ROOT / "tests/vectors/response_bodies.jsonl"
THREAD: Final = "550E8400-e29b-41d4-a716-446655440000"
AT: Final = "2026-04-05T12:34:56.000+00:00"
TEXT: Final = '世爻\r\n\t\b\f\x01\x7f\u2028"\\/<é😀'
NUMBERS: Final = [0, -0.0, 1.0, 0.1, 1e15, 1e16, 1e22, 1.5e300, 1e-5, 1e-7, 5e-324, 123456789012345680.0, 2**53, 2**100]
FREE: Final[dict[str, Any]] = {"b": NUMBERS, "a": {"none": None, "yes": True, TEXT: [TEXT, "1e16", "2e5"]}, "": {}}
OF_ITEM: Final[dict[str, Any]] = {"thread_id": THREAD, "content": TEXT, "timestamp": AT}
USER: Final = UserItem(id="m-1", seq=1, **OF_ITEM)
NAMED: Final = UserItem(
    id="m-3",
    seq=3,
    **OF_ITEM,
    attachments=(Attachment(mime_type="image/png", url="https://a/b?c=d&e"),),
    name="Alice",
    encrypted_value="abc",
    metadata=FREE,
)
UNNAMED: Final = UserItem(id="m-4", seq=4, **OF_ITEM, metadata={})
ANSWER: Final = AssistantItem(id="m-2", seq=2, **OF_ITEM)
OUTPUT: Final = AssistantItem(id="m-5", seq=5, **OF_ITEM, agent_output=FREE, outcome="partly")
CARD: Final = CardAssistantItem(id="m-6", seq=6, **OF_ITEM, agent_output={}, outcome="did_not", ui_schema=FREE)
NO_CARD: Final = CardAssistantItem(id="m-7", seq=7, **OF_ITEM)
DAY: Final = DayAssistantItem(id="m-8", seq=8, **OF_ITEM, ui_schema=FREE)
NO_DAY_CARD: Final = DayAssistantItem(id="m-9", seq=9, **OF_ITEM)
OUTCOME: Final = SessionOutcome(thread_id=THREAD, run_id=None, outcome="came_true", note=TEXT, recorded_at=AT)
RUN: Final = JobRun(
    run_id="r", thread_id=THREAD, slot=None, due_at=AT, started_at=AT, status="refused", reason="AGENT_RUN_LIMIT"
)
MEMORY: Final = MemoryItem(id="a" * 32, text=TEXT, created_at=AT)
STORED: Final = StoredAttachment(bucket="agent-inputs", path="agent-inputs/a/b.png", mime_type="image/png", url="u")

ANSWERS: Final[dict[str, Any]] = {
    "an empty session": Snapshot(scope="history_session_full", thread_id=THREAD, has_more=False, messages=()),
    "a session": Snapshot(
        scope="history_session_full",
        thread_id=THREAD,
        has_more=True,
        messages=(USER, ANSWER, NAMED, UNNAMED, OUTPUT),
        outcome=OUTCOME,
    ),
    "the list of sessions": Snapshot(
        scope="history_sessions_latest_assistant",
        thread_id=None,
        has_more=False,
        messages=(OUTPUT,),
        record=record_of({"came_true": 1, "did_not": 2}),
    ),
    "a session with cards": CardSnapshot(
        scope="history_session_full", thread_id=THREAD, has_more=False, messages=(USER, CARD, NO_CARD)
    ),
    "no day": DaySnapshot(thread_id=None, day=None, has_more=False, messages=()),
    "a day": DaySnapshot(
        thread_id=THREAD, day="2026-04-05", has_more=True, next_cursor="8", messages=(NAMED, DAY, NO_DAY_CARD)
    ),
    "an outcome": SessionOutcome(thread_id=THREAD, run_id="run-1", outcome="did_not", note=None, recorded_at=AT),
    "a record": OutcomeRecord(came_true=1, partly=0, did_not=0, rate=1.0),
    "memories": MemoryPage(memories=(MEMORY, MEMORY), next="b"),
    "no memories": MemoryPage(memories=(), next=None),
    "runs of a job": JobRunPage(runs=(RUN,), next_cursor="c"),
    "no runs of a job": JobRunPage(runs=(), next_cursor=None),
    "an upload": Upload(upload_id="u", url="https://b/", fields={"key": "k", "Content-Type": "*"}, expires_at=AT),
    "an attachment": AttachmentAnswer(attachment=STORED),
    "a signed URL": SignedUrl(bucket="agent-inputs", path="agent-inputs/a/b.png", url="https://b/c?d=e&f"),
}


class Numbered(Body, frozen=True, kw_only=True):
    number: float


def body(answer: Any) -> str:
    return to_json(answer).decode()


RECORDED: Final[dict[str, str]] = {
    item["of"]: item["body"] for item in map(json.loads, BODIES.read_bytes().splitlines())
}


def test_every_body_is_recorded() -> None:
    assert RECORDED.keys() == ANSWERS.keys()


@given(st.floats(allow_nan=False, allow_infinity=False) | st.floats(min_value=1e14, max_value=1e18))
def test_any_number_is_written_as_it_was(number: float) -> None:
    """Pydantic wrote the bodies."""
    assert json.loads(to_json(Numbered(number=number)))["number"] == number
    assert to_json(Numbered(number=number)) == b'{"number":%s}' % pydantic_core.to_json(number)


@pytest.mark.parametrize("name", ANSWERS)
def test_a_body_is_as_it_was(name: str) -> None:
    assert body(ANSWERS[name]) == RECORDED[name]
