"""The console in Chromium: a newcomer's first minute, a line that is cut, reloads, hostile texts, accessibility."""

import json
import random
import re
import uuid
from collections.abc import Iterator
from contextlib import closing
from itertools import islice

import pytest

from tests.browser.console import PHONE, Page
from tests.browser.hostile import HOSTILE
from tests.clients.front_ends import Browser
from tests.support.stack.app import App, cancel
from tests.support.stack.runs import submit

QUESTION = "Should I change my job this spring?"


@pytest.fixture
def waiting(page: Page, served: str) -> Iterator[tuple[App, str]]:
    """A run of the page's user that goes on until it is cancelled, and its user's client."""
    page.sign_in()
    app, thread = App(served, page.user), str(uuid.uuid4())
    with closing(app.http):
        submit(app, "scenes", thread, "run-1", "wait")
        yield app, thread


def numbers(page: Page) -> list[int]:
    """Of the events that are shown, also of those in one line."""
    ranges = [item.split("–") for item in page.do("texts", selector=".event .id")]
    return [number for item in ranges for number in range(int(item[0]), int(item[-1]) + 1)]


def test_a_newcomer_casts_reads_asks_on_and_finds_it_again(page: Page) -> None:
    """The first view takes less than 120 KB."""
    assert 20_000 < page.do("transferred") < 120_000
    page.sign_in()
    page.cast(QUESTION)
    page.sees(".plate h2")
    assert page.sees(".whole .grade")
    page.has("value", 6, expression="document.querySelectorAll('.plate .row').length")
    page.do("press", selector=".plate .hit", key="Enter")
    page.sees(".told", "Line 6")
    page.do("click", selector=".pillars .term")
    page.sees(".told", "Void: not among the ten days")
    page.do("fill", selector="#on", text="When will it be decided?")
    page.do("press", selector="#on", key="Enter")
    page.do("sees", selector="article", nth=1)
    page.sees(".asking-on")
    page.has("texts", ["When will it be decided?"], selector=".asked")
    page.do("hold", parameter="threadId")  # before History knows that it is a cast
    page.click("History", "link")
    page.do("click", selector=".entry a")
    page.do("release")
    assert page.sees(".whole .grade")
    page.has("sees", QUESTION, selector="h1")
    page.click("Sign out")
    page.sees(".welcome")
    page.do("reload")
    page.do("click", selector=".welcome .primary")
    page.sees("#name")  # the issuer has forgotten as well
    page.check()


def test_lines_are_given_by_hand_by_a_time_and_by_a_shake(page: Page) -> None:
    page.sign_in()
    moves = "document.querySelectorAll('.hexagram .moving').length"
    page.do("check", role="radio", name="By a time")
    page.do("fill", selector=".bytime input", text="2026-04-03T20:30")
    page.sees(".submit .primary:enabled")
    page.has("value", 1, expression=moves)
    page.do("check", role="radio", name="Three coins")
    shaken = "new DeviceMotionEvent('devicemotion', { acceleration: { x: 30, y: 0, z: 0 } })"
    page.do("value", expression=f"dispatchEvent({shaken})")
    page.do("reads", text="Throw 2 of 6")
    page.do("fill", selector="#question", text=QUESTION)
    page.do("check", role="radio", name="By hand")
    page.do("check", selector=".byhand input[value=老阳]", nth=5)  # the first line is at the bottom
    page.do("click", selector=".submit button")
    page.sees(".whole")
    marks = page.do("value", expression="[...document.querySelectorAll('.plate .row')].map(e => e.matches('.moving'))")
    assert marks == [False] * 5 + [True]
    page.check()


