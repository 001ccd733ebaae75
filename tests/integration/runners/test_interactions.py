"""A plugin of the LangBot SDK asks its user by interactions, and gets their submissions as events (ASK-05)."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.divination_runs import THREAD, execute
from tests.support.journals import stored, text, types
from tests.support.runners.approving import install, submit
from tests.support.runners.asking import answered, cancelled, interrupts_of
from tests.support.runners.scripted import Scripted
from yarrow.agents import bindings
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.runner.models import InstalledRunner
from yarrow.runners.langbot import langbot_plugin
from yarrow.runs import end_run
from yarrow.store import questions, runs, sessions
from yarrow.store.runner import steps
from yarrow.worker.invocation.isolation import IsolatedRunner
from yarrow.worker.invocation.registry import registry

pytestmark = [
    pytest.mark.usefixtures("aws"),
    pytest.mark.memory,
    pytest.mark.filterwarnings("ignore:Support for class-based `config`"),
]

PLUGIN = Path(__file__).parent / "langbot_plugins/asks_its_user"


@pytest.fixture
def plugin(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every run is the plugin's."""
    installed = langbot_plugin(PLUGIN)
    isolated = InstalledRunner(installed.manifest, lambda: IsolatedRunner(installed.create()))
    monkeypatch.setattr(registry, "find", lambda _: isolated)


def message(content: str, number: int = 1) -> dict[str, Any]:
    return {"runId": f"run-{number}", "messages": [{"id": f"msg-{number}", "role": "user", "content": content}]}


def begun(content: str, number: int = 1) -> str:
    run_key = submit(**message(content, number))
    execute(run_key)
    return run_key


KINDS = [
    ("confirm", "confirmation", {"approved": True}, "confirm", {}),
    ("confirm", "confirmation", {"approved": False, "reason": "no"}, "cancel", {}),
    ("delete", "choice", "no", "no", {}),
    ("choose", "choice", "l", "submit", {"size": "l"}),
    (
        "form",
        "form",
        {"name": "Alba", "sizes": ["s", "l"], "count": 2.5, "action_id": True, "_action_id": "drop"},
        "drop",
        {"name": "Alba", "sizes": ["s", "l"], "count": 2.5, "action_id": True},
    ),
]


@pytest.mark.usefixtures("plugin")
@pytest.mark.parametrize(("name", "kind", "payload", "action", "values"), KINDS)
def test_an_interaction_is_a_question_and_its_answer_an_event(
    name: str, kind: str, payload: Any, action: str, values: dict[str, Any]
) -> None:
    """ASK-05: the plugin is run once for each, with the state that it stored before."""
    first = begun(name)
    (interrupt,) = interrupts_of(first)
    assert interrupt["metadata"]["kind"] == kind
    assert interrupt["metadata"]["interaction"]["interaction_id"] == f"interaction-{name}"
    assert text(first) == f"Please answer: {name}"
    *_, asked = sessions.messages(THREAD)
    assert asked.interrupt == {"id": interrupt["id"], "kind": kind}
    assert "CUSTOM" not in types(first)
    second = answered(interrupt["id"], payload).task_id
    execute(second)
    assert json.loads(text(second)) == {
        "asked": name,
        "id": f"interaction-{name}",
        "action": action,
        "values": values,
        "event": "interaction.submitted",
    }
    assert runs.must_read(second).earlier == ()
    assert not list(steps.read_all(first))
    assert "outcome" not in stored(second)[-1]
    assert not sessions.must_read(THREAD).open_questions


@pytest.mark.usefixtures("plugin")
def test_a_submission_may_lead_to_another_interaction() -> None:
    first = begun("delete")
    (interrupt,) = interrupts_of(first)
    assert interrupt["message"] == "Delete it?\n\nIt is gone then."
    assert interrupt["responseSchema"] == {"type": "string", "enum": ["no", "yes"]}
    options = [{"value": "no", "label": "Keep it"}, {"value": "yes", "label": "Delete it"}]
    assert interrupt["metadata"]["options"] == options
    second = answered(interrupt["id"], "yes").task_id
    execute(second)
    (again,) = interrupts_of(second)
    assert again["message"] == "Go on?"
    assert [line.id for line in sessions.must_read(THREAD).open_questions] == [again["id"]]
    third = answered(again["id"], {"approved": True}).task_id
    execute(third)
    assert json.loads(text(third))["id"] == "again"


