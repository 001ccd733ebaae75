"""The console's inbox in Chromium: all kinds of questions, answered there, in conversations and on another device."""

import uuid
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import pytest

from tests.browser.console import PHONE, Page
from tests.browser.keyboard import press, tab_to
from tests.support.stack.app import App
from tests.support.stack.runs import submit

INTERRUPTS = "/api/v1/agent/interrupts"
ISSUED = {"agent": "assistant", "threadId": str(uuid.uuid4()), "runId": "run-1", "createdAt": "2026-11-27T09:00:00Z"}
ARGUMENTS = {"to": "alice@example.com", "subject": "Tuesday", "copies": 1}
APPROVAL: dict[str, Any] = {
    **ISSUED,
    "id": "0" * 32,
    "message": "Shall I send this mail?",
    "kind": "confirmation",
    "toolCallId": "call-1",
    "expiresAt": "2099-01-01T00:00:00Z",
    "metadata": {"toolName": "send_mail", "arguments": ARGUMENTS, "scope": "session"},
    "responseSchema": {
        "type": "object",
        "properties": {
            "approved": {"type": "boolean"},
            "reason": {"type": "string"},
            "editedArgs": {
                "type": "object",
                "properties": {
                    "to": {"type": "string", "title": "To", "minLength": 3},
                    "subject": {"type": "string", "title": "Subject"},
                    "copies": {"type": "integer", "title": "Copies", "minimum": 1},
                },
                "required": ["to", "copies"],
            },
        },
        "required": ["approved"],
    },
}

NOTES_BODIES = (
    "{ const real = fetch; window.sent = []; window.fetch = (...all) => (sent.push(all[1]?.body), real(...all)); 1 }"
)


@pytest.fixture
def app(page: Page, served: str) -> Iterator[App]:
    """The same user, by the API."""
    app = App(served, page.user)
    with closing(app.http):
        yield app


Asks = Callable[[str], str]


@pytest.fixture
def asks(app: App) -> Asks:
    """Have an agent ask, in a session of its own, and return that."""

    def ask(text: str) -> str:
        thread = str(uuid.uuid4())
        submit(app, "scenes", thread, "run-1", text)
        *_, (_, type_, _) = app.watch(thread, "run-1")
        assert type_ == "RUN_FINISHED"
        return thread

    return ask


def opened(page: Page) -> None:
    page.sign_in()
    page.do("click", selector="nav a[href='#/inbox']")


def last_words(app: App, thread: str) -> str:
    """What the agent said at last."""
    messages = app.http.get("/api/v1/agent/history", params={"threadId": thread}).json()["messages"]
    return str(messages[-1]["content"])


def follow(page: Page, app: App) -> str:
    """Go to where the run went on, and return what the agent says there at last.

    The view shows a conversation before it follows its run, so the run's end is awaited by the API.
    """
    page.click("See how it goes on", "link")
    _, _, thread, run = str(page.do("hash")).split("/")
    assert [type_ for _, type_, _ in app.watch(thread, run)][-1] == "RUN_FINISHED"
    page.sees(".composer .primary:has-text('Send')")
    page.do("sees", selector="article[aria-busy=false]")
    return str(page.do("texts", selector="article.said")[-1]).removesuffix("Answer again").strip()


def test_an_empty_inbox_says_what_it_is_for(page: Page) -> None:
    opened(page)
    page.sees(".empty", "Nothing waits for you")
    page.has("texts", [], selector=".badge-count")
    page.look("an empty inbox")
    page.check()


def test_a_yes_or_no_is_answered_and_the_badge_counts_what_is_left(page: Page, app: App, asks: Asks) -> None:
    """ASK-04."""
    asks("ask for a yes")
    thread = asks("ask for a yes")
    opened(page)
    page.has("sees", "2", selector=".badge-count")
    page.do("sees", selector=".question-card", nth=1)
    page.look("an inbox with two questions", desktop=True)
    page.do("click", selector=".question-card .primary")
    page.sees(".question-card.done", "Approved")
    page.has("sees", "1", selector=".badge-count")
    assert follow(page, app).endswith("answered: true")
    assert last_words(app, thread) == "answered: true"
    page.check()


def test_a_no_may_have_a_reason(page: Page, app: App, asks: Asks) -> None:
    thread = asks("ask for a yes")
    opened(page)
    page.click("No")
    page.sees(".question-card input:focus")
    page.do("keyboard", text="Not yet")
    page.look("a reason")
    press(page, "Enter")
    page.sees(".question-card.done", "Refused")
    assert follow(page, app).endswith("refused: false")
    messages = app.http.get("/api/v1/agent/history", params={"threadId": thread}).json()["messages"]
    assert "✗ Not yet" in [message["content"] for message in messages]
    page.check()


def test_a_choice_shows_what_each_means(page: Page, app: App, asks: Asks) -> None:
    asks("ask for a choice")
    opened(page)
    page.sees(".ways", "It is shorter")
    page.look("a choice", desktop=True)
    page.do("click", selector=".ways label")
    page.click("Send")
    assert follow(page, app).endswith('answered: "left"')
    page.has(
        "value", "The left one", expression="[...document.querySelectorAll('.conversation .asked')].at(-1).innerText"
    )
    page.check()


