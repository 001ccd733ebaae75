"""Questions of runs to their user, as pages of a workspace have them (ASK-01, WSP-25)."""

import json
from collections.abc import AsyncGenerator, Callable
from typing import Any

import pytest

from tests.support.workspace.agent import Agent, say
from tests.support.workspace.door import ALICE, Door
from tests.support.workspace.page import Page
from yarrow.protocol.interrupts import ResumeEntry
from yarrow.protocol.runner.models import AgentRunContext, AgentRunResult
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.runs.answer_questions import answer_question
from yarrow.store import questions

Load = Callable[..., Page]
Ask = Callable[[AgentRunAPIProxy], Any]


@pytest.fixture
def asks(agent: Agent, monkeypatch: pytest.MonkeyPatch) -> Callable[[Ask], None]:
    """Have the agent ask this when it gets a text, and say what came of it; other commands are answered as ever."""
    answer_others = agent.run

    def use(ask: Ask) -> None:
        async def run(context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
            if context.event.event_type != "workspace.input":
                async for result in answer_others(context, api):
                    yield result
                return
            type_, data = say(f"came: {await ask(api)}")
            yield AgentRunResult(run_id=context.run_id, type=type_, data=data)

        monkeypatch.setattr(agent, "run", run)

    return use


def the_question(page: Page, text: str) -> dict[str, Any]:
    found: dict[str, Any] = next(one for one in page.prompt()["questions"] if one["text"] == text)
    return found


def texts(page: Page) -> list[str]:
    return [message["content"] for message in page.messages()]


async def confirm(api: AgentRunAPIProxy) -> str:
    answer = await api.ask("Shall I?")
    return f"{answer.status} {answer.value}"


async def choose(api: AgentRunAPIProxy) -> str:
    answer = await api.ask("Which?", "choice", options=["red", {"value": "blue", "label": "The blue one"}])
    return str(answer.value)


async def name(api: AgentRunAPIProxy) -> str:
    return str((await api.ask("What name?", "text")).value)


def test_a_confirmation_is_a_choice_of_the_prompt(door: Door, load: Load, asks: Callable[[Ask], None]) -> None:
    """ASK-01: its answer goes on with the run, and the question leaves the prompt."""
    asks(confirm)
    page = load()
    page.say("go")
    door.settle()
    question = the_question(page, "Shall I?")
    assert [option["label"] for option in question["options"]] == ["Yes", "No"]
    assert "q_track" in [one["id"] for one in page.prompt()["questions"]]
    page.choose("yes", question["id"])
    door.settle()
    assert texts(page)[-2:] == ["[option] Yes", "came: answered True"]
    assert [one["id"] for one in page.prompt()["questions"]] == ["q_track", "q_salary", "q_upload_profile"]
    assert not list(questions.open_of(ALICE.user_id, 5))


@pytest.mark.parametrize(
    ("ask", "text", "reply", "came"),
    [
        (choose, "Which?", ("choose", "1"), "came: blue"),
        (name, "What name?", ("answer", "Alba"), "came: Alba"),
        (confirm, "Shall I?", ("choose", "no"), "came: refused False"),
    ],
)
def test_each_kind_is_answered_as_pages_answer(
    door: Door, load: Load, asks: Callable[[Ask], None], ask: Ask, text: str, reply: tuple[str, str], came: str
) -> None:
    asks(ask)
    page = load()
    page.say("go")
    door.settle()
    question = the_question(page, text)
    if reply[0] == "choose":
        page.choose(reply[1], question["id"])
    else:
        page.answer(question["id"], reply[1])
    door.settle()
    assert texts(page)[-1] == came


def test_a_page_that_comes_later_has_the_question_and_learns_of_its_answer(
    door: Door, load: Load, asks: Callable[[Ask], None]
) -> None:
    """WSP-38: whoever answers, here another device by its route."""
    asks(choose)
    page = load()
    page.say("go")
    door.settle()
    second = load("renderer-2")
    door.settle()
    question = the_question(second, "Which?")
    assert [option["label"] for option in question["options"]] == ["red", "The blue one"]
    answer_question(ALICE, ResumeEntry(question["id"], "resolved", "red"))
    door.settle()
    for shown in (page, second):
        assert texts(shown)[-2:] == ["red", "came: red"]
        assert question["id"] not in [one["id"] for one in shown.prompt()["questions"]]


def test_a_reply_to_what_was_answered_elsewhere_is_told(door: Door, load: Load, asks: Callable[[Ask], None]) -> None:
    """ASK-04: the first answer counts."""
    asks(confirm)
    page = load()
    page.say("go")
    door.settle()
    question = the_question(page, "Shall I?")
    answer_question(ALICE, ResumeEntry(question["id"], "resolved", {"approved": False}))
    page.choose("yes", question["id"])
    door.settle()
    assert "came: refused False" in texts(page)
    assert "came: answered True" not in texts(page)
    assert any("answered or closed before" in text for text in texts(page))


def test_a_new_text_leaves_the_question(door: Door, load: Load, asks: Callable[[Ask], None]) -> None:
    asks(confirm)
    page = load()
    page.say("go")
    door.settle()
    first = the_question(page, "Shall I?")
    page.say("go again")
    door.settle()
    again = the_question(page, "Shall I?")
    assert again["id"] != first["id"]
    assert [one.id for one in questions.open_of(ALICE.user_id, 5)] == [again["id"]]


TRIP: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "title": "Name", "minLength": 2, "description": "As it is in the passport."},
        "seats": {"type": "integer", "title": "Seats", "minimum": 1, "maximum": 9},
        "day": {"type": "string", "format": "date"},
        "class": {"title": "Class", "enum": ["economy", 2]},
        "insured": {"type": "boolean", "title": "With insurance"},
        "meals": {"type": "array", "items": {"enum": ["lunch", "dinner"]}},
    },
    "required": ["name", "seats", "day", "class", "insured"],
}
"""A form with a required field of each kind that pages show, and one that they do not."""


