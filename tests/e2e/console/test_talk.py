"""The console's conversation in Chromium, with the assistant's stand-in, which repeats and calls what it is told."""

import base64
import json
import socket
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.browser.console import Page
from tests.browser.hostile import HOSTILE
from tests.support.paths import ROOT

CONFIRM = '/call confirm_action {"action": "Delete 15 files"}'
MARKDOWN = "See **this**:\n- one\n  1. below\n- two\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n```\n**code**\n\n- code\n```"
PICTURE = ROOT / "docs/picture.png"


@pytest.fixture
def talk(page: Page) -> Page:
    page.sign_in()
    page.click("Talk", "link")
    page.sees(".composer")
    return page


def say(page: Page, text: str) -> None:
    page.do("fill", selector="#words", text=text)
    page.do("press", selector="#words", key="Enter")


def answered(page: Page, count: int = 1) -> str:
    """Wait until so many answers are whole; the last one."""
    page.do("sees", selector="article[aria-busy=false]", nth=count - 1)
    page.sees(".composer .primary:has-text('Send')")
    texts = page.do("texts", selector="article.said")
    return str(texts[-1])


def reopen(page: Page) -> None:
    """By the address of the conversation alone, which the history has."""
    thread = str(page.do("hash")).split("/")[2]
    page.at("#/cast")
    page.sees("#question")
    page.at(f"#/talk/{thread}")
    page.do("sees", selector="article[aria-busy=false]")


def test_an_answer_has_markdown_calls_that_open_and_survives_a_reload(talk: Page) -> None:
    """HIS-01, UIS-01: with its card, and in the history as a conversation."""
    say(talk, MARKDOWN)
    assert "this" in answered(talk)
    assert talk.do("texts", selector="article strong") == ["this"]
    assert talk.do("texts", selector="article ul ol li") == ["below"]
    assert talk.do("texts", selector="article td.end") == ["2"]
    assert talk.do("texts", selector="article pre code") == ["**code**\n\n- code"]
    event = {"title": "Standup", "starts_at": "2026-12-01T09:00:00", "event_timezone": "UTC"}
    say(talk, f"/call calendar_write {json.dumps(event)}")
    talk.sees(".schema .role-title")
    assert "Event created" in talk.sees(".schema")
    talk.do("click", selector=".call summary")
    assert '"title": "Standup"' in talk.sees(".call pre")
    say(talk, '/call update_state {"changes": {"notes": ["Tea"], "a/b": {"c~": 1}}}')
    answered(talk, 4)
    talk.do("click", selector=".state-of summary")
    assert json.loads(talk.sees(".state-of pre")) == {"notes": ["Tea"], "a/b": {"c~": 1}}
    shown = talk.do("texts", selector=".conversation .asked")
    talk.do("reload")
    talk.sees(".schema .role-title")
    assert talk.do("texts", selector=".conversation .asked") == shown
    assert talk.do("texts", selector=".call summary code") == ["calendar_write", "update_state"]
    talk.do("click", selector=".state-of summary")
    assert "Tea" in talk.sees(".state-of pre")
    talk.click("History", "link")
    talk.do("click", selector=".entry a")
    talk.sees(".schema .role-title")
    talk.click("New session")
    talk.sees(".talk .lead")
    talk.check()


@contextmanager
def dictation(page: Page, agent: str = "scenes") -> Iterator[Any]:
    """A run of an agent that says each line written here, until the context ends."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(60)
        begin(page, f"dictated {server.getsockname()[1]} {uuid.uuid4()}", agent)
        line, _ = server.accept()
        with line, line.makefile("rw", encoding="utf-8") as lines:
            lines.readline()  # its name
            yield lambda text: print(text, file=lines, flush=True)


def begin(page: Page, text: str, agent: str) -> None:
    page.do("check", selector=f".agents input[value={agent}]")
    say(page, text)


def test_an_answer_stays_one_message_over_a_reload_in_its_midst(talk: Page) -> None:
    """EVT-14: the snapshot has the message's beginning, and the message goes on."""
    with dictation(talk) as speak:
        speak("One, ")
        talk.do("reads", text="One,")
        talk.do("reload")
        talk.do("reads", text="One,")
        speak("two, ")
        talk.do("reads", text="One, two,")
        talk.do("reload")
        talk.do("reads", text="One, two,")
        speak("three.")
        talk.do("reads", text="One, two, three.")
        assert talk.do("texts", selector="article.said p") == ["One, two, three."]
    assert answered(talk) == "One, two, three.\n\nAnswer again"
    assert len(talk.do("texts", selector="article.said")) == 1
    talk.check()


