"""A workspace in the console: a guided cast to its end, a cut line, a reload, pause and cancel, odd frames."""

import json
from typing import Any

from tests.browser.console import PHONE, Page
from tests.browser.hostile import HOSTILE
from tests.clients.front_ends import Browser

QUESTION = "Should I change my job this spring?"


def opened(page: Page, task: str = "cast") -> None:
    """The workspace, whose line goes through the driver's hands."""
    page.do("sockets")
    page.do("reload")
    page.sign_in()
    page.at(f"#/workspace/{task}")
    page.sees(".messages li")


def messages(page: Page) -> list[str]:
    return [str(item) for item in page.do("texts", selector=".messages > li")]


def frame(type_: str, data: Any) -> str:
    return json.dumps({"type": type_, "version": "1.0", "taskName": "cast", "timestamp": 1, "data": data})


def test_a_guided_cast_comes_to_its_end_through_a_cut_line_and_a_reload(page: Page) -> None:
    """WSP-09, WSP-10, WSP-15, WSP-21: nothing is doubled or lost; a plate to download; paused it takes no input."""
    opened(page)
    page.click("You throw the coins for me")
    page.do("sees", selector=".messages .mine")
    page.do("cut")
    page.do("reads", text="Connecting again …")
    page.sees(".state.line.open")
    page.has("value", 1, expression="document.querySelectorAll('.messages .mine').length")
    page.click("Career")
    page.do("sees", selector=".messages .mine", nth=1)
    page.click("Pause")
    page.sees(".standing.paused")
    page.has("value", True, expression="document.querySelector('.panel .answer input').disabled")
    page.click("Resume")
    page.sees(".standing.active")
    page.do("fill", selector=".panel .answer input", nth=1, text=QUESTION)
    page.do("press", selector=".panel .answer input", nth=1, key="Enter")
    page.sees(".panel a[download]")
    page.do("reads", text="You can ask further about this cast.")
    page.do("sees", selector=".panel ol:not(.log) .standing:text-is('Done')", nth=3)
    page.has("texts", ["Done"] * 4, selector=".panel ol:not(.log) .standing")
    before = messages(page)
    assert len(before) == len(set(before))
    page.do("reload")
    page.do("reads", text="You can ask further about this cast.")
    assert messages(page) == before
    page.do("fill", selector="#say", text="When will it be decided?")
    page.do("press", selector="#say", key="Enter")
    page.do("sees", selector=".messages .mine", nth=3)
    page.sees("#say + button:disabled")
    page.do("reads", text="Ready")
    page.do("click", selector=".work button", nth=2)
    page.sees(".standing.canceled")
    page.click("New session")
    page.do("reads", text="Session 2")
    page.click("Delete")
    page.do("click", selector="dialog .primary")
    page.sees(".standing.canceled")
    page.check()