def test_a_text_is_written(page: Page, app: App, asks: Asks) -> None:
    asks("ask for a text")
    opened(page)
    page.sees(".question-card textarea")
    page.click("Send")
    page.sees(".fault", "needed")
    page.do("fill", selector=".question-card textarea", text="Dear Alice")
    page.click("Send")
    assert follow(page, app).endswith('answered: "Dear Alice"')
    page.check()


def test_a_form_says_what_is_missing_and_is_sent(page: Page, app: App, asks: Asks) -> None:
    asks("ask for a form")
    opened(page)
    page.sees(".question-card form")
    page.do("fill", selector=".question-card input[id$=seats]", text="12")
    page.click("Send")
    page.sees("input[id$=name][aria-invalid=true]:focus")
    page.has("texts", ["This is needed.", "At most 9.", "This is needed."], selector=".fault")
    page.look("a form with faults", desktop=True)
    page.do("fill", selector="input[id$=name]", text="Ada")
    page.do("fill", selector="input[id$=seats]", text="2")
    page.do("choose", selector=".question-card select", value='"economy"')
    page.do("click", selector=".chips label", nth=1)
    page.do("check", selector=".tick input")
    page.click("Send")
    answer = '{"name": "Ada", "seats": 2, "class": "economy", "meals": ["lunch"], "insured": true}'
    assert follow(page, app).endswith(f"answered: {answer}")
    page.check()


def test_a_question_is_left_and_nothing_is_done(page: Page, app: App, asks: Asks) -> None:
    asks("ask for a yes")
    opened(page)
    page.click("Leave it unanswered")
    page.sees(".question-card.done", "Left unanswered")
    assert follow(page, app).endswith("cancelled: null")
    page.check()


def test_what_another_device_answered_first_is_said_kindly(page: Page, app: App, asks: Asks) -> None:
    """ASK-04: the second device learns it."""
    asks("ask for a yes")
    opened(page)
    page.sees(".question-card .primary")
    (question,) = app.http.get(INTERRUPTS).json()["interrupts"]
    answer = {"status": "resolved", "payload": {"approved": False}}
    assert app.http.post(f"{INTERRUPTS}/{question['id']}", json=answer).status_code == 202
    page.click("Yes")
    page.sees(".question-card.done", "already answered")
    page.look("an answer elsewhere")
    page.check("409")


def test_a_question_whose_time_is_over_says_so(page: Page, app: App, asks: Asks) -> None:
    asks("ask briefly")
    opened(page)
    page.sees(".question-card .primary")
    page.sees(".question-card .note", "Its time is over")
    page.look("an expired question")
    page.click("Leave it unanswered")
    assert follow(page, app).endswith("expired: null")
    page.check()


def test_an_inbox_that_cannot_be_read_says_so_and_is_read_again(page: Page, app: App, asks: Asks) -> None:
    asks("ask for a yes")
    page.sign_in()
    page.sees(".badge-count")
    page.do("refuse", path=INTERRUPTS, status=503, code="SERVICE_UNAVAILABLE")
    page.do("click", selector="nav a[href='#/inbox']")
    page.sees(".problem")
    page.look("an inbox that failed")
    page.click("Try again")
    page.sees(".question-card .primary")
    page.do("offline", **{"is": True})
    page.click("Yes")
    page.sees(".question-card .problem", "cannot be reached")
    page.do("offline", **{"is": False})
    page.click("Yes")
    page.sees(".question-card.done")
    page.check("503", "ERR_INTERNET_DISCONNECTED")


def test_a_tool_is_approved_with_other_arguments(page: Page) -> None:
    """ASK-06: its arguments are shown, and changed where the question offers it."""
    page.sign_in()
    page.do("answer", path=INTERRUPTS, document={"interrupts": [APPROVAL], "hasMore": False})
    accepted = {"taskId": "t", "threadId": APPROVAL["threadId"], "runId": "run-2", "created": False}
    page.do("answer", path=f"{INTERRUPTS}/{APPROVAL['id']}", document=accepted)
    page.do("click", selector="nav a[href='#/inbox']")
    assert page.sees(".arguments").split("\n")[:2] == ["to", "alice@example.com"]
    page.look("an approval", desktop=True)
    page.click("Change the arguments")
    page.do("fill", selector="input[id$=copies]", text="0")
    page.click("Approve")
    page.has("sees", "At least 1.", selector=".fault")
    page.look("arguments with a fault")
    page.do("fill", selector="input[id$=copies]", text="2")
    page.do("value", expression=NOTES_BODIES)
    page.click("Approve")
    page.sees(".question-card.done")
    (sent,) = page.do("value", expression="sent.filter(Boolean).map(JSON.parse)")
    edited = {**ARGUMENTS, "copies": 2}
    assert sent == {"status": "resolved", "payload": {"approved": True, "editedArgs": edited}}
    page.check()