@pytest.mark.usefixtures("plugin")
@pytest.mark.parametrize(
    ("name", "payload"),
    [
        ("delete", "maybe"),
        ("choose", "m"),
        ("form", {"sizes": ["s"], "_action_id": "order"}),
        ("form", {"name": "Alba", "sizes": [], "_action_id": "order"}),
        ("form", {"name": "Alba", "sizes": ["s"], "_action_id": "order", "price": 0}),
        ("form", {"name": "Alba", "sizes": ["s"]}),
        ("form", {"name": "Alba", "sizes": ["s"], "count": "2", "_action_id": "order"}),
    ],
)
def test_an_answer_that_is_none_of_the_interactions_is_refused(name: str, payload: Any) -> None:
    first = begun(name)
    with pytest.raises(Problem) as caught:
        answered(interrupts_of(first)[0]["id"], payload)
    assert caught.value.code == Code.AGENT_INTERRUPT_ANSWER_INVALID
    assert len(sessions.must_read(THREAD).open_questions) == 1


@pytest.mark.usefixtures("plugin")
def test_what_cannot_be_answered_here_is_shown_as_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """ASK-05: a field for files, and any interaction if the agent's block has them off."""
    first = begun("upload")
    assert text(first) == "Please answer: upload"
    assert interrupts_of(first) == []
    binding = bindings.deployed()["assistant"]
    delivery = binding.policy.delivery.model_copy(update={"interactions": False})
    policy = binding.policy.model_copy(update={"delivery": delivery})
    monkeypatch.setitem(bindings.deployed(), "assistant", bindings.Binding.of("assistant", policy))
    requested = ("action.requested", {"action": "interaction.requested", "payload": REQUEST})
    install(monkeypatch, Scripted(requested))
    second = begun("again", 2)
    assert text(second) == "Please answer."
    assert interrupts_of(second) == []


REQUEST = {"interaction_id": "i", "kind": "confirmation", "title": "Go on?", "fallback_text": "Please answer."}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"title": ""}, ""),
        ({"expires_at": 1}, ""),
        ({"fields": [{"id": "a", "label": "A", "type": "select"}]}, ""),
        ({"actions": [{"id": "a", "label": "A"}, {"id": "a", "label": "B"}]}, ""),
        ({"more": 1}, ""),
        ({"description": "x" * 10_000, "actions": [{"id": "a" * 20, "label": "x"}] * 1}, "Please answer."),
    ],
)
def test_a_malformed_request_is_left_out(monkeypatch: pytest.MonkeyPatch, changes: dict[str, Any], said: str) -> None:
    payload = {**REQUEST, **changes}
    install(monkeypatch, Scripted(("action.requested", {"action": "interaction.requested", "payload": payload})))
    first = begun("go")
    assert text(first) == said
    assert bool(interrupts_of(first)) == bool(said)


def test_a_run_asks_one_interaction_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """And any runner may, without the SDK."""
    one = ("action.requested", {"action": "interaction.requested", "payload": REQUEST})
    other = {**REQUEST, "interaction_id": "j", "fallback_text": " And this?"}
    install(monkeypatch, Scripted(one, ("action.requested", {"action": "interaction.requested", "payload": other})))
    first = begun("go")
    assert len(interrupts_of(first)) == 1
    assert text(first) == "Please answer. And this?"


@pytest.mark.usefixtures("plugin")
def test_a_new_message_leaves_the_interaction() -> None:
    first = begun("delete")
    (interrupt,) = interrupts_of(first)
    with pytest.raises(Problem) as caught:
        submit(**message("choose", 2))
    assert caught.value.code == Code.AGENT_INTERRUPT_OPEN
    second = cancelled(interrupt["id"]).task_id
    execute(second)
    got = json.loads(text(second))
    assert (got["action"], got["values"]) == (None, {})
    third = begun("choose", 3)
    assert interrupts_of(third)
    closed = questions.read("alice", [interrupt["id"]])[0]
    assert closed is not None
    assert closed.ended == "cancelled"


@pytest.mark.usefixtures("plugin")
def test_a_submission_whose_run_failed_may_be_sent_again() -> None:
    first = begun("delete")
    interrupt_id = interrupts_of(first)[0]["id"]
    second = answered(interrupt_id, "no").task_id
    assert answered(interrupt_id, "no").task_id == second
    end_run.end_with_error(second, end_run.FAILED)
    third = answered(interrupt_id, "no").task_id
    assert third != second
    execute(third)
    assert json.loads(text(third))["action"] == "no"
