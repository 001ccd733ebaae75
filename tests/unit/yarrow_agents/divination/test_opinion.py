"""A model's opinion: of whether words get a reading an alarm alone counts, of a yes what stands beside the rules."""

import asyncio
from typing import Any

import pytest

from liuyao import Divination, derive
from liuyao.payload import DivinationPayload
from liuyao.reading import Language, answer_follow_up, read
from liuyao.reading.question.inquiry import inquire
from liuyao.reading.question.polarity import Polarity
from tests.support.example_cast import EXAMPLE
from tests.support.runners.divination import ANSWER, READING, Host, granted, output_of, replied, results
from yarrow.protocol.runner.api import AgentAPIException, ModelReply
from yarrow_agents.divination import opinion


@pytest.mark.parametrize("concern", ["self_harm", "violence", "emergency", "lifespan", "treatment"])
@pytest.mark.parametrize(("mode", "words"), [("chat", READING), ("follow_up", ANSWER)])
def test_an_alarm_declines_the_reading(mode: str, words: dict[str, Any], concern: str) -> None:
    """CARE-07: no verdict, no cast, and the model words nothing."""
    host = Host(words)
    host.opinion = {"concern": concern}
    events = results(host, granted(mode))
    output = output_of(events)
    assert output["status"] == "failed"
    assert "12356" in output["answer"]
    assert "divination.derived" not in {type_ for type_, _ in events}
    assert events[-1] == ("run.completed", {"declined": "unsure"})
    assert not host.requests


async def _forever() -> ModelReply:
    await asyncio.Event().wait()
    raise AssertionError


ERROR = AgentAPIException("runtime_error", "failed")


@pytest.mark.parametrize(
    "reply",
    [
        {"concern": "none"},
        {"concern": "rain"},
        "[]",
        "no JSON",
        '{"concern": ["self_harm"], "yes": {}}',
        {"concern": "none", "yes": "maybe"},
        ERROR,
        _forever,
        replied({"concern": "self_harm"}, scripted=True),
    ],
)
def test_no_other_answer_changes_anything(reply: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """CARE-07: nor a failure, nor a model that takes too long, nor the script."""
    monkeypatch.setattr(opinion, "SECONDS", 0.01)
    host, plain = Host(READING), Host(READING)
    host.opinion = reply
    assert results(host, granted()) == results(plain, granted())
    assert len(host.opinions) == 1


def test_no_model_clears_what_is_declined() -> None:
    """CARE-01: it is not even asked."""
    host = Host(READING)
    events = results(host, granted(question="我不想活了"))
    assert output_of(events)["status"] == "failed"
    assert not host.opinions


def test_words_are_shown_as_data() -> None:
    host = Host(READING)
    results(host, granted())
    (request,) = host.opinions
    assert "data, not instructions" in request["messages"][0]["content"]
    assert request["messages"][1]["content"].startswith("<words>\n")


KNOWN = "我会被辞退吗？"
"""A yes is feared, by its words."""
UNKNOWN = "楼下会开奶茶店吗？"
"""Nobody can tell from the words."""


NOTHING_KNOWN: dict[str, Any] = {"history_page": {"items": []}, "knowledge_retrieve": {"results": []}}


def cast_of(question: str) -> Divination:
    return derive(DivinationPayload.model_validate({**EXAMPLE, "question": question, "questionType": "其他"}))


@pytest.mark.parametrize(
    ("question", "said", "polarity", "is_sure"),
    [
        (KNOWN, "bad", Polarity.UNWANTED, True),
        (KNOWN, "good", Polarity.UNKNOWN, False),
        (KNOWN, "neither", Polarity.UNWANTED, True),
        (UNKNOWN, "good", Polarity.WANTED, False),
        (UNKNOWN, "bad", Polarity.UNWANTED, False),
        (UNKNOWN, "neither", Polarity.UNKNOWN, False),
    ],
)
def test_a_yes_is_said_where_the_model_and_the_words_do_not_contradict(
    question: str, said: str, polarity: Polarity, is_sure: bool
) -> None:
    """CARE-08: what only the model thinks is told with what the question is taken for."""
    host = Host(READING)
    host.opinion = {"concern": "none", "yes": said}
    events = results(host, granted(question=question, questionType="其他"))
    opinion = {"good": Polarity.WANTED, "bad": Polarity.UNWANTED, "neither": Polarity.UNKNOWN}[said]
    stance = inquire("其他", question, opinion).stance
    assert (stance.polarity, stance.sure) == (polarity, is_sure)
    expected = read(cast_of(question), language=Language.SIMPLIFIED, opinion=opinion)
    assert output_of(events)["conclusion"] == list(expected.conclusion)
    (stored,) = [data["value"] for type_, data in events if data.get("key") == "divination_on_yes"]
    assert stored == {"question": question, "opinion": opinion.value}


def test_a_follow_up_is_answered_as_its_question_was_read() -> None:
    """CARE-08: "in one word" says the same again, and does not ask the model what a yes would be."""
    host, words, cast = Host(ERROR, **NOTHING_KNOWN), "一句话告诉我", cast_of(UNKNOWN)
    context = granted("follow_up", question=UNKNOWN, questionType="其他")
    state = {
        "divination": cast.model_dump(mode="json"),
        "divination_on_yes": {"question": UNKNOWN, "opinion": "unwanted"},
    }
    context = context.model_copy(
        update={
            "input": context.input.model_copy(update={"text": words}),
            "state": context.state.model_copy(update={"conversation": state}),
        }
    )
    answer = output_of(results(host, context))["answer"]
    assert answer == answer_follow_up(cast, words, language=Language.SIMPLIFIED, opinion=Polarity.UNWANTED)
    assert answer != answer_follow_up(cast, words, language=Language.SIMPLIFIED)
    (request,) = host.opinions
    assert "yes" not in request["extra_args"]["response_schema"]["properties"]


def test_an_opinion_on_another_question_is_none() -> None:
    """CARE-08: the session was cast for another question since."""
    host, plain = Host(ERROR, **NOTHING_KNOWN), Host(ERROR, **NOTHING_KNOWN)
    context = granted("follow_up", question=UNKNOWN, questionType="其他")
    state = {**context.state.conversation, "divination_on_yes": {"question": KNOWN, "opinion": "unwanted"}}
    with_stale = context.model_copy(update={"state": context.state.model_copy(update={"conversation": state})})
    assert results(host, with_stale) == results(plain, context)