@pytest.mark.parametrize("language", ["en", "zh-CN", "zh-TW"])
def test_a_plate_is_read_on_a_phone_as_in_the_books(browser: Browser, served: str, language: str) -> None:
    """Palaces, stems and 空 stand on it, the 用神 is marked, a reason lights its lines; texts have at least 12 pixels,
    rows 44, and what one casts with is on the first screen."""
    page = Page(browser, served, language=language, **PHONE)
    page.sign_in()
    page.sees(".board")
    edges = "document.querySelector({0}).getBoundingClientRect().{1}"
    bar = page.do("value", expression=edges.format("'nav.views'", "top"))
    for selector in ("'.coins .label'", "'.submit .primary'"):
        assert page.do("value", expression=edges.format(selector, "bottom")) <= bar
    page.do("fill", selector="#question", text="今年换工作合适吗？")
    page.do("check", selector=".methods label:nth-child(2) input")
    page.do("check", selector=".byhand input[value=老阳]", nth=1)
    page.do("check", selector=".byhand input[value=少阴]", nth=3)
    page.do("click", selector=".submit button")
    page.sees(".whole")
    palaces = page.sees(".palaces")
    assert ("艮宮" if language == "zh-TW" else "艮宫") in palaces
    assert ("fifth generation" in palaces) is (language == "en")
    drawn = "[...document.querySelectorAll('.plate svg text')].map((each) => each.textContent.trim())"
    ganzhi = page.sees(".pillars .term")
    names = page.do("value", expression="[...document.querySelectorAll('.plate .name')].map(e => e.textContent)")
    assert "".join(names[0].split()) == "兄弟壬戌土"
    for text in names:
        branch = "".join(text.split())[3]
        assert text.strip().endswith("空") is (branch in ganzhi[2:])
    assert [text for text in page.do("value", expression=drawn) if text.startswith("用")] == [
        "用 focus" if language == "en" else "用神"
    ]
    sizes = (
        "[...document.querySelectorAll('.plate svg :is(text, tspan)')].map((each) => "
        "parseFloat(getComputedStyle(each).fontSize) * each.ownerSVGElement.getScreenCTM().a)"
    )
    assert min(page.do("value", expression=sizes)) >= 12
    heights = "[...document.querySelectorAll('.plate .hit')].map((each) => each.getBoundingClientRect().height)"
    assert min(page.do("value", expression=heights)) >= 44
    page.do("click", selector=".whole details summary")
    page.do("click", selector=".reasons button")
    lit = "[...document.querySelectorAll('.plate .row.lit .focus')].length"
    page.has("value", 1, expression=lit)  # the first reason says which line is looked at
    page.do("click", selector=".reasons button")
    page.has("value", 0, expression="document.querySelectorAll('.row.lit').length")
    page.check()


def test_a_cast_goes_by_true_solar_time(page: Page) -> None:
    """DIV-20: half the world away from the clock, the hour is another one, and the reading says so."""
    page.sign_in()
    page.do("fill", selector="#question", text=QUESTION)
    page.do("check", role="radio", name="By hand")
    page.do("fill", selector=".longitude input", text="200")
    page.do("click", selector=".submit button")
    page.has("value", True, expression="document.querySelector('.longitude input').validity.rangeOverflow")
    assert page.sees("h1") != QUESTION
    clock = page.do("value", expression="-new Date().getTimezoneOffset()")
    page.do("fill", selector=".longitude input", text=str(clock / 4 + 61.2 if clock < 240 else clock / 4 - 61.2))
    page.do("click", selector=".submit button")
    page.sees(".whole")
    output = page.do("value", expression="document.querySelector('main').textContent")
    assert output.count("true solar time is used here") == 2  # why, and the whole reading
    page.check()


def test_a_reading_is_taken_along_and_a_session_found_deleted_and_brought_back(page: Page, served: str) -> None:
    """As a picture and as JSON; a deletion may be undone until the view is left."""
    page.sign_in()
    thread, _ = page.cast(QUESTION)
    page.sees(".whole")
    picture = page.do("download", role="button", name="Save as picture")
    assert picture["name"] == "Should-I-change-my-job-this-spring.png"
    assert picture["size"][0] == 1080
    assert picture["size"][1] > 1300
    exported = json.loads(page.do("download", role="button", name="Export as JSON")["text"])
    assert [message["role"] for message in exported["messages"]] == ["user", "assistant"]
    page.click("History", "link")
    page.do("fill", selector=".searching input", text="xyzzy")
    page.do("reads", text="0 of 1")
    page.do("fill", selector=".searching input", text="SPRING job")
    page.do("reads", text="1 of 1")
    everything = json.loads(page.do("download", role="button", name="Export as JSON")["text"])
    assert [session["threadId"] for session in everything["sessions"]] == [thread]
    app = App(served, page.user)
    with closing(app.http):
        page.do("click", selector=".entry button")
        page.click("Undo")
        page.sees(".entry")
        assert app.history(threadId=thread)["messages"]
        page.do("click", selector=".entry button")
        page.sees(".empty")
        page.click("Cast", "link")
        page.sees("#question")
        page.click("History", "link")
        page.sees(".empty")
        assert app.http.get("/api/v1/agent/history", params={"threadId": thread}).status_code == 404
    page.check()


