"""Questions of runs to their user, as pages of a workspace have them (ASK-01, WSP-25)."""

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


def test_a_form_is_only_told(door: Door, load: Load, asks: Callable[[Ask], None]) -> None:
    """The page has none; the inbox takes its answer."""

    async def form(api: AgentRunAPIProxy) -> str:
        schema = {"type": "object", "properties": {"size": {"type": "number"}}, "required": ["size"]}
        return str((await api.ask("Sizes?", "form", response_schema=schema)).value)

    asks(form)
    page = load()
    page.say("go")
    door.settle()
    assert texts(page)[-1] == "Sizes?"
    assert all(one["text"] != "Sizes?" for one in page.prompt()["questions"])
    (question,) = questions.open_of(ALICE.user_id, 5)
    answer_question(ALICE, ResumeEntry(question.id, "resolved", {"size": 4}))
    door.settle()
    assert texts(page)[-1] == "came: {'size': 4}"
