"""The same front ends with Yarrow's client in place of AG-UI's, over a line that is cut at random: nobody notices."""

from collections.abc import Iterator

import pytest

from tests.clients.dropping_proxy import DroppingProxy, dropping, random_cuts
from tests.clients.front_ends import FRONT_ENDS, Open, Page, answered, answers, begins
from tests.support.models.server import ModelServer

TITLE = ("t1", "read_title", {"part": "chapter 1"})
OF_THE_LINE = ["net::ERR_"]
"""What the browser itself complains of where the line is cut."""
CLOCK = ("s1", "get_current_time", {"time_zone": "Europe/Paris"})


@pytest.fixture
def line(served: tuple[str, ModelServer]) -> Iterator[DroppingProxy]:
    """A network that cuts most streams."""
    with dropping(served[0]) as proxy:
        proxy.cuts = random_cuts(18, 40)
        yield proxy


@pytest.fixture(params=FRONT_ENDS)
def page(request: pytest.FixtureRequest, opened: Open, line: DroppingProxy) -> Page:
    return opened(request.param, service=line.url, isResumable=True)


def test_a_conversation_with_tools_is_whole(page: Page, line: DroppingProxy, model: ModelServer) -> None:
    """EVT-04, EVT-19, EVT-24, CMP-09: no lost or repeated word, no tool called twice."""
    model.will(answers("第一", "章，", "第二章。"), answers(calls=(TITLE, CLOCK)), answers("It is ", "called so."))
    page.say("Good morning")
    page.sees("第一章，第二章。")
    assert page.words == [("user", "Good morning"), ("assistant", "第一章，第二章。")]
    page.say("What is its title?")
    page.sees("It is called so.")
    texts = [("user", "Good morning"), ("assistant", "第一章，第二章。"), ("user", "What is its title?")]
    assert page.history == [*texts, ("assistant", "It is called so.")]
    assert "".join(text for _, text in page.words).count("It is called so.") == 1
    assert len(model.requests) == 3
    assert answered(model.requests[-1])["read_title chapter 1"] == "the title of chapter 1"
    assert len(line.cursors) > 6
    page.do("forgive", texts=OF_THE_LINE)


@pytest.mark.parametrize("front", ["assistant-ui", "copilotkit"])
def test_to_stop_is_to_cancel(opened: Open, line: DroppingProxy, model: ModelServer, front: str) -> None:
    """CAN-01: at the service too, without waiting for the next message."""
    page = opened(front, service=line.url, isResumable=True)
    model.will(begins("Once upon a time"))
    page.say("Tell me a story")
    page.sees("Once upon a time", settled=False)
    page.click("Stop")
    assert model.left.wait(10)
    page.do("forgive", texts=OF_THE_LINE)