def test_a_cut_line_goes_on_without_a_lost_or_repeated_event(page: Page, waiting: tuple[App, str]) -> None:
    """EVT-04: what came meanwhile comes behind the last event; a second reader has the same."""
    app, thread = waiting
    page.at(f"#/glass/{thread}/run-1")
    page.do("reads", text="TEXT_MESSAGE_CONTENT")
    before = numbers(page)
    page.click("Line connected", "switch")
    page.has("sees", "Cut", selector=".state")
    assert cancel(app, thread).status_code == 200
    stored = [number for number, _, _ in app.watch(thread, "run-1")]
    assert numbers(page) == before != stored
    page.click("Second reader", "switch")
    page.click("Line connected", "switch")
    page.do("reads", text="RUN_ERROR")
    assert numbers(page) == stored == list(range(1, len(stored) + 1))
    page.has("sees", f"The line was cut here; it went on after {before[-1]}.", selector=".row.cut")
    page.do("reads", text=f"second reader: {len(stored)}, the same")
    page.do("fill", selector=".filter input", text="run_error")
    page.do("reads", text="shown: 1")
    assert numbers(page) == stored[-1:]
    page.do("click", selector=".event button")
    page.sees(".whole-event pre", f'"threadId": "{thread}"')
    page.click("Go on")
    page.sees(".curl", f'"Last-Event-ID: {stored[-1]}"')
    page.check()


_ALONE = """(() => {
  const code = document.querySelector(".curl code");
  const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) texts.push(walker.currentNode);
  const all = texts.flatMap((text) => [...text.data].map((letter, at) => ({ letter, text, at })));
  const letters = all.filter(({ letter }) => letter !== " ");
  const topOf = ({ text, at }) => {
    const range = document.createRange();
    range.setStart(text, at);
    range.setEnd(text, at + 1);
    return Math.round(range.getBoundingClientRect().top);
  };
  const goesOn = (place) => letters[place].letter === "\\\\" && letters[place + 1].letter === "\\n";
  const ends = [...letters.keys()].filter(goesOn);
  const alone = ends.filter((place) => topOf(letters[place]) !== topOf(letters[place - 1]));
  return [ends.length, alone.length, code.innerText.trimEnd()];
})()"""
"""Of the command that is shown: its lines that go on, those whose sign for it stands in a line of its own, the text."""


def test_no_line_of_a_command_ends_behind_itself(page: Page, waiting: tuple[App, str]) -> None:
    """At any width: a `\\` alone reads as a line of its own. What is copied by hand is the command all the same."""
    _, thread = waiting
    page.at(f"#/glass/{thread}/run-1")
    page.sees(".curl", thread)
    wide = None
    for width in range(360, 900, 9):
        page.do("look", theme="light", width=width)
        ends, alone, text = page.do("value", expression=_ALONE)
        wide = wide or text
        assert (ends, alone, text) == (1, 0, wide), width
    for step, lines in (("Submit", 3), ("Go on", 2), ("Cancel", 1)):
        page.do("click", selector=f".steps button:has-text('{step}')")
        for width in (360, 411, 500, 640):
            page.do("look", theme="light", width=width)
            ends, alone, _ = page.do("value", expression=_ALONE)
            assert (ends, alone) == (lines, 0), (step, width)


def test_a_line_that_is_cut_at_ten_moments_loses_and_repeats_nothing(page: Page, served: str) -> None:
    """EVT-03, EVT-04: while the run goes on."""
    page.sign_in()
    app, thread, moments = App(served, page.user), str(uuid.uuid4()), random.Random(7)
    with closing(app.http):
        submit(app, "scenes", thread, "run-1", "slowly")
        page.at(f"#/glass/{thread}/run-1")
        page.sees(".event")
        for _ in range(20):
            page.click("Line connected", "switch")
            page.do("passes", seconds=moments.uniform(0.0, 0.2))
        page.do("reads", text="RUN_FINISHED")
        stored = [number for number, _, _ in app.watch(thread, "run-1")]
    assert numbers(page) == stored == list(range(1, len(stored) + 1))
    page.sees(".summary", "no gap, no repetition")
    page.check()


@pytest.mark.parametrize("view", ["reading", "talk"])
def test_a_connection_that_is_taken_up_again_says_where(page: Page, waiting: tuple[App, str], view: str) -> None:
    """EVT-04: in one quiet line; nothing is said of a connection that held."""
    app, thread = waiting
    first = [event for _, _, event in islice(app.watch(thread, "run-1"), 2)]
    page.do("stream", path=f"/api/v1/agent/runs/{thread}/events", events=first)
    page.at(f"#/{view}/{thread}/run-1")
    page.do("reads", text="Waiting")
    page.has("texts", ["Went on from event 2."], selector=".went-on")
    page.do("reload")
    page.do("reads", text="Waiting")
    page.has("texts", [""], selector=".went-on")
    assert cancel(app, thread).status_code == 200
    page.check()


