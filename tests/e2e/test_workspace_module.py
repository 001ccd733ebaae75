"""The example of a workspace's module as its README starts it: from its file alone to a page over a WebSocket."""

import re
from collections.abc import Iterator

import pytest

from tests.support.paths import ROOT
from tests.support.stack.app import App
from tests.support.stack.process import running
from tests.support.workspace.live import LivePage

README = (ROOT / "examples/workspace_module/README.md").read_text(encoding="utf-8")
(START,) = re.findall(r"^```sh\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """The local stack as the README starts it."""
    variable, _, file = START.split()[0].partition("=")
    with running(environment={variable: file}) as url:
        yield url


def test_a_page_plans_a_trip(url: str) -> None:
    """WSP-10, WSP-11, WSP-28, WSP-33: The agent has the name of the file."""
    assert "taskName=trip" in README
    app = App(url, "alice")
    with LivePage(app, "trip") as page:
        page.dial().start()
        page.wait(lambda: page.state.sessions and page.prompt())
        page.choose("hills", "place")
        page.wait(lambda: page.question("place")["selectedOptionId"] == "hills" and not page.is_thinking())
        page.answer("days", "3")
        (file,) = page.wait(lambda: page.state.artifacts.get(page.state.active))
        assert file["title"] == "trip.txt"
        page.wait(lambda: {subtask["status"] for subtask in page.state.subtasks[page.state.active]} == {"done"})
        assert page.faults == []
    app.http.close()
