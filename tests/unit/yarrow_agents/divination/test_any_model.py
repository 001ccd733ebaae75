"""Whatever a model gives, a run keeps its word."""

import asyncio
import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from liuyao.reading import Language
from tests.support.effort import examples
from tests.support.run_contexts import no_api
from tests.support.runners.divination import (
    ANSWER,
    CAST,
    OWN,
    READING,
    RUN_ID,
    TASKS,
    Host,
    granted,
    replied,
    without_a_model,
)
from tests.support.runners.work import RUN, STARTED, Journal, Work, faults
from yarrow.protocol.runner.api import AgentAPIException, ModelReply
from yarrow.protocol.runner.models import AgentRunContext
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.protocol.runner.vocabulary import ErrorCode
from yarrow.worker.orchestrator import Orchestrator
from yarrow_agents.divination.output import ChatOutput, FollowUpOutput
from yarrow_agents.divination.review import IN_DOUBT, Review, sentences_of
from yarrow_agents.divination.runner import DivinationRunner

REVIEW = Review(TASKS[Language.SIMPLIFIED])
_WORDS = st.sampled_from(
    [
        *("用神", "世爻", "五爻", "五爻", "妻财", "官鬼", "戌土", "卯木", "旬空", "月合", "发动", "山火贲", "水火既济"),
        *(
            "上上签",
            "中下签",
            "一定",
            "眼下",
            "先稳住",
            "，",
            "。",
            "\n",
            "的",
            "为",
            "是",
            "戌日",
            "戌月",
            "六冲卦",
            "x",
            "\ud800",
        ),
    ]
)
_TEXT = st.lists(_WORDS, max_size=12).map("".join) | st.text(max_size=30)
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | _TEXT, lambda inner: st.lists(inner, max_size=3), max_leaves=6
)


_CODES: tuple[ErrorCode, ...] = ("rate_limited", "runtime_error", "deadline_exceeded", "not_found", "payload_too_large")
_REPLIES = st.one_of(
    st.lists(st.sampled_from([READING, ANSWER]) | _TEXT, max_size=4).map("".join),
    _JSON.map(json.dumps),
    _TEXT.filter(lambda text: "\ud800" not in text),
).map(replied) | st.sampled_from(_CODES).map(lambda code: AgentAPIException(code, "failed"))


def _worked(context: AgentRunContext, api: AgentRunAPIProxy) -> Work:
    journal = Journal(STARTED, None)
    as_run = {"run_id": RUN.key}
    outcome = asyncio.run(
        Orchestrator(RUN, ("worker",), journal).run(DivinationRunner(), context.model_copy(update=as_run), api)
    )
    return Work(journal.lines, outcome)


class _OfRun(Host):
    """The same host for a run of another id."""

    async def call(self, action: str, arguments: Any) -> dict[str, Any]:
        return await super().call(action, {**arguments, "run_id": RUN_ID})


@settings(max_examples=examples(100), deadline=None)
@given(st.sampled_from(["chat", "follow_up"]), st.lists(_REPLIES, min_size=1, max_size=3))
def test_whatever_a_model_gives_the_run_is_whole(mode: str, replies: list[ModelReply | AgentAPIException]) -> None:
    """DIV-28, DIV-29, DIV-31, DIV-34, FUP-04, FUP-05, RNR-35: events in order, a valid output, the plate's grade, and
    no words that are held against a model for certain, or more than a doubt allows.
    """
    host = _OfRun(*replies, history_page={"items": []}, knowledge_retrieve={"results": []})
    done = _worked(granted(mode), AgentRunAPIProxy(RUN.key, host))
    assert list(faults(done.events())) == []
    assert done.answer.output is not None
    assert len(host.requests) <= 2
    alone = _worked(without_a_model(granted(mode)), no_api(RUN.key)).answer
    if mode == "follow_up":
        assert FollowUpOutput.model_validate(done.answer.output).answer == done.answer.content
    else:
        output = ChatOutput.model_validate(done.answer.output)
        assert (output.sign_level, output.divination_derived) == ("下下签", CAST)
        assert output.answer == done.answer.content
        for name in ("conclusion", "focus_points", "advice", "keywords"):
            assert done.answer.output[name] == (alone.output or {})[name]
        assert output.answer.startswith(f"{OWN.lead}\n\n")
        assert OWN.timing in output.answer
        body = output.answer.removeprefix(OWN.lead).removesuffix(OWN.timing).removesuffix(OWN.grounds)
        shown = [REVIEW.sentence(sentence) for sentence in sentences_of(body)]
        assert not any(it.is_certain or it.weight > IN_DOUBT for it in shown)
    phrased = done.answer.output != alone.output
    assert phrased <= any(isinstance(reply, ModelReply) for reply in replies)
