"""A runner's reasoning becomes events that clients show apart from its answer."""

import json
from typing import Any

import pytest

from tests.support.agui.client import AgUiClient
from tests.support.runners.work import DONE, RUN, Script, Work, call, completed, delta, work
from yarrow.packages import event_types
from yarrow.protocol.agui import snapshot
from yarrow.protocol.agui.events import Profile
from yarrow.protocol.events.order import EventOrder
from yarrow.worker.results import payloads
from yarrow.worker.results.reasoning import MAX_ENCRYPTED_LENGTH
from yarrow.worker.results.text_messages import MAX_DELTA_LENGTH
from yarrow.worker.runner_loop import RunnerFailedError


def thinks(content: str) -> tuple[str, Any]:
    return "reasoning.delta", {"content": content}


def thought(content: str, value: str | None = None) -> tuple[str, Any]:
    return "reasoning.completed", {"content": content, "encrypted_value": value}


SPAN = "REASONING_START REASONING_MESSAGE_START REASONING_MESSAGE_CONTENT"
ENDED = "REASONING_MESSAGE_END REASONING_END"
SEALED = "REASONING_MESSAGE_END REASONING_ENCRYPTED_VALUE REASONING_END"
ANSWER = "TEXT_MESSAGE_START TEXT_MESSAGE_CONTENT TEXT_MESSAGE_END"


def types(done: Work) -> str:
    """Return the types between the first event and the last."""
    return " ".join(json.loads(line)["type"] for line in done.lines if "STEP_" not in line)


def shown(done: Work) -> list[tuple[str, str, str | None]]:
    """Role, text and encrypted value of each message, as a client has them."""
    client = AgUiClient()
    profile = Profile(RUN.ids, event_types.find)
    for event in done.events():
        if line := profile.line(json.dumps(event, separators=(",", ":"), ensure_ascii=False)):
            client.take(line)
    return [(message["role"], message.get("content", ""), message.get("encryptedValue")) for message in client.messages]


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ([thinks("Hm, "), thinks("well"), thought("Hm, well", "v"), delta("Yes."), DONE], f"{SPAN} {SEALED} {ANSWER}"),
        ([thinks("Hm, "), thinks("well"), thought("Hm, well"), completed("Yes."), DONE], f"{SPAN} {ENDED} {ANSWER}"),
        ([thought("Hm, well", "v"), completed("Yes."), DONE], f"{SPAN} {SEALED} {ANSWER}"),
        ([thinks("Hm, well"), delta("Yes."), DONE], f"{SPAN} {ENDED} {ANSWER}"),
        ([thinks("Hm, well"), completed("Yes."), DONE], f"{SPAN} {ENDED} {ANSWER}"),
        ([thinks("Hm, well"), DONE], f"{SPAN} {ENDED}"),
        ([thinks("Hm, well"), call("c"), DONE], f"{SPAN} {ENDED} TOOL_CALL_START TOOL_CALL_ARGS TOOL_CALL_END"),
        ([thought("", "v"), DONE], f"REASONING_START REASONING_MESSAGE_START {SEALED}"),
        ([thinks(""), thought(""), completed("Yes."), DONE], ANSWER),
        ([("reasoning.delta", {"content": 1}), ("reasoning.completed", {"content": None}), completed("Yes.")], ANSWER),
        ([thinks("a"), thought("a"), thinks("b"), thought("b"), DONE], f"{SPAN} {ENDED} {SPAN} {ENDED}"),
    ],
)
def test_reasoning_becomes_a_span_with_a_message(script: Script, expected: str) -> None:
    """MSG-06: it ends before what follows, whether its runner says so or not."""
    done = work(script)
    pieces = types(done).replace("REASONING_MESSAGE_CONTENT REASONING_MESSAGE_CONTENT", "REASONING_MESSAGE_CONTENT")
    assert pieces == f"RUN_STARTED {expected}".strip()
    shown(done)


def test_a_client_has_the_text_and_its_encrypted_value() -> None:
    """MSG-06."""
    done = work([thinks("Hm, "), thought("Hm, well", "v"), delta("Yes."), DONE])
    assert shown(done) == [("reasoning", "Hm, well", "v"), ("assistant", "Yes.", None)]
    assert done.outcome is not None
    assert [message.content for message in done.outcome.messages] == ["Yes."]


