"""An agent's question in released front ends, answered by their own hooks (ASK-02, ASK-03)."""

from collections.abc import Iterator

import pytest

from tests.clients.front_ends import FRONT_ENDS, Browser, Page, browsing
from tests.clients.scenes_stack import scenes_stack

INTERRUPTS = "/api/v1/agent/interrupts"


@pytest.fixture(scope="module")
def asking() -> Iterator[tuple[str, Browser]]:
    """A stack whose default agent asks, and a browser."""
    with scenes_stack(AGUI_AGENT="scenes") as url, browsing(url) as browser:
        yield url, browser


@pytest.fixture(params=FRONT_ENDS)
def page(request: pytest.FixtureRequest, asking: tuple[str, Browser]) -> Iterator[Page]:
    page = Page(asking[1], asking[0], request.param)
    yield page
    page.http.close()
    page.check()


@pytest.mark.parametrize(
    ("button", "answer"),
    [("Approve", "answered: true"), ("Refuse", "refused: false"), ("Leave", "cancelled: null")],
)
def test_a_question_is_answered_by_the_front_ends_own_hook(page: Page, button: str, answer: str) -> None:
    """ASK-02, ASK-03: the conversation goes on in the same thread, and the next message after it."""
    page.say("ask for a yes")
    page.sees("Shall I delete 15 files?")
    page.click(button)
    page.sees(answer)
    assert page.http.get(INTERRUPTS).json()["interrupts"] == []
    page.say("你好")
    page.sees("有什么可以帮你的吗")
    history = page.history
    assert ("assistant", answer) in history
    assert history[-1] == ("assistant", "你好!有什么可以帮你的吗?")


def test_a_question_and_another_after_it(page: Page) -> None:
    """ASK-02: MESSAGES_SNAPSHOT before the second one leaves the page as it was."""
    page.say("ask in turn")
    page.sees("The first?")
    page.click("Approve")
    page.sees("The second?")
    shown = "".join(text for _, text in page.words)
    assert shown.count("Let me see.") == 1
    page.click("Approve")
    page.sees("answered: true")
    assert ("".join(text for _, text in page.words)).count("Let me see.") == 1


@pytest.mark.parametrize(("button", "answer"), [("Approve", "answered: true"), ("Refuse", "refused: false")])
def test_a_question_about_a_call_of_a_tool(page: Page, button: str, answer: str) -> None:
    """ASK-03: CopilotKit's own tool message beside its answer is not a second result, and the conversation goes on."""
    page.say("ask about a call")
    page.sees("Shall I send this mail?")
    page.click(button)
    page.sees(answer)
    page.say("你好")
    page.sees("有什么可以帮你的吗")
    assert page.history[-1] == ("assistant", "你好!有什么可以帮你的吗?")