def called(app: App, text: str) -> str:
    """Have the agent whose block has approvals make a call, in a session of its own, and return that."""
    thread = str(uuid.uuid4())
    submit(app, "careful", thread, "run-1", text)
    *_, (_, type_, _) = app.watch(thread, "run-1")
    assert type_ == "RUN_FINISHED"
    return thread


WRITE = '/call calendar_write {"title": "Dentist", "starts_at": "2026-12-01T09:00:00", "event_timezone": "UTC"}'
READ = '/call calendar_read {"day": "2026-12-01", "event_timezone": "UTC"}'


def test_a_call_that_the_block_wants_approved_is_made_with_other_arguments(page: Page, app: App) -> None:
    """ASK-06: the host asks by the block of the agent, and the tool is called with what the user wrote."""
    thread = called(app, WRITE)
    opened(page)
    shown = page.sees(".arguments").split("\n")
    assert shown[:2] == ["title", "Dentist"]
    page.click("Change the arguments")
    page.do("fill", selector="input[id$=title]", text="Dentist, at last")
    page.click("Approve")
    page.sees(".question-card.done", "Approved")
    follow(page, app)
    submit(app, "careful", thread, "run-2", READ)
    assert any("Dentist, at last" in event.get("content", "") for _, _, event in app.watch(thread, "run-2"))
    page.check()


def test_a_call_that_is_refused_is_not_made_and_its_agent_reads_why(page: Page, app: App) -> None:
    """ASK-06."""
    thread = called(app, WRITE)
    opened(page)
    page.click("Refuse")
    page.sees(".question-card input:focus")
    page.do("keyboard", text="Not a dentist")
    press(page, "Enter")
    page.sees(".question-card.done", "Refused")
    assert "Not a dentist" in follow(page, app)
    submit(app, "careful", thread, "run-2", READ)
    assert not any(
        "Dentist" in event.get("content", "")
        for _, type_, event in app.watch(thread, "run-2")
        if type_ == "TOOL_CALL_RESULT"
    )
    page.check()


def test_the_inbox_is_used_without_a_mouse(page: Page, app: App, asks: Asks) -> None:
    asks("ask for a choice")
    page.sign_in()
    tab_to(page, "Inbox")
    press(page, "Enter")
    page.sees(".ways")
    page.sees("main:focus")
    tab_to(page, "The left one")
    press(page, "ArrowDown")
    tab_to(page, "Send")
    press(page, "Enter")
    page.sees(".question-card.done p:focus")
    assert follow(page, app).endswith('answered: "right"')
    page.check()


def test_a_question_is_answered_where_the_agent_asks(page: Page) -> None:
    """ASK-01, ASK-02: in the conversation, which goes on, and says in its history what was answered."""
    page.sign_in()
    page.click("Talk", "link")
    page.do("check", selector=".agents input[value=scenes]")
    page.do("fill", selector="#words", text="ask twice")
    page.do("press", selector="#words", key="Enter")
    page.do("sees", selector=".conversation .question-card", nth=1)
    page.has("sees", "2", selector=".badge-count")
    page.look("questions in a conversation", desktop=True)
    page.do("click", selector=".question-card .primary")
    page.do("reads", text="✓")
    page.do("sees", selector=".composer .primary:has-text('Send')")
    page.has("texts", ["And end it?"], selector=".conversation .question-card h2")
    page.do("reload")
    page.has("sees", "And end it?", selector=".conversation .question-card h2")
    page.sees(".was-asked")  # the history says so, which is read beside the inbox
    page.has("texts", ["Answered"], selector=".was-asked")
    page.do("click", selector=".question-card .primary")
    page.do("reads", text="answered: true")
    page.do("value", expression="new Promise((done) => setTimeout(done, 0)).then(() => 1)")
    page.do("reload")
    page.do("reads", text="answered: true")
    page.has("texts", ["Answered", "Answered"], selector=".was-asked")
    page.has("texts", [], selector=".badge-count")
    page.check()


def test_the_list_of_sessions_says_which_wait(page: Page, app: App, asks: Asks) -> None:
    """ASK-01, HIS-02."""
    asks("ask for a yes")
    page.sign_in()
    page.click("History", "link")
    page.sees(".entry", "Waits for an answer")
    page.do("click", selector=".entry a")
    page.sees(".conversation .question-card")
    page.check()


def test_what_began_on_the_desktop_is_approved_on_the_phone(page: Page, asks: Asks, app: App) -> None:
    """ASK-04: the desktop goes on by itself when it is looked at again."""
    thread = asks("ask for a yes")
    page.sign_in()
    page.at(f"#/talk/{thread}/run-1")
    page.sees(".conversation .question-card .primary")
    page.do("context", name="phone", url=f"{page.base}/", options={"locale": "en", **PHONE})
    page.sign_in()
    page.has("sees", "1", selector=".badge-count")
    page.do("click", selector="nav a[href='#/inbox']")
    page.do("click", selector=".question-card .primary")
    page.sees(".question-card.done")
    page.do("context", name="first")
    page.do("value", expression="document.dispatchEvent(new Event('visibilitychange')) && 1")
    page.do("reads", text="answered: true")
    page.has("texts", [], selector=".conversation .question-card")
    assert last_words(app, thread) == "answered: true"
    page.check()