def test_an_answer_goes_on_around_the_reasoning_in_it() -> None:
    """EVT-09: its message is stored once."""
    done = work([delta("Yes"), thinks("Hm"), thought("Hm"), delta("."), completed("Yes."), DONE])
    assert shown(done) == [("assistant", "Yes.", None), ("reasoning", "Hm", None)]


FIRST: Script = [thinks("Hm, "), thinks("well"), thought("Hm, well", "v"), call("c"), thinks("So"), delta("Yes."), DONE]
OTHERWISE: Script = [
    thinks("Oh"),
    thinks(", no"),
    thought("Oh, no", "w"),
    call("c"),
    thinks("Thus"),
    delta("Yes."),
    DONE,
]


@pytest.mark.parametrize("again", [FIRST, OTHERWISE])
def test_a_later_worker_goes_on(again: Script) -> None:
    """CMP-11, EVT-27: after the death of the one before at any event; what is complete is not said again."""
    whole = work(FIRST)
    for cut in range(len(whole.lines) - 1):
        first = work(FIRST, dies_after=cut)
        done = work(again, first.lines)
        before = [item for item in shown(first) if item[0] == "reasoning"]
        after = [item for item in shown(done) if item[0] == "reasoning"]
        assert done.lines[: len(first.lines)] == first.lines
        assert after[: len(before[:-1])] == before[:-1]
        assert after[-1][1] in ("So", "Thus")
        if again is FIRST:
            assert types(done) == types(whole)
            assert shown(done) == shown(whole)


def test_a_value_of_other_reasoning_is_not_taken_for_the_stored_one() -> None:
    """CMP-11: a provider would refuse it."""
    stored = work([thought("Hm", None), call("c")]).lines
    done = work([thought("Oh", "w"), call("c"), DONE], stored)
    assert shown(done)[0] == ("reasoning", "Hm", None)


def test_long_reasoning_comes_in_pieces_and_counts_as_what_a_run_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """RNR-42."""
    done = work([thinks("思" * (2 * MAX_DELTA_LENGTH + 1)), DONE])
    deltas = [json.loads(line)["delta"] for line in done.lines if "MESSAGE_CONTENT" in line]
    assert [*map(len, deltas)] == [MAX_DELTA_LENGTH, MAX_DELTA_LENGTH, 1]
    monkeypatch.setattr(payloads, "MAX_RUN_BYTES", 10_000)
    full = work([thinks("x" * 1_000)] * 11)
    assert isinstance(full.error, RunnerFailedError)
    assert full.error.code == "payload_too_large"


def test_a_value_that_is_too_long_is_left_out(caplog: pytest.LogCaptureFixture) -> None:
    """RNR-42: the run goes on without."""
    done = work([thought("Hm", "v" * (MAX_ENCRYPTED_LENGTH + 1)), completed("Yes."), DONE])
    assert shown(done) == [("reasoning", "Hm", None), ("assistant", "Yes.", None)]
    assert "an encrypted value was left out" in caplog.text
    assert shown(work([thought("Hm", "v" * MAX_ENCRYPTED_LENGTH), DONE]))[0][2]


def test_a_client_that_joins_at_any_event_has_the_same() -> None:
    """EVT-14."""
    done = work(FIRST)
    order = EventOrder()
    order.replay(done.lines)
    lines = [
        *done.lines,
        json.dumps({"type": "RUN_FINISHED", "threadId": "thread", "runId": "run"}, separators=(",", ":")),
    ]
    for at in range(1, len(lines)):
        client, profile = AgUiClient(), Profile(RUN.ids, event_types.find)
        for line in snapshot.opening(profile, [], lines[:at]):
            client.take(line)
        for line in lines[at:]:
            if sent := profile.line(line):
                client.take(sent)
        events = [
            (message["role"], message.get("content"), message.get("encryptedValue")) for message in client.messages
        ]
        assert [event for event in events if event[0] == "reasoning"] == [
            ("reasoning", "Hm, well", "v"),
            ("reasoning", "So", None),
        ]
