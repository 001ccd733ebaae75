"""The cards of the assistant's tools: on the message that follows the call (UIS-04)."""

from typing import Any, Final

from tests.support.runners.assistant import Host, ask, backend, context, frontend, of_type, results, say
from yarrow.protocol.runner.tools import WithCard
from yarrow.protocol.ui_schema.hints import MAX_CARDS, event_card
from yarrow_agents.assistant.continuation import KEY

ONE: Final = event_card("created", "站会", "2026-03-17 09:00")
TWO: Final = event_card("deleted", "站会", "2026-03-17 09:00")
TOOLS: Final[dict[str, Any]] = {
    "write": WithCard({"ok": 1}, ONE),
    "delete": WithCard({"ok": 2}, TWO),
    "plain": {"ok": 3},
}
OFFERED: Final = [*map(backend, TOOLS)]


def outputs(*scripts: Any) -> list[tuple[str, Any]]:
    events = results(Host(*scripts, **TOOLS), context("hello", *OFFERED))
    return [(event["message"]["content"], event.get("output")) for event in of_type(events, "message.completed")]


def test_the_next_message_has_the_cards() -> None:
    """UIS-04: Each card comes once."""
    assert outputs(say("ok", calls=[ask("write")]), say("then", calls=[ask("delete")]), say("done")) == [
        ("ok", None),
        ("then", {"ui_hints": {"cards": [ONE]}}),
        ("done", {"ui_hints": {"cards": [TWO]}}),
    ]


def test_cards_wait_for_a_message() -> None:
    """UIS-04: a step without text has none to put them on."""
    scripts = say(calls=[ask("write"), ask("plain")]), say(calls=[ask("delete")]), say("done")
    assert outputs(*scripts) == [("done", {"ui_hints": {"cards": [ONE, TWO]}})]


def test_without_cards_nothing_changes() -> None:
    """UIS-04: the message has no output."""
    assert outputs(say(calls=[ask("plain")]), say("done")) == [("done", None)]


def test_the_last_cards_are_shown_of_too_many() -> None:
    """UIS-04."""
    calls = [say(calls=[ask("write", f'{{"a": "{number}"}}')]) for number in range(MAX_CARDS)]
    offered = [backend("write", "a"), backend("delete")]
    host = Host(
        *calls, say(calls=[ask("delete")]), say("done"), write=lambda **_: TOOLS["write"], delete=TOOLS["delete"]
    )
    last = of_type(results(host, context("hello", *offered)), "message.completed")[-1]
    assert last["output"]["ui_hints"]["cards"] == [ONE] * (MAX_CARDS - 1) + [TWO]


def test_cards_wait_for_what_the_client_answers() -> None:
    """UIS-04, EVT-21: those of a run that ends with a call for the client are shown by the run that goes on."""
    offered = [*OFFERED, frontend("confirm")]
    host = Host(say(calls=[ask("write"), ask("confirm")]), **TOOLS)
    events = results(host, context("hello", *offered))
    assert of_type(events, "message.completed") == []
    (kept,) = of_type(events, "state.updated")
    call_id = of_type(events, "tool.call.started")[-1]["tool_call_id"]
    data = {"tool_results": [{"tool_call_id": call_id, "content": "yes"}]}
    again = results(Host(say("done"), **TOOLS), context("hello", *offered, state={KEY: kept["value"]}, data=data))
    (reply,) = of_type(again, "message.completed")
    assert reply["output"] == {"ui_hints": {"cards": [ONE]}}
    other = results(Host(say("done"), **TOOLS), context("bye", *offered, state={KEY: kept["value"]}, message_id="2"))
    assert "output" not in of_type(other, "message.completed")[0]
