"""What a run did with tools, noted for later runs: in the order it was done, and bounded."""

from typing import Any

import pytest

from tests.support.runners.work import DONE, Script, answer, call, completed, delta, work
from yarrow.protocol.runner.vocabulary import RESULT_CHARACTERS
from yarrow.runs import tool_history
from yarrow.runs.tool_history import ToolHistory
from yarrow.store.tool_use import Round, StoredCall, ToolUse


def noted(script: Script) -> list[tuple[str | None, list[tuple[str, str | None]]]]:
    """The rounds of a run: the text of the message they follow, ids and results."""
    outcome = work(script).outcome
    assert outcome is not None
    output = {message.message_id: message.content for message in outcome.messages}
    rounds = outcome.tool_calls.rounds if outcome.tool_calls else ()
    return [
        (output.get(round_.message_id or ""), [(call.id, call.result) for call in round_.calls]) for round_ in rounds
    ]


def test_calls_are_noted_with_the_message_before_them_and_what_they_answered() -> None:
    """MSG-08: those made at once together; what was called because of an answer apart."""
    script = [
        call("a"),
        answer("a", {"x": 1}),
        delta("我查一下"),
        call("b"),
        call("c"),
        answer("c", "晴"),
        answer("b", error="no such city"),
        call("d"),
        completed("好"),
        DONE,
    ]
    assert noted(script) == [
        (None, [("a", '{"x":1}')]),
        ("我查一下", [("b", '{"error":"no such city"}'), ("c", "晴")]),
        ("我查一下", [("d", None)]),
    ]


def test_a_run_without_tools_has_nothing_noted() -> None:
    """MSG-08: and so nothing more is written for it."""
    outcome = work([completed("好"), DONE]).outcome
    assert outcome is not None
    assert outcome.tool_calls is None


def test_what_a_worker_that_died_had_called_is_noted_once() -> None:
    """CMP-11: by the one that took over, as its runner has it, under the ids the client knows."""
    script = [delta("查"), call("a"), answer("a", 1), completed("好"), DONE]
    whole = work(script)
    for cut in range(len(whole.lines)):
        second = work(script, work(script, dies_after=cut).lines).outcome
        assert second is not None
        assert second.tool_calls is not None
        (round_,) = second.tool_calls.rounds
        assert round_.message_id == second.messages[0].message_id
        assert round_.calls == (StoredCall("a", "t", "{}", "1"),)
    other = work([call("a", x=1), answer("a", 2)], work([call("a")], dies_after=3).lines).outcome
    assert other is not None
    assert other.tool_calls is not None
    ((texts,),) = (round_.calls for round_ in other.tool_calls.rounds)
    assert (texts.id != "a", texts.arguments, texts.result) == (True, '{"x":1}', "2")


def test_only_the_first_call_and_the_first_answer_of_an_id_count() -> None:
    """EVT-12."""
    assert noted([call("a"), call("a", x=1), answer("a", "1"), answer("a", "2"), answer("b", "3")]) == [
        (None, [("a", "1")])
    ]


def test_what_the_client_s_tools_answered_is_noted_too() -> None:
    """MSG-05, MSG-08, EVT-21."""
    results = [
        {"tool_call_id": "c", "content": "confirmed"},
        {"tool_call_id": "d", "content": "", "error": "the user said no"},
    ]
    assert ToolHistory(results).tool_use() == ToolUse((), {"c": "confirmed", "d": "error: the user said no\n"})


def test_of_much_the_latest_is_kept() -> None:
    """RNR-42: a result is cut as a model reads it, and of all of them the oldest are let go of."""
    notes = ToolHistory([{"tool_call_id": "old", "content": "o" * 20_000}])
    kept = notes.tool_use()
    assert kept is not None
    assert kept.answers == {"old": "o" * RESULT_CHARACTERS + "…"}
    for number in range(20):
        notes.call(f"c{number}", "t", {"n": number}, "m")
        notes.answer(f"c{number}", "卦" * 20_000)
    bounded = notes.tool_use()
    assert bounded is not None
    assert bounded.answers == {}
    ids = [call.id for round_ in bounded.rounds for call in round_.calls]
    assert ids == [f"c{number}" for number in range(20 - len(ids), 20)]
    assert 3 < len(ids) < 20
    assert len(bounded.to_json().encode()) <= tool_history.MAX_TOOL_USE_BYTES
    notes.call("huge", "t", {"x": "x" * 400_000}, "m")
    assert notes.tool_use() is None


def test_what_is_written_is_within_its_bytes_whatever_the_ids() -> None:
    """RNR-42: a client may answer to an id under which the run has calls of its own."""
    notes = ToolHistory(
        [{"tool_call_id": f"call_{number}", "content": "卦" * RESULT_CHARACTERS} for number in range(15)]
    )
    for number in range(15):
        notes.call(f"call_{number}", "t", {}, "m" * number)
    bounded = notes.tool_use()
    assert bounded is not None
    assert sum(len(round_.calls) for round_ in bounded.rounds) == 15
    assert list(bounded.answers) == [f"call_{number}" for number in range(15 - len(bounded.answers), 15)]
    of_an_answer = 3 * RESULT_CHARACTERS
    room = tool_history.MAX_TOOL_USE_BYTES - len(bounded.to_json().encode())
    assert 0 <= room < of_an_answer + 100


@pytest.mark.parametrize(("bytes_less", "kept"), [(0, ["a", "b"]), (1, ["b"])])
def test_the_bytes_are_those_of_the_item(monkeypatch: pytest.MonkeyPatch, bytes_less: int, kept: list[str]) -> None:
    """RNR-42."""
    notes = ToolHistory([{"tool_call_id": "a", "content": "晴"}])
    notes.call("b", "t", {}, None)
    size = len(ToolUse((Round(None, (StoredCall("b", "t", "{}"),)),), {"a": "晴"}).to_json().encode())
    monkeypatch.setattr(tool_history, "MAX_TOOL_USE_BYTES", size - bytes_less)
    turn = notes.tool_use()
    assert turn is not None
    assert [*turn.answers, *(call.id for round_ in turn.rounds for call in round_.calls)] == kept


def test_calls_of_one_step_stay_together() -> None:
    """MSG-08: whatever of them is let go of."""
    notes = ToolHistory()
    calls: list[tuple[str, Any]] = [("a", None), ("b", None)]
    for name, message_id in calls:
        notes.call(name, "t", {}, message_id)
    turn = notes.tool_use()
    assert turn is not None
    assert turn.rounds == (Round(None, (StoredCall("a", "t", "{}"), StoredCall("b", "t", "{}"))),)