def test_two_tabs_show_the_same_run_and_go_on_after_the_network(page: Page, waiting: tuple[App, str]) -> None:
    """EVT-05, EVT-04."""
    app, thread = waiting
    page.at(f"#/reading/{thread}/run-1")
    page.do("reads", text="Waiting")
    page.do("tab")
    page.do("click", selector=".welcome .primary")  # the issuer knows who it is
    page.do("reads", text="Waiting")
    page.do("offline", **{"is": True})
    assert cancel(app, thread).status_code == 200
    page.do("offline", **{"is": False})
    page.sees(".problem", "RUN_CANCELED")
    page.do("tab", first=True)
    page.sees(".problem", "RUN_CANCELED")
    page.check("ERR_INTERNET_DISCONNECTED")


def test_of_a_long_run_only_what_is_near_the_screen_is_drawn(page: Page) -> None:
    page.sign_in()
    thread = str(uuid.uuid4())
    deltas = [{"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "word "}] * 4998
    events = [{"type": "RUN_STARTED"}, *deltas, {"type": "RUN_FINISHED"}]
    page.do("stream", path=f"/api/v1/agent/runs/{thread}/events", events=events)
    page.at(f"#/glass/{thread}/run-1")
    page.sees(".state.ended")
    page.do("reads", text="5,000 events")
    texts = page.do("texts", selector=".event .said")
    assert len(texts) == 3
    assert texts[1].startswith("word word word ")
    page.click("Deltas as text", "switch")
    page.sees(".event [data-id='20']")
    assert 0 < page.do("value", expression="document.querySelectorAll('.event').length") <= 100
    assert page.do("value", expression="document.querySelector('.events').scrollHeight") >= 5_000 * 28
    page.do("press", selector=".event button", key="PageDown")
    page.sees(".event [data-id='19']:focus")
    page.do("value", expression="document.querySelector('.events').scrollTop = 1e9")
    page.sees(".event [data-id='5000']")
    page.do("press", selector=".event [data-id='5000']", key="ArrowUp")
    page.sees(".event [data-id='4999']:focus")
    page.check("404")  # of its steps: only its events are made up


def test_a_run_shows_where_its_time_went_and_is_sent_as_a_file(page: Page, served: str) -> None:
    """EVT-29, STP-07, STP-09: its batches and steps, as in its file; it is repeated from one of them on."""
    page.sign_in()
    app, thread = App(served, page.user), str(uuid.uuid4())
    with closing(app.http):
        submit(app, "assistant", thread, "run-1", "/call get_current_time {}")
        stored = [event for _, _, event in app.watch(thread, "run-1")]
    page.at(f"#/glass/{thread}/run-1")
    page.sees(".state.ended")
    page.do("sees", selector=".lane.tool")
    lanes = ["Queue", "Model chat", "Tool get_current_time", "Model chat", "Text", "Batches"]
    page.has("texts", lanes, selector=".lane .what")
    assert all(page.do("texts", selector=".lane .took"))
    times = page.do("texts", selector=".event time")
    assert times == sorted(times)
    assert re.fullmatch(r"\d\d:\d\d:\d\d\.\d\d\d", times[0])
    page.do("click", selector=".lane.tool button:first-child")
    page.sees(".whole-event h2", "TOOL_CALL")
    page.look("a line of the glass", desktop=True)
    page.click("Close")
    file = page.do("download", role="button", name="Export the run")
    assert file["name"] == "run-run-1.json"
    assert [item["event"] for item in json.loads(file["text"])["events"]] == stored
    shown = {selector: page.do("texts", selector=selector) for selector in (".event", ".lane > :first-child")}
    page.click("Glass", "link")
    page.do("give", selector=".from-file input", name="odd.json", text='{"format": "yarrow-run/1", "events": [7]}')
    page.do("reads", text="This file is not an exported run.")
    page.look("the choice of a run", desktop=True)
    page.do("give", selector=".from-file input", name=file["name"], text=file["text"])
    page.has("sees", "From a file", selector=".state.ended")
    for selector, texts in shown.items():
        page.has("texts", texts, selector=selector)
    page.at(f"#/glass/{thread}/run-1")
    page.do("click", selector=".lane.tool .fork")
    told = page.sees("dialog p")
    assert told.startswith("1 steps before it answer from the store.")
    assert "calls of models 1, calls of tools 1, other steps 0" in told
    page.look("what a fork makes again", desktop=True)
    page.click("Repeat")
    page.do("reads", text="Repeats run-1 from a step on")
    page.sees(".state.ended")
    page.has("texts", ["Queue", "Tool get_current_time", "Model chat", "Text", "Batches"], selector=".lane .what")
    page.do("reads", text="No fork: this run goes on with the steps of another one.")
    page.has("value", 0, expression="document.querySelectorAll('.lane .fork').length")
    page.look("why there is no fork", desktop=True)
    page.check()


INSIDE = {
    "en": ("Prompt and answer", "Finish reason: it had said everything (stop)", "What the run might use"),
    "zh-CN": ("提示与回答", "结束原因：已说完（stop）", "这次运行可用"),
    "zh-TW": ("提示與回答", "結束原因：已說完（stop）", "這次執行可用"),
}


@pytest.mark.parametrize("language", INSIDE)
def test_an_author_sees_what_a_model_was_asked_and_answered(browser: Browser, served: str, language: str) -> None:
    """STP-10: and what the run might use; on a phone, a tablet and a desktop."""
    title, reason, granted = INSIDE[language]
    page = Page(browser, served, language=language)
    page.sign_in()
    app, thread = App(served, page.user), str(uuid.uuid4())
    with closing(app.http):
        submit(app, "assistant", thread, "run-1", "/call get_current_time {}")
        assert [kind for _, kind, _ in app.watch(thread, "run-1")][-1] == "RUN_FINISHED"
    page.at(f"#/glass/{thread}/run-1")
    page.sees(".state.ended")
    page.has("sees", title, selector=".lane.model .inside button")
    page.do("click", selector=".lane.model .inside button")
    page.has("sees", "/call get_current_time {}", selector=".inside .message-of.user .said")
    page.has("sees", "get_current_time", selector=".inside .message-of.assistant code")
    assert all(page.do("texts", selector=".inside .message-of.system .said"))
    page.do("reads", text=reason)
    page.do("click", selector=".inside section > details summary")
    page.sees(".inside section > details li > code:has-text('get_current_time')")
    page.do("reads", text=granted)
    page.do("click", selector=".granted summary")
    page.sees(".granted li code:has-text('get_current_time')")
    page.look("what is inside a call", desktop=True)
    for width in (820, 1440):
        for theme in ("light", "dark"):
            page.do("look", theme=theme, width=width)
            assert not page.do("faults")
    page.check()


ONLY_WHAT_DIFFERS = """(() => {
  const headings = [...document.querySelectorAll(".pairs .summary")].map((each) => each.textContent);
  const differ = headings.reduce((sum, text) => sum + Number(/^(\\d+) of \\d+ differ/.exec(text)?.[1] ?? 0), 0);
  const shown = document.querySelectorAll(".pair");
  return differ > 0 && shown.length === differ && [...shown].every((each) => each.matches(".differs"));
})()"""
"""Whether as many pairs are shown as the headings say that differ, and no others."""


def test_two_runs_are_shown_side_by_side_and_one_is_run_again(page: Page, served: str) -> None:
    """Two stored ones, or one with a file; a run is asked again with its words, once its user says so."""
    page.sign_in()
    app, runs = App(served, page.user), []
    with closing(app.http):
        for text in ("/call get_current_time {}", "Hello there"):
            page.at("#/talk")
            page.do("check", selector=".agents input[value=assistant]")
            page.do("fill", selector="#words", text=text)
            page.do("press", selector="#words", key="Enter")
            page.sees("article[aria-busy=false]")
            runs.append(str(page.do("hash")).split("/")[2:])
        first, second = ("/".join(["#/glass", *run]) for run in runs)
        page.at(first)
        page.click("Compare with …", "link")
        page.has("hash", f"{first}/compare")
        page.do("give", selector=".from-file input", name="odd.json", text="{}")
        page.do("reads", text="This file is not an exported run.")
        page.look("the choice of another run")
        page.do("click", selector=f".entry a[href*='{runs[1][0]}']")
        page.do("reads", text="Runs of this session")
        page.do("click", selector=".entry a")
        page.has("hash", f"{first}/compare/{'/'.join(runs[1])}")
        page.do("reads", text="Only what differs")
        page.do("sees", selector=".pairs", nth=1)
        page.do("reads", text="TOOL_CALL_RESULT")
        page.sees(".pair:not(.differs)")
        page.sees(".pair.differs")
        page.look("two runs", desktop=True)
        page.do("click", selector=".switch")
        page.has("value", True, expression=ONLY_WHAT_DIFFERS)
        page.at(second)
        page.sees(".lane.model")
        file = page.do("download", role="button", name="Export the run")
        page.at(f"{second}/compare")
        page.do("give", selector=".from-file input", name=file["name"], text=file["text"])
        page.do("reads", text="From a file")
        page.do("reads", text="all 1 are the same")  # the steps, once they have come
        page.has("value", 0, expression="document.querySelectorAll('.pair.differs').length")
        page.at(second)
        page.click("Run again …")
        page.do("reads", text="nothing of the earlier run is reused")
        page.has("hash", "#/talk/assistant")
        assert page.do("filled", selector="#words") == "Hello there"
        assert len(app.history()["messages"]) == 2
        page.do("fill", selector="#words", text="Hello again")
        page.do("press", selector="#words", key="Enter")
        page.do("reads", text="You said: “Hello again”")
        assert len(app.history()["messages"]) == 3
        page.at("#/talk")
        page.sees("#words")
        page.has("value", "", expression="document.querySelector('#words').value")
    page.check()


def test_a_reload_in_mid_run_goes_on_where_it_was(page: Page, waiting: tuple[App, str]) -> None:
    """EVT-04: tokens are in memory, so the issuer is asked again, which knows its user."""
    app, thread = waiting
    page.at(f"#/reading/{thread}/run-1")
    page.do("reads", text="Waiting")
    page.do("reload")
    page.do("reads", text="Waiting")
    page.has("hash", f"#/reading/{thread}/run-1")
    kept = "JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])"
    assert "eyJ" not in page.do("value", expression=kept)
    assert cancel(app, thread).status_code == 200
    page.sees(".problem", "RUN_CANCELED")
    page.check()


def test_what_goes_wrong_says_what_to_do(page: Page) -> None:
    """SEC-01: a refused token is renewed first, without the user."""
    page.sign_in()
    page.do("log")
    page.do("refuse", path="/api/v1/agent/history", status=401, code="AUTH_UNAUTHORIZED")
    page.click("History", "link")
    page.sees(".empty")
    assert [request for request in page.do("log")["requests"] if "/local/oauth/" in request] == [
        f"{page.base}/local/oauth/token"
    ]
    page.do("refuse", path="/api/v1/agent/history", status=503, code="SERVICE_UNAVAILABLE")
    page.click("Glass", "link")
    page.sees(".problem", "SERVICE_UNAVAILABLE")
    page.click("Try again")
    page.do("reads", text="By its ids")
    page.at(f"#/reading/{uuid.uuid4()}")
    text = page.sees(".problem")
    assert "AGENT_SESSION_NOT_FOUND" in text
    assert "may have been deleted" in text
    page.check("404", "503")


def test_who_is_no_longer_signed_in_signs_in_again_where_they_are(page: Page) -> None:
    """SEC-01: where a new token is refused as well; the issuer may know its user, and then asks nothing."""
    page.sign_in()
    for _ in range(2):
        page.do("refuse", path="/api/v1/agent/history", status=401, code="AUTH_UNAUTHORIZED")
    page.at("#/history")
    page.sees(".problem", "You are no longer signed in.")
    page.do("click", selector=".problem .primary")
    page.sees(".empty")
    page.has("hash", "#/history")
    page.check("401")


def test_errors_are_in_the_language_of_the_reader(browser: Browser, served: str) -> None:
    """ERR-01: those of the service, of the browser and of a sign-in; what is English is behind a heading."""
    page = Page(browser, served, language="zh-CN")
    page.sign_in()
    english = re.compile("[a-z]{3,}")
    for status, code, words in (
        (503, "SERVICE_UNAVAILABLE", "服务出了问题"),
        (429, "AGENT_RATE_LIMIT", "请求过于频繁"),
        (422, "AGENT_HISTORY_QUERY_INVALID", "服务没有理解这个页面的请求"),
    ):
        detail = "the query is not one"
        page.do("refuse", path="/api/v1/agent/history", status=status, code=code, detail=detail)
        page.at("#/history")
        text = page.sees(".problem", words)
        assert code in text
        assert english.findall(text) == []
        page.do("click", selector=".problem summary")
        page.sees(".problem [lang=en]", detail)
        page.at("#/talk")
        page.sees(".composer")
    page.do("offline", **{"is": True})
    for address in ("#/history", "#/jobs"):  # the code of jobs is loaded only then
        page.at(address)
        text = page.sees(".problem", "无法连接服务")
        assert english.findall(text) == []
    page.do("offline", **{"is": False})
    page.click("再试一次")
    page.sees("main.jobs .empty")
    page.at("?state=none&error=access_denied")
    page.sees(".problem", "登录未成功")
    page.sees(".welcome .primary")
    page.check("503", "429", "422", "ERR_INTERNET_DISCONNECTED", "Failed to load resource")


def test_hostile_texts_run_nothing_and_send_nothing(page: Page, served: str) -> None:
    """As a question, which the reading repeats, as a follow-up, in a conversation and in every list."""
    page.sign_in()
    app = App(served, page.user)
    with closing(app.http):
        thread, _ = page.cast(" ".join(HOSTILE)[:300])
        page.sees(".whole")
        page.do("click", selector=".whole details summary", nth=1)
        page.do("fill", selector="#on", text="\n".join(HOSTILE)[:2_000])
        page.do("click", selector=".asking-on button")
        page.do("sees", selector="article", nth=1)
        other, talk = str(uuid.uuid4()), str(uuid.uuid4())
        for number in range(5):
            text = "\n\n".join(HOSTILE[number::5]).replace("\0", "")
            assert app.submit(other, f"run-{number}", text=text).status_code == 202
            submit(app, "assistant", talk, f"run-{number}", text)  # whose stand-in repeats what it is told
            assert all(list(app.watch(session, f"run-{number}")) for session in (other, talk))
        compared = f"#/glass/{talk}/run-0/compare/{talk}/run-1"
        lists = (
            "#/history",
            f"#/reading/{thread}",
            f"#/reading/{other}",
            f"#/talk/{talk}",
            f"#/glass/{thread}",
            "#/glass",
        )
        for address in (*lists, compared):
            page.at(address)
            page.sees("main :is(.entry, .whole, article, .pair.differs)")
            elements = "main :is(img, iframe, script, style, math, object, embed, form[action], [onerror], [ping])"
            assert page.do("value", expression=f"document.querySelectorAll('{elements}').length") == 0
            links = "[...document.querySelectorAll('main a')].map(each => each.protocol)"
            assert set(page.do("value", expression=links)) <= {"http:", "https:"}
    page.check()


ENTRIES = """[...document.querySelectorAll(".views :is(a, button)")]
  .filter((each) => each.checkVisibility())
  .map((each) => {
    const { left, right, top, bottom, width, height } = each.getBoundingClientRect();
    const label = each.querySelector("svg + span");
    const isShort = label.getBoundingClientRect().width <= width;
    const isInside = left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight;
    const isOnTop = each.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
    const isWhole = isInside && isOnTop && isShort;
    return { name: label.innerText, isWhole, isLarge: width >= 44 && height >= 44 };
  })"""
"""What the navigation shows: whether all of each is seen, and is large enough for a finger."""
VIEW_NAMES = {
    "en": ["Cast", "Talk", "Inbox", "History", "Workspace", "Jobs", "Usage", "Glass"],
    "zh-CN": ["起卦", "对话", "待办", "历史", "工作区", "任务", "用量", "透视"],
    "zh-TW": ["起卦", "對話", "待辦", "歷史", "工作區", "任務", "用量", "透視"],
}
MORE_NAMES = {"en": "More", "zh-CN": "更多", "zh-TW": "更多"}
BAR_SIZE = 4


@pytest.mark.parametrize("language", VIEW_NAMES)
def test_every_view_is_in_reach_at_any_width(browser: Browser, served: str, language: str) -> None:
    """Whatever the length of the user's name, and beside the count of open questions."""
    page = Page(browser, served, language=language)
    page.user = "Bartholomew Featherstonehaugh"
    page.do("answer", path="/api/v1/agent/interrupts", document={"interrupts": [{}] * 20, "hasMore": True})
    page.sign_in()
    page.sees(".badge-count")
    names, more = VIEW_NAMES[language], MORE_NAMES[language]
    for width in (320, 360, 412, 600, 735, 740, 768, 820, 900, 1030, 1152, 1280, 1440):
        page.do("look", theme="light", width=width, height=640)
        page.has("value", BAR_SIZE + 1 if width < 736 else len(names), expression=f"{ENTRIES}.length")
        entries = page.do("value", expression=ENTRIES)
        shown = [each["name"] for each in entries]
        if width < 736:
            assert shown == [*names[:BAR_SIZE], more], width
            page.click(more)
            page.has("value", len(names) + 1, expression=f"{ENTRIES}.length")
            entries += page.do("value", expression=ENTRIES)
            assert [each["name"] for each in entries[BAR_SIZE + 1 :]] == [*names[:BAR_SIZE], more, *names[BAR_SIZE:]]
            page.do("keyboard", key="Escape")
            page.has("value", BAR_SIZE + 1, expression=f"{ENTRIES}.length")
            assert page.do("focused")["name"] == more
        else:
            assert shown == names, width
        assert [each for each in entries if not (each["isWhole"] and each["isLarge"])] == [], width
        page.has("value", True, expression="document.documentElement.scrollWidth <= innerWidth")
    page.check()


def test_the_bar_of_a_phone_opens_the_other_views(browser: Browser, served: str) -> None:
    """It closes with a choice, with a touch beside it and when the focus goes on, and leaves room for the composer."""
    page = Page(browser, served, language="en", **PHONE)
    page.sign_in()
    shown = "document.querySelector('#more-views').checkVisibility()"
    page.click("More")
    page.look("the other views")
    page.do("look", theme="light", width=360, height=740)
    page.click("Jobs", "link")
    page.sees("main.jobs h1")
    page.has("value", False, expression=shown)
    page.has("value", True, expression="document.querySelector('.views .more button').matches('.current')")
    page.click("More")
    page.has("sees", page.user, selector="#more-views .whose")
    page.do("click", selector="main h1")
    page.has("value", False, expression=shown)
    page.do("press", selector=".views .more button", key="Enter")
    for name in ("Workspace", "Jobs", "Usage", "Glass"):
        page.do("keyboard", key="Tab")
        assert page.do("focused")["name"] == name
    page.do("keyboard", key="Tab")
    page.has("value", False, expression=shown)
    page.at("#/talk")
    page.do("fill", selector="#words", text="你好")
    page.do("click", selector=".composer .primary")
    page.do("sees", selector="article[aria-busy=false]")
    top, bottom = (
        page.do("value", expression=f"document.querySelector('{selector}').getBoundingClientRect().{edge}")
        for selector, edge in ((".views", "top"), (".composer", "bottom"))
    )
    assert bottom <= top
    page.check()


def test_every_view_is_accessible_in_both_themes_on_phone_and_desktop(browser: Browser, served: str) -> None:
    """axe-core finds nothing, and nothing is wider than 360 pixels; in Chinese as well."""
    page = Page(browser, served, language="zh-TW", **PHONE)

    page.look("welcome", desktop=True)
    page.do("click", selector=".welcome .primary")
    page.sees("#name")
    page.look("sign-in", desktop=True)
    page.do("fill", selector="#name", text=page.user)
    page.do("click", selector="form button")
    page.sees("#question")
    page.look("cast", desktop=True)
    page.cast("今年換工作合適嗎？")
    page.sees(".whole")
    for value in (0, 1):
        page.do("click", selector=".whole details summary", nth=value)
    page.do("click", selector=".plate .hit")
    page.look("reading", desktop=True)
    page.check()


def test_the_history_and_the_glass_are_accessible(browser: Browser, served: str) -> None:
    """As the other views: in both themes, on phone and desktop, in Chinese."""
    page = Page(browser, served, language="zh-TW", **PHONE)
    page.sign_in()
    thread, _ = page.cast("今年換工作合適嗎？")
    page.sees(".whole")
    page.at("#/history")
    page.sees(".entry")
    page.look("history", desktop=True)
    page.do("click", selector=".entry button")
    page.sees(".offer button")
    page.look("undo", desktop=True)
    page.do("click", selector=".offer button")
    page.at(f"#/glass/{thread}")
    page.sees(".entry")
    page.look("runs", desktop=True)
    page.do("click", selector=".entry a")
    page.sees(".state.ended")
    page.do("click", selector=".event button")
    page.look("events", desktop=True)
    page.check()


def test_a_conversation_and_what_is_not_there_are_accessible(browser: Browser, served: str) -> None:
    """As the other views: in both themes, on phone and desktop, in Chinese."""
    page = Page(browser, served, language="zh-TW", **PHONE)
    page.sign_in()
    page.at("#/talk")
    page.do("fill", selector="#words", text='/call confirm_action {"action": "x"}')
    page.do("press", selector="#words", key="Enter")
    page.do("click", selector=".confirm button")
    page.do("sees", selector="article[aria-busy=false]", nth=1)
    page.do("click", selector=".call summary")
    page.look("talk", desktop=True)
    page.at("#/talk/nobody")
    page.sees("[role=alert]")
    page.look("agents", desktop=True)
    page.at("#/nonsense")
    page.sees(".ways-on")
    page.look("not found", desktop=True)
    page.at("#/reading/none")
    page.sees(".problem")
    page.look("problem", desktop=True)
    page.check("422")