def test_a_message_is_added_to_a_run_that_goes_on_and_is_taken_at_its_next_step(talk: Page) -> None:
    """RNR-87: it waits in sight, stands where it was taken, and the conversation is the same after a reload."""
    with dictation(talk, "attentive") as speak:
        speak("one")
        talk.sees("article.said", "one: nothing")
        say(talk, "In Celsius, please.")
        talk.sees(".turn .added", "Waits for the agent's next step.")
        talk.has("value", "", expression="document.querySelector('#words').value")
        talk.has("texts", ["Stop", "Send"], selector=".composer .buttons button")
        talk.look("a message that waits", desktop=True)
        speak("two")
        talk.sees("article.said:last-of-type", "two: In Celsius, please.")
        talk.has("texts", [], selector=".added")
        talk.do("reload")
        talk.sees("article.said:last-of-type", "two: In Celsius, please.")
    assert answered(talk, 2).startswith("two: In Celsius, please.")
    shown = ".conversation > :not(:first-child) .asked, article.said p:not(.acts)"
    talk.has("texts", ["one: nothing", "In Celsius, please.", "two: In Celsius, please."], selector=shown)
    talk.check()


def test_a_message_that_the_run_left_is_sent_as_the_next_one(talk: Page) -> None:
    """RNR-87: also after a reload; then the conversation has it once."""
    with dictation(talk, "attentive") as speak:
        speak("one")
        talk.sees("article.said", "one: nothing")
        say(talk, "Too late?")
        talk.sees(".turn .added", "Waits for the agent's next step.")
    talk.sees(".turn .added", "The run ended before the agent read this.")
    talk.look("a message that was not read", desktop=True)
    talk.do("reload")
    talk.sees(".turn .added", "The run ended before the agent read this.")
    talk.click("Send it as the next message")
    assert "you said Too late?" in answered(talk, 2)
    talk.has("texts", [], selector=".added")
    reopen(talk)
    talk.sees("article.said:last-of-type", "you said Too late?")
    assert talk.do("texts", selector=".conversation .asked")[1:] == ["Too late?"]
    talk.check()


def test_an_added_message_that_is_refused_is_written_still(talk: Page) -> None:
    """RNR-87: what is wrong stands at the field, with the text in it; an agent that takes none offers only to stop."""
    with dictation(talk, "attentive") as speak:
        speak("one")
        talk.sees("article.said", "one: nothing")
        thread = str(talk.do("hash")).split("/")[2]
        path = f"/api/v1/agent/runs/{thread}/messages"
        talk.do("refuse", path=path, status=409, code="AGENT_RUN_MESSAGE_LIMIT")
        say(talk, "One more.")
        talk.sees(".composer .problem", "The run takes no more messages.")
        assert talk.do("filled", selector="#words") == "One more."
        talk.has("texts", [], selector=".added")
        talk.do("refuse", path=path, status=409, code="AGENT_RUN_NOT_STEERABLE", params={"reason": "ended"})
        talk.do("press", selector="#words", key="Enter")
        talk.sees(".composer .problem", "The run has ended already.")
        assert talk.do("filled", selector="#words") == "One more."
        talk.do("refuse", path=path, status=409, code="AGENT_RUN_NOT_STEERABLE", params={"reason": "not_begun"})
        talk.do("press", selector="#words", key="Enter")
        talk.sees(".turn .added", "Waits for the agent's next step.")
        talk.has("texts", [], selector=".composer .problem")
    talk.sees(".turn .added", "The run ended before the agent read this.")
    talk.click("New session")
    begin(talk, "wait", "scenes")
    talk.sees("article.said", "Waiting")
    talk.has("texts", ["Stop"], selector=".composer .primary")
    talk.do("fill", selector="#words", text="kept")
    talk.do("press", selector="#words", key="Enter")
    assert talk.do("filled", selector="#words") == "kept"
    talk.has("texts", ["wait"], selector=".conversation .asked")
    talk.click("Stop")
    talk.sees(".conversation", "You stopped it here.")
    talk.check("409")


