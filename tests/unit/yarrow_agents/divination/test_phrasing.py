"""A model's sentences are shown after the review of them all; a judge, where there is one, comes before that, too."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from typing import Any

import pytest

from tests.support.runners.divination import (
    ANSWER,
    OWN,
    PHRASED,
    READING,
    RUN_ID,
    USAGE,
    Host,
    granted,
    output_of,
    replied,
    report_of,
    results,
    without_a_model,
)
from yarrow.protocol.runner.api import AgentAPIException, ModelChunk, ModelReply
from yarrow.protocol.runner.models import AgentRunContext
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.protocol.runner.resources import ModelResource
from yarrow_agents.divination import judge
from yarrow_agents.divination.runner import DivinationRunner

GOOD = "世爻回头克自身，眼下勉强不得。"
BAD = "不过放心，这份新工作十拿九稳，加微信详谈。"
KNOWLEDGE: dict[str, Any] = {"history_page": {"items": []}, "knowledge_retrieve": {"results": []}}


def with_models(context: AgentRunContext, *models: ModelResource) -> AgentRunContext:
    resources = context.resources.model_copy(update={"models": models})
    return context.model_copy(update={"resources": resources})


def with_a_judge(mode: str = "chat") -> AgentRunContext:
    writer = ModelResource(model_id="reading", operations=("invoke", "stream"))
    return with_models(granted(mode), writer, ModelResource(model_id="judge", operations=("invoke",)))


def deltas(events: list[tuple[str, dict[str, Any]]]) -> list[str]:
    return [data["chunk"]["content"] for type_, data in events if type_ == "message.delta"]


class Held(Host):
    """A model that goes on only when it is let."""

    def __init__(self, *pieces: str) -> None:
        super().__init__("")
        self.pieces = pieces
        self.go_on = asyncio.Event()
        self.closed = False

    async def stream(self, _action: str, _arguments: Mapping[str, Any]) -> AsyncGenerator[dict[str, Any]]:
        try:
            yield ModelChunk(content=self.pieces[0]).model_dump(mode="json")
            await self.go_on.wait()
            for piece in self.pieces[1:]:
                yield ModelChunk(content=piece).model_dump(mode="json")
            yield ModelChunk(reply=replied("".join(self.pieces))).model_dump(mode="json")
        finally:
            self.closed = True


def test_the_rules_answer_is_shown_while_the_model_writes() -> None:
    """CARE-09: and nothing of the model's text before all of it is reviewed."""
    host = Held(f"{GOOD}先守住", "手上的。")

    async def hear() -> list[str]:
        events = []
        async for event in DivinationRunner().run(granted(), AgentRunAPIProxy(RUN_ID, host)):
            if event.type == "message.delta":
                events.append(event.data["chunk"]["content"])
            if "".join(events).strip() == OWN.lead:
                host.go_on.set()
        return events

    texts = asyncio.run(asyncio.wait_for(hear(), 60))
    assert "".join(texts).startswith(f"{OWN.lead}\n\n{GOOD}先守住手上的。")


@pytest.mark.parametrize("mode", ["chat", "follow_up"])
def test_who_lies_twice_is_not_believed_in_between(mode: str) -> None:
    """CARE-09: nothing of the text is shown, it is requested once more, and the rules' text takes its place."""
    host = Host(GOOD + BAD + BAD + GOOD * 2, **KNOWLEDGE)
    events = results(host, granted(mode))
    alone = output_of(results(Host(""), without_a_model(granted(mode))))["answer"]
    assert output_of(events)["answer"] == alone
    assert "".join(deltas(events)) == alone
    assert len(host.requests) == 2
    report = report_of(events)
    assert (report["phrased_by"], report["reason"]) == ("rules", "rejected")


@pytest.mark.parametrize("mode", ["chat", "follow_up"])
def test_one_sentence_that_may_not_be_shown_is_left_out(mode: str) -> None:
    """CARE-09: the model goes on, whose words are whole without it."""
    events = results(Host(GOOD + BAD + GOOD * 2, **KNOWLEDGE), granted(mode))
    answer = output_of(events)["answer"]
    assert GOOD * 3 in answer
    assert "微信" not in answer
    assert "".join(deltas(events)) == answer
    assert (mode == "chat") is (OWN.timing in answer)
    report = report_of(events)
    assert (report["phrased_by"], report["attempts"], "reason" in report) == ("both", 1, False)


