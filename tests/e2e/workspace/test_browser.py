"""The workspace in a browser: a real WebSocket with a ticket in its address, from a page of another origin."""

from pathlib import Path

from tests.support.paths import ROOT
from tests.support.stack import browser
from tests.support.stack.app import SignIn
from tests.support.workspace.live import ticket_of

SECONDS = 60
PAGE = ROOT / "tests/clients/workspace.html"
CAST = {"method": "coins", "matter": "career", "question": "Should I change my job this spring?"}


def test_a_page_casts_and_reconnects_by_its_ticket(sign_in: SignIn, tmp_path: Path) -> None:
    """WSP-38, C52, C54: it sends one init and three answers; after the line dropped nothing, and shows the same."""
    app = sign_in("alice", locale="en", zoneinfo="Asia/Shanghai")
    url = f"{ticket_of(app, 'cast')['url']}&clientTag=renderer-in-chromium"
    task = {"url": url, "taskName": "cast", "answers": CAST, "artifacts": 2}
    output = browser.report_of({"/": ("text/html", PAGE)}, task, tmp_path, SECONDS)
    assert output["errors"] == []
    # An answer that came after the cast had begun is answered in its turn, perhaps while the line is down.
    before, after = output["before"].pop("conversation"), output["after"].pop("conversation")
    assert after[: len(before)] == before
    assert len(after) == len(set(after))
    assert output["after"] == output["before"]
    assert output["sentSinceOpen"] == 0
    assert output["before"]["subtasks"] == ["cast done", "chart done", "judge done", "write done"]
    assert output["files"] == [200, 200]
    messages = [text for text in before if text.startswith("user: ")]
    # Frames sent at once are separate invocations, so the last two may change places.
    assert any(message.endswith(CAST["question"]) for message in messages)
    assert len(messages) == len(CAST)