def test_the_user_is_asked_and_says_yes_or_no(talk: Page) -> None:
    """C38: the answer is the tool's result in the next run."""
    for count, (choice, result) in enumerate((("Yes", "yes"), ("No", "no")), 1):
        say(talk, CONFIRM)
        assert "Delete 15 files" in talk.sees(".confirm")
        talk.click(choice)
        talk.do("sees", selector=".call", nth=count - 1)
        talk.do("reads", text=f"answered: {result}")
        talk.sees(".composer .primary:has-text('Send')")
    reopen(talk)
    talk.do("reads", text="answered: no")
    assert talk.do("value", expression="document.querySelectorAll('.confirm').length") == 0
    talk.check()


def test_a_message_is_edited_an_answer_made_again_and_a_run_stopped(talk: Page) -> None:
    """CAN-01, C38: what came after an edited message is gone."""
    say(talk, "first words")
    answered(talk)
    say(talk, "more words")
    answered(talk, 2)
    talk.do("click", selector=".turn button")
    talk.do("fill", selector=".editing textarea", text="other words")
    talk.do("click", selector=".editing .primary")
    talk.do("reads", text="other words")
    assert "other words" in answered(talk)
    assert talk.do("texts", selector=".conversation .asked") == ["other words"]
    talk.click("Answer again")
    talk.sees(".composer .primary:has-text('Stop')")
    assert "other words" in answered(talk)
    assert talk.do("texts", selector=".conversation .asked") == ["other words"]
    reopen(talk)
    talk.do("reads", text="“other words”")
    assert talk.do("texts", selector=".conversation .asked") == ["other words"]
    assert len(talk.do("texts", selector="article.said")) == 1
    talk.click("New session")
    talk.do("check", selector=".agents input[value=scenes]")
    say(talk, "wait")
    talk.do("reads", text="Waiting")
    talk.do("reload")
    talk.do("reads", text="Waiting")
    talk.click("Stop")
    talk.do("reads", text="You stopped it here.")
    thread = str(talk.do("hash")).split("/")[2]
    talk.click("Talk", "link")  # another conversation
    talk.do("check", selector=".agents input[value=assistant]")
    talk.at(f"#/talk/{thread}")
    talk.do("reads", text="Waiting")
    say(talk, "你好")  # the session keeps its agent
    talk.do("reads", text="有什么可以帮你的吗")
    talk.check()


def test_an_agent_is_chosen_by_its_name(talk: Page) -> None:
    """EVB-06: each says what it takes, and one that a message is not enough for leads to where it is used."""
    assert talk.sees(".agents .card:has-text('Liu Yao divination')").endswith(
        "Takes a question and six lines: cast them"
    )
    assert talk.sees(".agents input[value=careful] + .card").startswith("Assistant careful")  # two have this label
    talk.do("check", selector=".agents input[value=scenes]")
    assert talk.sees("h1") == "Talk with Scenes"
    assert talk.do("hash") == "#/talk/scenes"
    talk.do("reload")
    talk.do("reads", text="Talk with Scenes")
    talk.do("value", expression="sessionStorage.setItem('yarrow.agent', 'gone')")
    talk.at("#/talk")
    talk.do("reads", text="Talk with Assistant")
    say(talk, "你好")
    talk.do("reads", text="可用的工具")  # of the assistant
    talk.do("reload")
    talk.do("reads", text="Talk with Assistant")
    talk.check()


@pytest.mark.parametrize(("address", "message"), [("nobody", "no agent “nobody”"), ("divination", "takes more than")])
def test_an_address_with_a_wrong_agent_traps_nobody(talk: Page, address: str, message: str) -> None:
    """The page says so beside the choice, and the conversation is with an agent that there is."""
    talk.at(f"#/talk/{address}")
    assert message in talk.sees("[role=alert]")
    talk.do("check", selector=".agents input[value=scenes]")
    talk.do("reads", text="Talk with Scenes")
    assert talk.do("texts", selector="[role=alert]") == []
    talk.do("refuse", path="/send-message", status=404, code="AGENT_NAME_UNKNOWN")  # it is gone meanwhile
    say(talk, "plain")
    talk.sees(".problem")
    assert set(talk.do("texts", selector="[role=status]")) == {""}
    talk.do("check", selector=".agents input[value=assistant]")
    talk.do("press", selector="#words", key="Enter")
    assert "“plain”" in answered(talk)
    talk.check("404")


