"""What is said: shown by the page, kept by the service, heard by the model."""

import pytest

from tests.clients.front_ends import Open, Page, answers, heard
from tests.example_cast import EXAMPLE
from tests.integration.models.model_server import ModelServer


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


@pytest.mark.parametrize("front", ["assistant-ui", "tanstack"])
def test_a_greeting_before_the_first_message_is_heard(opened: Open, model: ModelServer, front: str) -> None:
    """EVT-19: the assistant's own, which the page shows before anything was asked."""
    model.will(answers("Paris it is."), answers("Still Paris."))
    page = opened(front, greeting="Which city?")
    page.say("Paris")
    page.sees("Paris it is.")
    page.say("And now?")
    page.sees("Still Paris.")
    said = [("assistant", "Which city?"), ("user", "Paris"), ("assistant", "Paris it is."), ("user", "And now?")]
    assert [heard(each)[1:] for each in model.requests] == [said[:2], said]  # the first line is of the service
    assert page.words == page.history == [*said, ("assistant", "Still Paris.")]


def test_what_the_page_sends_with_every_turn_is_cast_once(opened: Open, model: ModelServer) -> None:
    """C41, FUP: CopilotKit's `properties` come again with the follow-up, which is no new cast."""
    page = opened("copilotkit", properties={"divinationPayload": EXAMPLE})
    page.say(EXAMPLE["question"])
    page.sees("水火既济")
    page.say("为什么?")
    page.do("settled")
    kept = page.http.get("/api/v1/agent/history", params={"threadId": page.thread}).json()["messages"]
    assert [each["role"] for each in kept] == ["user", "assistant"] * 2
    assert model.requests == []


def test_a_page_that_is_loaded_again_goes_on(page: Page, model: ModelServer) -> None:
    """HIS, EVT-19: from the history, under the ids it gives; CopilotKit's runtime brings its own."""
    model.will(answers("Hello."), answers("As I said."))
    page.say("Hi")
    page.sees("Hello.")
    page.do("reload")
    page.sees("Hello.")
    page.say("Once more?")
    page.sees("As I said.")
    said = [("user", "Hi"), ("assistant", "Hello."), ("user", "Once more?")]
    assert [heard(each) for each in model.requests] == [said[:1], said]
    assert page.words == page.history == [*said, ("assistant", "As I said.")]