def test_frames_of_every_kind_break_nothing_and_hostile_texts_run_nothing(page: Page) -> None:
    """WSP-35: null and unknown frames; a snapshot replaces, an append with a known id does not double."""
    opened(page)
    texts = [text.replace("\0", "") for text in HOSTILE]
    one = {"id": "s-1", "name": texts[0], "updatedAt": 1}
    replies = [{"id": f"m-{n}", "role": "assistant", "content": text, "createdAt": n} for n, text in enumerate(texts)]
    links = ["javascript:alert(1)", "data:text/html,<script>alert(1)</script>", "http://evil.example/", "//x", 7]
    picture = {"name": texts[0], "mimeType": 'image/png"onerror="alert(1)', "size": 1, "contentBase64": '"><img src=x>'}
    snapshot = {
        "sessions": [one, None, {"id": None}],
        "activeSessionId": "s-1",
        "conversations": {
            "s-1": [*replies, None, {"id": "x", "content": {}, "attachments": [picture, None], "options": 3}]
        },
        "subtasks": {"s-1": [{"key": texts[1], "status": texts[2]}, None]},
        "artifacts": {"s-1": [{"id": str(n), "title": texts[n], "url": url} for n, url in enumerate(links)]},
        "runtimeLogs": {"s-1": [{"id": str(n), "text": text, "time": "x"} for n, text in enumerate(texts)]},
        "prompts": {
            "s-1": {"text": texts[3], "questions": [None, {"id": "q", "text": texts[4], "inputType": texts[5]}]}
        },
        "executionStates": {"s-1": None},
    }
    for whole in ("null", "[]", "{", '"x"', frame("agent_state_snapshot", snapshot)):
        page.do("say", frames=[whole])
    page.do("reads", text="Ready")
    page.do("sees", selector=".messages > li", nth=len(texts))
    shown = messages(page)
    odd: list[Any] = [
        None,
        [],
        "x",
        {"sessionId": "s-1", "append": None, "prompt": None, "items": 3, "state": []},
        {"sessionId": 4},
    ]
    updates = ("conversation", "artifact", "runtime_log", "execution")
    page.do("say", frames=[frame(f"agent_{update}_update", data) for update in (*updates, "mystery") for data in odd])
    page.do("say", frames=[frame("agent_conversation_update", {"sessionId": "s-1", "append": replies[:3]})])
    refusal = {"code": "option_unknown", "message": texts[1]}
    page.do("say", frames=[frame("agent_error", refusal)])
    page.sees(".problem", "option_unknown")
    assert messages(page) == shown
    page.do("click", selector=".panel:last-child summary")
    page.do("sees", selector=".log li", nth=len(texts) - 1)
    elements = "main :is(img, iframe, script, style, math, object, embed, form[action], [onerror], [ping])"
    assert page.do("value", expression=f"document.querySelectorAll('{elements}').length") == 0
    addresses = "[...document.querySelectorAll('main a[download]')].map(each => each.href)"
    assert page.do("value", expression=addresses) == []
    page.do("say", frames=[frame("agent_state_snapshot", {"sessions": []})])
    page.do("reads", text="No session. Begin a new one.")
    page.check()


def test_workspaces_are_accessible_and_say_what_is_wrong(browser: Browser, served: str) -> None:
    """In both themes, on a phone and in Chinese; a workspace that there is not, a service that does not answer."""
    page = Page(browser, served, language="zh-TW", **PHONE)
    opened(page)
    page.do("click", selector=".messages .options button", nth=1)
    page.do("sees", selector=".messages .mine")
    page.do("click", selector=".panel:last-child summary")
    page.look("workspace")
    page.do("click", selector=".sessions-bar .quiet")
    page.sees("dialog")
    page.look("deletion")
    page.at("#/workspace")
    page.sees(".by-name")
    page.look("choice")
    page.do("fill", selector="#task", text="nobody's")
    page.do("press", selector="#task", key="Enter")
    page.sees(".problem", "這裡沒有這個工作區")
    page.look("no such workspace")
    page.do("refuse", path="/api/v1/workspace/tickets", status=403, code="AGENT_FORBIDDEN")
    page.at("#/workspace/cast")
    page.sees(".problem")
    page.do("click", selector=".problem button")
    page.sees(".messages li")
    page.check("403", "404")


def test_the_history_opens_a_workspace_and_its_glass_shows_its_runs(page: Page) -> None:
    """CMP-09, EVT-05: by the user's words; a session that has none yet has the workspace's name."""
    page.sign_in()
    page.at("#/workspace/assistant")
    page.sees(".sessions-bar")
    page.click("New session")
    page.do("reads", text="Session 2")
    page.do("fill", selector="#say", text="Remember the milk")
    page.do("press", selector="#say", key="Enter")
    page.do("reads", text="You said: “Remember the milk”")
    place = str(page.do("hash"))
    page.at("#/workspace/cast")
    page.do("reads", text="I guide you through a cast")
    page.click("History", "link")
    page.do("sees", selector=".entry .seal:has(.kind)", nth=1)
    entries = page.do("texts", selector=".entry .about")
    assert [entry.split("\n")[0] for entry in entries] == ["Guided cast", "Remember the milk"]
    assert [entry.split("\n")[1].split(" · ")[0] for entry in entries] == ["Workspace", "Workspace"]
    page.do("click", selector=".entry a", nth=1)
    page.do("reads", text="You said: “Remember the milk”")
    page.sees(".work button")
    page.has("hash", place)
    page.click("See how it was streamed", "link")
    page.do("click", selector=".entry a")
    page.do("reads", text="RUN_FINISHED")
    page.at("#/history")
    page.do("click", selector=".entry a")
    page.do("reads", text="I guide you through a cast")
    page.click("See how it was streamed", "link")
    page.click("Open the session", "link")
    page.do("reads", text="I guide you through a cast")
    page.look("a workspace")
    page.check()
