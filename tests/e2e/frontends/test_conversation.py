"""What is said: shown by the page, kept by the service, heard by the model."""

from collections import deque

import pytest

from tests.clients.dropping_proxy import Cut, Ending, dropping
from tests.clients.front_ends import Open, Page, answers, begins, heard
from tests.support.example_cast import EXAMPLE
from tests.support.models.server import ModelServer


def test_a_conversation_is_shown_kept_and_heard(page: Page, model: ModelServer) -> None:
    """EVT-19, EVT-21, EVT-24, CMP-09."""
    model.will(answers("Hello ", "there."), answers("Still here."))
    page.say("Good morning")
    page.sees("Hello there.")
    page.say("Are you there?")
    page.sees("Still here.")
    texts = [("user", "Good morning"), ("assistant", "Hello there."), ("user", "Are you there?")]
    assert page.words == page.history == [*texts, ("assistant", "Still here.")]
    assert [heard(request) for request in model.requests] == [texts[:1], texts]


@pytest.mark.parametrize("front", ["assistant-ui", "tanstack"])
def test_a_greeting_before_the_first_message_is_heard(opened: Open, model: ModelServer, front: str) -> None:
    """EVT-19: the assistant's own, which the page shows before anything was asked."""
    model.will(answers("Paris it is."), answers("Still Paris."))
    page = opened(front, greeting="Which city?")
    page.say("Paris")
    page.sees("Paris it is.")
    page.say("And now?")
    page.sees("Still Paris.")
    texts = [("assistant", "Which city?"), ("user", "Paris"), ("assistant", "Paris it is."), ("user", "And now?")]
    assert [heard(request)[1:] for request in model.requests] == [texts[:2], texts]  # the first line is of the service
    assert page.words == page.history == [*texts, ("assistant", "Still Paris.")]


def test_what_the_page_sends_with_every_turn_is_cast_once(opened: Open, model: ModelServer) -> None:
    """C41, FUP: CopilotKit's `properties` come again with the follow-up, which is no new cast."""
    page = opened("copilotkit", properties={"divinationPayload": EXAMPLE})
    page.say(EXAMPLE["question"])
    page.sees("水火既济")
    page.say("为什么?")
    page.do("settled")
    kept = page.http.get("/api/v1/agent/history", params={"threadId": page.thread}).json()["messages"]
    assert [message["role"] for message in kept] == ["user", "assistant"] * 2
    assert model.requests == []


def test_an_answer_is_stopped_and_the_conversation_goes_on(page: Page, model: ModelServer) -> None:
    """CAN-04, C40: the next message is not refused, though the run it leaves has not ended."""
    model.will(begins("Once upon a time"), answers("Gladly."))
    page.say("Tell me a long story")
    page.sees("Once upon a time", settled=False)
    page.click("Stop")
    page.do("settled")
    page.say("Something else, please")
    page.sees("Gladly.")
    assert len(model.requests) == 2
    assert page.history[-2:] == [("user", "Something else, please"), ("assistant", "Gladly.")]


def test_a_message_is_edited(page: Page, model: ModelServer) -> None:
    """C38: what followed it is in no history, and the model does not hear it."""
    model.will(answers("Hello."), answers("In Paris it rains."), answers("In Oslo it snows."), answers("Tomorrow too."))
    for words, answer in (("Hi", "Hello."), ("And Paris?", "In Paris it rains.")):
        page.say(words)
        page.sees(answer)
    page.edit("And Oslo?")
    page.sees("In Oslo it snows.")
    page.say("And tomorrow?")
    page.sees("Tomorrow too.")
    texts = [("user", "Hi"), ("assistant", "Hello."), ("user", "And Oslo?"), ("assistant", "In Oslo it snows.")]
    texts += [("user", "And tomorrow?")]
    assert heard(model.requests[-1]) == texts
    assert page.words == page.history == [*texts, ("assistant", "Tomorrow too.")]
    assert len(model.requests) == 4


def test_an_answer_is_regenerated(page: Page, model: ModelServer) -> None:
    """C38: the question stands once, with the new answer."""
    model.will(answers("Hello."), answers("A first answer."), answers("A second answer."), answers("Indeed."))
    for words, answer in (("Hi", "Hello."), ("What is it?", "A first answer.")):
        page.say(words)
        page.sees(answer)
    page.click("Regenerate")
    page.sees("A second answer.")
    page.say("Is it?")
    page.sees("Indeed.")
    texts = [("user", "Hi"), ("assistant", "Hello."), ("user", "What is it?"), ("assistant", "A second answer.")]
    texts += [("user", "Is it?")]
    assert heard(model.requests[2]) == texts[:3]
    assert heard(model.requests[3]) == texts
    assert page.words == page.history == [*texts, ("assistant", "Indeed.")]
    assert len(model.requests) == 4


def test_a_page_that_is_loaded_again_goes_on(page: Page, model: ModelServer) -> None:
    """HIS, EVT-19: from the history, under the ids it gives; CopilotKit's runtime brings its own."""
    model.will(answers("Hello."), answers("As I said."))
    page.say("Hi")
    page.sees("Hello.")
    page.do("reload")
    page.sees("Hello.")
    page.say("Once more?")
    page.sees("As I said.")
    texts = [("user", "Hi"), ("assistant", "Hello."), ("user", "Once more?")]
    assert [heard(request) for request in model.requests] == [texts[:1], texts]
    assert page.words == page.history == [*texts, ("assistant", "As I said.")]


@pytest.mark.parametrize("front", ["assistant-ui", "tanstack"])
def test_after_a_broken_stream_the_answer_is_asked_for_again(
    opened: Open, model: ModelServer, served: tuple[str, ModelServer], front: str
) -> None:
    """C38, C39: in place of the half that came through a proxy."""
    long = [f"{number}, " for number in range(1000)]
    model.will(answers(*long, "done."), answers("Once more: done."), answers("Bye."))
    with dropping(served[0]) as proxy:
        proxy.cuts = deque([Cut(900, Ending.CLEAN)])
        page = opened(front, service=proxy.url)
        page.say("Count")
        page.do("failed")
        assert "done." not in page.words[-1][1]
        page.click("Regenerate")
        page.sees("Once more: done.")
        page.say("Thanks")
        page.sees("Bye.")
        texts = [("user", "Count"), ("assistant", "Once more: done."), ("user", "Thanks")]
        assert heard(model.requests[-1]) == texts
        assert page.words == page.history == [*texts, ("assistant", "Bye.")]
        page.do("forgive", texts=["JSON"])