FILLED = {"Name": "Alba", "Seats": "3", "day": "2026-12-24", "Class": "0", "With insurance": "yes"}


async def travel(api: AgentRunAPIProxy) -> str:
    return json.dumps((await api.ask("Who travels?", "form", response_schema=TRIP)).value)


def fill(page: Page, text: str, reply: str) -> None:
    question = the_question(page, text)
    if question.get("options"):
        page.choose(reply, question["id"])
    else:
        page.answer(question["id"], reply)


def test_a_form_is_a_group_of_questions_that_is_answered_when_all_are(
    door: Door, load: Load, asks: Callable[[Ask], None]
) -> None:
    """ASK-01: each required field is one, and the run goes on with their values once; others are left out."""
    asks(travel)
    page = load()
    page.say("go")
    door.settle()
    fields = [one for one in page.prompt()["questions"] if one.get("group") == "Who travels?"]
    assert [(one["text"], one.get("inputType")) for one in fields] == [
        *(("Name", "text"), ("Seats", "number"), ("day", "date"), ("Class", None), ("With insurance", None)),
    ]
    assert fields[0]["placeholder"] == "As it is in the passport."
    assert [option["label"] for option in fields[3]["options"]] == ["economy", "2"]
    for text, reply in (("Name", "Alba"), ("Seats", "3"), ("day", "2026-12-24"), ("Class", "1")):
        fill(page, text, reply)
        door.settle()
        assert the_question(page, text).get("answerValue", reply) == reply
    assert [one.message for one in questions.open_of(ALICE.user_id, 5)] == ["Who travels?"]
    fill(page, "With insurance", "no")
    door.settle()
    answer = {"name": "Alba", "seats": 3, "day": "2026-12-24", "class": 2, "insured": False}
    assert texts(page)[-1] == f"came: {json.dumps(answer)}"
    assert not any(one.get("group") == "Who travels?" for one in page.prompt()["questions"])


def test_all_fields_of_a_form_may_come_in_a_burst(door: Door, load: Load, asks: Callable[[Ask], None]) -> None:
    """WSP-11: as pages confirm all at once."""
    asks(travel)
    page = load()
    page.say("go")
    door.settle()
    for text, reply in reversed(FILLED.items()):
        fill(page, text, reply)
    door.settle()
    came = [text for text in texts(page) if text.startswith("came:")]
    assert came == ['came: {"name": "Alba", "seats": 3, "day": "2026-12-24", "class": "economy", "insured": true}']


def test_a_form_that_does_not_fit_is_told_and_can_be_mended(
    door: Door, load: Load, asks: Callable[[Ask], None]
) -> None:
    """ASK-04: its schema is checked where the answer is taken; the fields stay, with what was said."""
    asks(travel)
    page = load()
    page.say("go")
    door.settle()
    for text, reply in {**FILLED, "Seats": "30"}.items():
        fill(page, text, reply)
    door.settle()
    assert any("does not match its schema" in text for text in texts(page))
    assert the_question(page, "Name")["answerValue"] == "Alba"
    fill(page, "Seats", "3")
    door.settle()
    assert texts(page)[-1].startswith('came: {"name": "Alba", "seats": 3')


@pytest.mark.parametrize(
    "changed",
    [
        {"required": []},
        {"required": ["meals"]},
        {"required": ["name"], "anyOf": [{"required": ["day"]}]},
        {"required": ["nothing"]},
        {"required": ["n" * 100], "properties": {"n" * 100: {"type": "string"}}},
        {"required": ["sizes"], "properties": {"sizes": {"type": "object"}}},
        {"required": ["many"], "properties": {"many": {"enum": list(range(51))}}},
    ],
    ids=["nothing required", "an array", "a condition", "no such field", "a long name", "an object", "many choices"],
)
def test_a_form_that_a_page_cannot_show_is_only_told(
    door: Door, load: Load, asks: Callable[[Ask], None], changed: dict[str, Any]
) -> None:
    """Its message says what it asks; the inbox takes its answer."""

    async def form(api: AgentRunAPIProxy) -> str:
        return (await api.ask("Sizes?", "form", response_schema={**TRIP, **changed})).status

    asks(form)
    page = load()
    page.say("go")
    door.settle()
    assert texts(page)[-1] == "Sizes?"
    assert not any(one.get("group") == "Sizes?" for one in page.prompt()["questions"])
    (question,) = questions.open_of(ALICE.user_id, 5)
    answer_question(ALICE, ResumeEntry(question.id, "cancelled"))
    door.settle()
    assert texts(page)[-1] == "came: cancelled"
