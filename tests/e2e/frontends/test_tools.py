"""Tools of the page and of the service, a human's yes and no, and a shared state."""

import re
from typing import Any

import pytest

from tests.clients.front_ends import NO, YES, Open, Page, answered, answers
from tests.support.models.server import ModelServer

TITLE = ("t1", "read_title", {"part": "chapter 1"})
CLOCK = ("s1", "get_current_time", {"time_zone": "Europe/Paris"})
CONFIRM = ("c1", "confirm", {"action": "delete 3 files"})
ASKED = "confirm delete 3 files"
READ = "the title of chapter 1"


@pytest.mark.parametrize("calls", [(TITLE, CLOCK), (CLOCK, TITLE)], ids=["client first", "server first"])
def test_tools_of_both_kinds_in_one_step(page: Page, model: ModelServer, calls: tuple[Any, ...]) -> None:
    """EVT-10 … EVT-12, EVT-22: each is called once, and the model hears both answers."""
    model.will(answers(calls=calls), answers("Both are known."))
    page.say("What is it called, and what time is it?")
    page.sees("Both are known.")
    page.sees(READ)
    assert len(model.requests) == 2
    output = answered(model.requests[1])
    assert output.pop("read_title chapter 1") == READ
    assert "Europe/Paris" in output.pop("get_current_time Europe/Paris")
    assert output == {}
    assert page.history[-1] == ("assistant", "Both are known.")


def test_several_calls_of_the_page_in_one_step(page: Page, model: ModelServer) -> None:
    """EVT-11, EVT-12: all are answered before the model goes on."""
    three = tuple((f"t{number}", "read_title", {"part": f"chapter {number}"}) for number in (1, 2, 3))
    model.will(answers("Let me look.", calls=three), answers("That is all."))
    page.say("Which chapters are there?")
    page.sees("That is all.")
    assert len(model.requests) == 2
    titles = {f"read_title chapter {number}": f"the title of chapter {number}" for number in (1, 2, 3)}
    assert answered(model.requests[1]) == titles


@pytest.mark.parametrize(("button", "expected"), [("Yes", YES), ("No", NO)])
def test_a_human_says_yes_or_no(page: Page, model: ModelServer, button: str, expected: str) -> None:
    """EVT-20 … EVT-22: the run waits for it, however long; the conversation goes on after it."""
    model.will(answers("I have to ask.", calls=(CONFIRM,)), answers("As you say."), answers("Gone on."))
    page.say("Delete my files")
    page.sees("I have to ask.", settled=False)
    page.click(button)
    page.sees("As you say.")
    page.say("What next?")
    page.sees("Gone on.")
    assert answered(model.requests[1]) == answered(model.requests[2]) == {ASKED: expected}
    assert len(model.requests) == 3
    texts = ["Delete my files", "I have to ask.", "As you say.", "What next?", "Gone on."]
    assert [text for _, text in page.history] == texts


def test_a_result_that_comes_later_than_others(page: Page, model: ModelServer) -> None:
    """EVT-12, EVT-22: a tool of the page, one of the service and a human's answer, of one step."""
    model.will(answers(calls=(TITLE, CLOCK, CONFIRM)), answers("All three."))
    page.say("Do everything")
    page.sees("delete 3 files", settled=False)
    assert len(model.requests) == 1
    page.click("Yes")
    page.sees("All three.")
    assert len(model.requests) == 2
    output = answered(model.requests[1])
    assert (output["read_title chapter 1"], output[ASKED], len(output)) == (READ, YES, 3)


def test_the_page_and_the_agent_share_a_state(opened: Open, model: ModelServer) -> None:
    """C46: with CopilotKit's own hook. The page tells it, the agent changes it, the page goes on from there."""
    change = ("u1", "update_state", {"changes": {"colour": "blue", "lamp": {"on": True}}})
    model.will(answers(calls=(change,)), answers("It is blue now."), answers("It is green."))
    page = opened("copilotkit", state={"colour": "red", "lamp": {"on": False, "watts": 5}})
    page.say("Make it blue")
    page.sees("It is blue now.")
    assert page.state == {"colour": "blue", "lamp": {"on": True, "watts": 5}}
    page.click("Green")
    page.say("What is it now?")
    page.sees("It is green.")
    assert page.state == {"colour": "green", "lamp": {"on": True, "watts": 5}}
    system = [request[1]["messages"][0]["content"] for request in model.requests]
    assert [('"red"' in item, '"green"' in item) for item in system] == [(True, False), (True, False), (False, True)]
    assert len(model.requests) == 3


@pytest.mark.parametrize("name", ["files.read title", "读取标题"])
def test_a_tool_may_have_any_name(opened: Open, model: ModelServer, name: str) -> None:
    """C44: providers take fewer names than front ends do."""
    page = opened("copilotkit", tool=name)
    model.will(answers("Hello."))
    page.say("Hi")
    page.sees("Hello.")
    (mapped,) = [
        tool["function"]["name"]
        for tool in model.requests[0][1]["tools"]
        if "Read the title of the page" in tool["function"]["description"]
    ]
    assert re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", mapped)
    model.will(answers(calls=(("t1", mapped, {"part": "chapter 1"}),)), answers("That is it."))
    model.answers.popleft()
    page.say("What is it called?")
    page.sees("That is it.")
    assert answered(model.requests[-1]) == {f"{mapped} chapter 1": READ}
    assert len(model.requests) == 3
