"""CopilotKit, assistant-ui and TanStack AI in Chromium, as their users set them up, against the local stack.

The assistant's model is in the test, so that each scene knows what it was asked, and how often.
"""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.clients.front_ends import (
    FRONT_ENDS,
    NO,
    YES,
    Browser,
    Page,
    answered,
    answers,
    browsing,
    heard,
    stack_with_model,
)
from tests.integration.models.model_server import ModelServer


@pytest.fixture(scope="module")
def served() -> Iterator[tuple[str, ModelServer]]:
    """The stack's base URL, and its model."""
    with stack_with_model() as served:
        yield served


@pytest.fixture(scope="module")
def browser(served: tuple[str, ModelServer]) -> Iterator[Browser]:
    with browsing(served[0]) as browser:
        yield browser


@pytest.fixture
def model(served: tuple[str, ModelServer]) -> ModelServer:
    """The model, which has not been asked yet."""
    model = served[1]
    model.answers.clear()
    model.requests.clear()
    model.left.clear()
    return model


Open = Callable[..., Page]


@pytest.fixture
def opened(browser: Browser, served: tuple[str, ModelServer]) -> Iterator[Open]:
    """Opens pages; what they asked for is checked in the end."""
    pages: list[Page] = []

    def opened(front: str, **settings: Any) -> Page:
        pages.append(Page(browser, served[0], front, **settings))
        return pages[-1]

    yield opened
    for page in pages:
        page.http.close()
    for page in pages:
        page.check()


@pytest.fixture(params=FRONT_ENDS[:2])
def page(request: pytest.FixtureRequest, opened: Open) -> Page:
    """A page of each front end."""
    return opened(request.param)


def test_a_conversation_is_shown_kept_and_heard(page: Page, model: ModelServer) -> None:
    """EVT-19, EVT-21, EVT-24, CMP-09."""
    model.will(answers("Hello ", "there."), answers("Still here."))
    page.say("Good morning")
    page.sees("Hello there.")
    page.say("Are you there?")
    page.sees("Still here.")
    said = [("user", "Good morning"), ("assistant", "Hello there."), ("user", "Are you there?")]
    assert page.words == page.history == [*said, ("assistant", "Still here.")]
    assert [heard(each) for each in model.requests] == [said[:1], said]


TITLE = ("t1", "read_title", {"part": "chapter 1"})
CLOCK = ("s1", "get_current_time", {"time_zone": "Europe/Paris"})
CONFIRM = ("c1", "confirm", {"action": "delete 3 files"})
ASKED = "confirm delete 3 files"
READ = "the title of chapter 1"


@pytest.mark.parametrize("calls", [(CLOCK, TITLE)], ids=["server first"])
def test_tools_of_both_kinds_in_one_step(page: Page, model: ModelServer, calls: tuple[Any, ...]) -> None:
    """EVT-10 … EVT-12, EVT-22: each is called once, and the model hears both answers."""
    model.will(answers(calls=calls), answers("Both are known."))
    page.say("What is it called, and what time is it?")
    page.sees("Both are known.")
    page.sees(READ)
    assert len(model.requests) == 2
    told = answered(model.requests[1])
    assert told.pop("read_title chapter 1") == READ
    assert "Europe/Paris" in told.pop("get_current_time Europe/Paris")
    assert told == {}
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


@pytest.mark.parametrize(("button", "said"), [("Yes", YES), ("No", NO)])
def test_a_human_says_yes_or_no(page: Page, model: ModelServer, button: str, said: str) -> None:
    """EVT-20 … EVT-22: the run waits for it, however long; the conversation goes on after it."""
    model.will(answers("I have to ask.", calls=(CONFIRM,)), answers("As you say."), answers("Gone on."))
    page.say("Delete my files")
    page.sees("I have to ask.", settled=False)
    page.click(button)
    page.sees("As you say.")
    page.say("What next?")
    page.sees("Gone on.")
    assert answered(model.requests[1]) == answered(model.requests[2]) == {ASKED: said}
    assert len(model.requests) == 3
    texts = ["Delete my files", "I have to ask.", "As you say.", "What next?", "Gone on."]
    assert [text for _, text in page.history] == texts
