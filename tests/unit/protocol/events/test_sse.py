"""Framing events as server-sent events, read back by a parser of the HTML standard's rules, and clients' cursors."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.effort import examples
from yarrow.protocol.events import events, sse
from yarrow.protocol.events.lines import TERMINAL_TYPES
from yarrow.protocol.problems import Code, Problem

IDS = events.RunIds(thread_id="thread-1", run_id="run-1")


def parse(stream: bytes) -> list[dict[str, str]]:
    """The frames of a stream by the standard's algorithm, save that LF alone ends a line, as in AG-UI clients."""
    found: list[dict[str, str]] = []
    fields: dict[str, str] = {}
    data: list[str] = []
    for line in stream.decode("utf-8").split("\n"):
        if not line:
            if data or "retry" in fields:
                found.append({**fields, "data": "\n".join(data)})
            fields, data = {}, []
            continue
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            data.append(value)
        elif name:
            fields[name] = value
    assert not fields
    assert not data, "the last frame is not ended"
    return found


MIDDLE = st.sampled_from(
    [
        lambda text: events.TextMessageContent(**IDS, message_id="m", delta=text),
        lambda text: events.StepStarted(**IDS, step_name=text),
        lambda text: events.RunError(**IDS, message=text),
        lambda text: events.TextMessageEnd(**IDS, message_id="m", output={"answer": text}),
    ]
)
EVENTS: st.SearchStrategy[Any] = st.builds(lambda make, text: make(text), MIDDLE, st.text(min_size=1))


@given(st.lists(EVENTS, max_size=6))
@settings(max_examples=examples(100), deadline=None)
def test_frames_read_back_as_the_events_they_frame(sent: list[Any]) -> None:
    """EVT-03, EVT-18, C49: The sequence number is `id`, the type is `event`, and the stored JSON is one line of
    `data`."""
    lines = [events.encode(event) for event in sent]
    stream = b"".join(sse.frame(number, line) for number, line in enumerate(lines, 1))
    assert stream.decode().splitlines() == stream.decode().removesuffix("\n").split("\n") or not sent
    assert [{**frame, "data": json.loads(frame["data"])} for frame in parse(stream)] == [
        {"id": str(number), "event": event.type, "data": json.loads(line)}
        for number, (event, line) in enumerate(zip(sent, lines, strict=True), 1)
    ]


@pytest.mark.parametrize("line_break", ["\x85", "\u2028", "\u2029"])
def test_line_breaks_of_unicode_are_escaped(line_break: str) -> None:
    """C49: in each form of a frame; what the JSON says is the same."""
    line = events.encode(events.TextMessageContent(**IDS, message_id="m", delta=f"一{line_break}二"))
    assert line_break in line
    for frame in (sse.frame(1, line), sse.data(line)):
        assert line_break not in frame.decode()
        (data,) = [line.removeprefix("data: ") for line in frame.decode().splitlines() if line.startswith("data: ")]
        assert json.loads(data) == json.loads(line)


def test_a_frame_is_spliced_in_this_very_form() -> None:
    """EVT-03: It has LF only, one blank line at its end, and UTF-8."""
    line = events.encode(events.StepStarted(**IDS, step_name="断卦"))
    assert sse.frame(7, line) == f"id: 7\nevent: STEP_STARTED\ndata: {line}\n\n".encode()


def test_keep_alives_are_comments_and_retry_is_no_event() -> None:
    """EVT-03: no client takes either for an event."""
    assert parse(sse.KEEP_ALIVE) == []
    assert sse.KEEP_ALIVE == b": keep-alive\n\n"
    assert parse(sse.retry(500)) == [{"retry": "500", "data": ""}]


@pytest.mark.parametrize("line", ["", "{}", '{"threadId":"t","type":"RUN_STARTED"}', ' {"type":"RUN_STARTED"}', "null"])
def test_what_was_not_encoded_here_is_not_framed(line: str) -> None:
    """EVT-27: only stored events are sent."""
    with pytest.raises(ValueError, match="not a stored event"):
        sse.frame(1, line)


def test_the_terminal_types_are_those_after_which_nothing_may_come() -> None:
    """EVT-08."""
    assert {"RUN_FINISHED", "RUN_ERROR"} == TERMINAL_TYPES


@pytest.mark.parametrize(
    ("value", "cursor"), [(None, 0), ("", 0), ("0", 0), ("1", 1), ("10", 10), ("9999999999", 9_999_999_999)]
)
def test_a_cursor_is_a_sequence_number(value: str | None, cursor: int) -> None:
    """EVT-04."""
    assert sse.read_cursor(value) == cursor


@pytest.mark.parametrize(
    "value",
    [
        "99999999999",
        "9" * 5_000,
        "-1",
        "+1",
        "1.0",
        "1e0",
        " 1",
        "1 ",
        "1\n",
        "01",
        "00",
        "٣",
        "³",
        "１",
        "0x1",
        "1_0",
        "abc",
    ],
    ids=lambda value: repr(value)[:20],
)
def test_any_other_cursor_is_refused(value: str) -> None:
    """EVT-04, ERR-10."""
    with pytest.raises(Problem) as caught:
        sse.read_cursor(value)
    assert (caught.value.status, caught.value.code) == (422, Code.AGENT_INVALID_LAST_EVENT_ID)