def test_agents_have_labels_in_the_language_of_the_page(talk: Page) -> None:
    """EVB-06: and not in that of the token, also once the page's has changed."""
    talk.at("#/talk")
    talk.sees(".agents input[value=assistant]")
    english = talk.do("texts", selector=".agents .card b")
    talk.do("choose", selector=".languages select", value="zh-TW")
    talk.do("reads", text="與助理對話")
    traditional = talk.do("texts", selector=".agents .card b")
    assert {"Assistant careful", "Liu Yao divination"} <= set(english)
    assert {"助理 careful", "六爻"} <= set(traditional)
    talk.check()


def test_views_of_an_agent_that_is_not_there_are_left_out(talk: Page) -> None:
    """And their addresses lead to a page that says so, as any unknown one does."""
    assistant = {"name": "assistant", "label": "Assistant", "modes": ["chat"], "surfaces": ["agui"], "isDefault": True}
    talk.do("answer", path="/api/v1/agents", document={"agents": [assistant]})
    talk.at("#/nonsense")
    assert talk.sees("h1") == "There is no such page"
    talk.do("reload")
    talk.do("sees", selector=".views a", nth=5)
    assert talk.do("texts", selector=".views a")[:2] == ["Talk", "Inbox"]
    talk.at("#/cast")
    assert talk.sees("h1") == "There is no such page"
    talk.do("click", selector=".brand")
    talk.do("reads", text="Talk with Assistant")
    assert talk.do("texts", selector=".agents") == []  # there is nothing to choose
    talk.click("Sign out")
    assert talk.sees(".welcome .lead").startswith("Talk with agents")
    talk.check()


def test_pictures_are_dropped_and_words_are_spoken(talk: Page) -> None:
    """ATT-01, ASR-01: the microphone is Chromium's, which hears a recording."""
    encoded = base64.b64encode(PICTURE.read_bytes()).decode()
    talk.do("drop", selector=".composer", name="a<b>.png", type="image/png", base64=encoded)
    talk.sees(".composer .pictures img")
    talk.do("drop", selector=".composer", name="a.svg", type="image/svg+xml", base64=encoded)
    assert "PNG" in talk.sees(".problem")
    talk.click("Speak")
    talk.sees(".voice.on")
    talk.do("passes", seconds=4)
    talk.click("Stop listening")
    heard = talk.do("filled", selector="#words")  # the recording goes round, so words of it may be cut
    assert any(word in heard for word in ("weather", "good", "today"))
    talk.do("press", selector="#words", key="Enter")
    answered(talk)
    talk.sees(".turn .pictures img")
    talk.do("reads", text="Pictures in the conversation: 1.")
    reopen(talk)
    talk.sees(".turn .pictures a.chip")
    talk.check()


def test_hostile_texts_in_a_conversation_run_nothing_and_send_nothing(talk: Page) -> None:
    """From the user, the model, arguments and results of tools, and a question to the user."""
    for number in range(4):
        say(talk, "\n\n".join(HOSTILE[number::4]).replace("\0", ""))
        answered(talk, number + 1)
    say(talk, "/call confirm_action " + json.dumps({"action": " ".join(HOSTILE)[:2_000]}))
    talk.sees(".confirm")
    talk.click("No")
    talk.do("sees", selector=".call")
    talk.do("click", selector=".call summary")
    elements = "main :is(img, iframe, script, style, math, object, embed, form[action], [onerror], [ping])"
    assert talk.do("value", expression=f"document.querySelectorAll('{elements}').length") == 0
    links = "[...document.querySelectorAll('main a')].map(each => each.protocol)"
    assert set(talk.do("value", expression=links)) <= {"http:", "https:"}
    talk.check()