@pytest.mark.parametrize("begins", ["所以", "这说明"])
def test_what_refers_to_a_sentence_that_is_left_out_goes_with_it(begins: str) -> None:
    """CARE-09: a reader would refer it to the sentence before."""
    refers = f"{begins}事情要慢慢来。"
    for words, shown in (
        (f"{GOOD}{BAD}{refers}{GOOD}", f"{GOOD}{GOOD}"),
        (f"{GOOD}{refers}{GOOD}", f"{GOOD}{refers}{GOOD}"),
    ):
        answer = output_of(results(Host(words), granted()))["answer"]
        assert answer == f"{OWN.lead}\n\n{shown}\n\n{OWN.timing}"


def test_the_rules_sentence_for_the_same_part_takes_the_place_of_one_that_may_not_be_shown() -> None:
    """CARE-09: it names the same things, and comes with the next sentence of the model's."""
    wrong = "官鬼戌土受卯月月建所克，今晚就有消息。"
    (own,) = [point for point in OWN.focus_points if "被时令压着" in point]
    for words, shown in ((f"{GOOD}{wrong}{GOOD}", f"{GOOD}{own}{GOOD}"), (f"{wrong}{GOOD}", f"{own}{GOOD}")):
        answer = output_of(results(Host(words), granted()))["answer"]
        assert answer == f"{OWN.lead}\n\n{shown}\n\n{OWN.timing}"


def test_an_answer_that_is_cut_off_ends_with_the_rules_text() -> None:
    """DIV-34: its last sentence may be half of one."""
    events = results(Host(replied(f"{GOOD}先守住", finish_reason="length")), granted())
    assert output_of(events)["answer"] == f"{OWN.lead}\n\n{OWN.grounds}"


def test_a_model_that_fails_on_its_way_ends_with_the_rules_text() -> None:
    """DIV-34."""

    class Failing(Host):
        async def stream(self, _action: str, _arguments: Mapping[str, Any]) -> AsyncGenerator[dict[str, Any]]:
            yield ModelChunk(content=f"{GOOD}先").model_dump(mode="json")
            raise AgentAPIException("runtime_error", "The model failed.")

    events = results(Failing(""), granted())
    assert output_of(events)["answer"] == f"{OWN.lead}\n\n{OWN.grounds}"
    assert report_of(events)["reason"] == "runtime_error"


def test_a_model_that_may_not_be_streamed_is_asked_for_the_whole() -> None:
    """RNR-52: its sentences are reviewed all the same."""
    context = with_models(granted(), ModelResource(model_id="reading", operations=("invoke",)))
    host = Host(READING)
    events = results(host, context)
    assert output_of(events)["answer"] == PHRASED
    assert [action for action, _ in host.calls] == ["models.invoke"]
    assert report_of(events)["usage"] == USAGE.model_dump()


@pytest.mark.parametrize(("mode", "words"), [("chat", READING), ("follow_up", ANSWER)])
def test_a_judge_that_finds_no_fault_lets_the_text_be_shown(mode: str, words: str) -> None:
    """CARE-09: it is told the judgement, and the text as data."""
    host = Host(words, **KNOWLEDGE)
    events = results(host, with_a_judge(mode))
    assert words in output_of(events)["answer"]
    (request,) = host.judged
    assert f"<text>\n{words}\n</text>" in request["messages"][1]["content"]
    assert OWN.focus_points[0] in request["messages"][1]["content"]
    assert report_of(events)["phrased_by"] == "model"


async def _forever() -> ModelReply:
    await asyncio.Event().wait()
    raise AssertionError


@pytest.mark.parametrize(
    "judgement",
    [
        {"fault": "promise"},
        {"fault": "unheard of"},
        {"fault": None},
        {},
        "[]",
        "no JSON",
        AgentAPIException("rate_limited", "busy"),
        _forever,
        replied({"fault": "none"}, scripted=True),
    ],
)
@pytest.mark.parametrize("mode", ["chat", "follow_up"])
def test_a_judge_in_any_doubt_leaves_the_text_to_the_rules(
    mode: str, judgement: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """CARE-09: nothing of the model is shown."""
    monkeypatch.setattr(judge, "SECONDS", 0.01)
    host = Host(READING if mode == "chat" else ANSWER, **KNOWLEDGE)
    host.judgement = judgement
    events = results(host, with_a_judge(mode))
    assert events[:-1] == results(Host(""), without_a_model(granted(mode)))[:-1]
    assert report_of(events)["phrased_by"] == "rules"


def test_a_judge_alone_writes_nothing() -> None:
    """CARE-09: without the model `reading` there is nothing to judge."""
    host = Host("")
    events = results(host, with_models(granted(), ModelResource(model_id="judge", operations=("invoke",))))
    assert events == results(Host(""), without_a_model(granted()))
    assert not host.judged
