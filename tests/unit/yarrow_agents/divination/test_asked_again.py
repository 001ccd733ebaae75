"""The second and third cast of one question in a session are told so, kindly, and a repeated run is no second cast."""

from typing import Any

import pytest

from liuyao.reading import Language
from liuyao.reading.catalogues import CATALOGUES
from tests.support.run_contexts import no_api
from tests.support.runners.divination import LOCALES, RUN_ID, granted, output_of, results, without_a_model
from yarrow.protocol.runner.models import AgentRunContext

YAO = ("少阳", "少阴", "老阳", "老阴")


def casting(locale: str, question: str, lines: str, conversation: dict[str, Any]) -> AgentRunContext:
    """A chat run of a question in a session with this state; `lines` are places in `YAO`."""
    context = without_a_model(granted("chat", locale, question=question))
    payload = context.event.data["divinationPayload"] | {"yaoLines": [YAO[int(line)] for line in lines]}
    event = context.event.model_copy(update={"data": context.event.data | {"divinationPayload": payload}})
    state = context.state.model_copy(update={"conversation": conversation})
    return context.model_copy(update={"event": event, "state": state})


def cast(locale: str, question: str, lines: str, conversation: dict[str, Any]) -> str:
    """The answer; the session's state is updated."""
    events = results(no_api(RUN_ID).transport, casting(locale, question, lines, conversation))
    for type_, data in events:
        if type_ == "state.updated":
            conversation[data["key"]] = data["value"]
    return str(output_of(events)["answer"])


def says(key: str, answer: str, language: Language) -> bool:
    words = CATALOGUES[language]
    return any(way[1:] in answer for way in (words.sentences[key], *words.ways[key]))


QUESTIONS = {
    Language.SIMPLIFIED: ("我能升职吗？", "请问我能升职吗"),
    Language.TRADITIONAL: ("我能升遷嗎？", "我能升遷嗎"),
    Language.ENGLISH: ("Will I be promoted?", "will I be promoted"),
}


@pytest.mark.parametrize(("language", "locale"), LOCALES.items())
def test_the_second_and_third_cast_of_a_question_are_told_so(language: Language, locale: str) -> None:
    conversation: dict[str, Any] = {}
    question, again = QUESTIONS[language]
    first, second, third = (
        cast(locale, request, lines, conversation)
        for request, lines in ((question, "012301"), (again, "110012"), (question, "231100"))
    )
    assert [says("asked again", item, language) for item in (first, second, third)] == [False, True, False]
    assert [says("asked often", item, language) for item in (first, second, third)] == [False, False, True]


@pytest.mark.parametrize(("language", "locale"), LOCALES.items())
def test_from_the_third_cast_no_verdict_is_told(language: Language, locale: str) -> None:
    """The grade is the cast's as ever; the answer has the kind sentence, the plate and the cautions."""
    conversation: dict[str, Any] = {}
    question, again = QUESTIONS[language]
    for lines in ("012301", "110012"):
        cast(locale, again, lines, conversation)
    words = CATALOGUES[language]
    for lines in ("231100", "111111", "203112"):
        context = casting(locale, question, lines, dict(conversation))
        output = output_of(results(no_api(RUN_ID).transport, context))
        answer = output["answer"]
        lead, position, plate, *cautions = answer.split("\n\n")
        assert says("asked often", lead, language)
        assert position == words.sentences["first stands"] + words.sentences["stop"]
        assert words.sentences["plate"].split("{")[0] in plate
        assert len(cautions) <= 1
        assert output["sign_level"] not in answer
        assert not any(verdict in answer for several in words.verdicts.values() for verdict in several)
        assert not any(deed in answer for sides in words.deeds.values() for side in sides for deed in side)
        assert len(lead) < 320
        assert output["conclusion"][0] in lead


def test_no_model_is_asked_to_phrase_what_is_not_told() -> None:
    conversation: dict[str, Any] = {}
    for lines in ("012301", "110012"):
        cast("zh-CN", "我能升职吗？", lines, conversation)
    context = casting("zh-CN", "我能升职吗？", "231100", conversation)
    with_models = context.model_copy(update={"resources": granted("chat", "zh-CN").resources})
    assert with_models.resources != context.resources
    api = no_api(RUN_ID)
    events = results(api.transport, with_models)
    assert output_of(events)["answer"] == output_of(results(api.transport, context))["answer"]
    assert events[-1] == ("run.completed", {})


def test_the_same_cast_again_or_another_question_is_not() -> None:
    conversation: dict[str, Any] = {}
    first = cast("zh-CN", "我能升职吗？", "012301", conversation)
    assert cast("zh-CN", "我能升职吗？", "012301", conversation) == first
    other = cast("zh-CN", "我能加薪吗？", "110012", conversation)
    back = cast("zh-CN", "我能升职吗？", "110012", conversation)
    for answer in (first, other, back):
        assert not says("asked again", answer, Language.SIMPLIFIED)


def test_a_worker_that_takes_over_tells_the_same() -> None:
    conversation: dict[str, Any] = {}
    cast("zh-CN", "我能升职吗？", "012301", conversation)
    second = cast("zh-CN", "我能升职吗？", "110012", conversation)
    assert cast("zh-CN", "我能升职吗？", "110012", conversation) == second
