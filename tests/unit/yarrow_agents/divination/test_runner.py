"""A run of the divination agent: with a model, without one, and with one that fails."""

import asyncio
import re
import time
from collections.abc import AsyncGenerator
from typing import Any

import pytest

from liuyao import Divination, DivinationPayload, derive
from liuyao.reading import Language, answer_follow_up, read
from tests.support.example_cast import EXAMPLE
from tests.support.run_contexts import no_api
from tests.support.runners.divination import (
    ANSWER,
    CAST,
    LOCALES,
    OWN,
    PHRASED,
    READING,
    RUN_ID,
    USAGE,
    Host,
    Reply,
    granted,
    output_of,
    own_words,
    replied,
    report_of,
    results,
    without_a_model,
)
from yarrow.protocol.runner.api import AgentAPIException, ModelReply
from yarrow.protocol.runner.models import AgentRunResult
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow_agents.divination import phrasing
from yarrow_agents.divination.output import ChatOutput, FollowUpOutput
from yarrow_agents.divination.runner import DivinationRunner

MODES = ("chat", "follow_up")


def texts_of(events: list[tuple[str, dict[str, Any]]]) -> list[str]:
    return [data["chunk"]["content"] for type_, data in events if type_ == "message.delta"]


def test_without_a_model_the_reading_is_the_runners_own() -> None:
    """DIV-28, DIV-29, DIV-30, DIV-31, DIV-33, RNR-34: pieces that make up the whole, and an output of the rules."""
    events = results(no_api(RUN_ID).transport, without_a_model(granted()))
    reading = read(CAST, language=Language.SIMPLIFIED)
    derived = CAST.model_dump(mode="json")
    output = {
        "status": "success",
        "sign_level": reading.sign_level,
        "conclusion": list(reading.conclusion),
        "focus_points": list(reading.focus_points),
        "advice": list(reading.advice),
        "keywords": list(reading.keywords),
        "answer": reading.answer,
        "error": None,
        "divination_derived": derived,
    }
    assert events[0] == ("divination.derived", {"divination": derived})
    assert "".join(texts_of(events)) == reading.answer
    assert events[len(texts_of(events)) + 1 :] == [
        ("message.completed", {"message": {"role": "assistant", "content": reading.answer}, "output": output}),
        ("state.updated", {"scope": "conversation", "key": "divination", "value": derived}),
        ("run.completed", {}),
    ]


@pytest.mark.parametrize(
    ("question", "message", "expected"),
    [
        ("我最近换工作是否合适？请用英文回答。", "", Language.ENGLISH),
        ("我最近换工作是否合适？", "Please answer in English.", Language.ENGLISH),
        ("我最近换工作是否合适？请用英文回答。", "請用繁體中文回答", Language.TRADITIONAL),
        ("我该用英文回答面试吗？", "学英文有前途吗？", Language.SIMPLIFIED),
    ],
)
@pytest.mark.parametrize("mode", MODES)
def test_a_language_that_is_asked_for_comes_before_the_users_own(
    mode: str, question: str, message: str, expected: Language
) -> None:
    """DIV-32: in the message, else in the question that was cast with; a model is told the same."""
    context = granted(mode, "zh-CN", question=question)
    context = context.model_copy(update={"input": context.input.model_copy(update={"text": message})})
    derived = Divination.model_validate(context.state.conversation["divination"])
    output = output_of(results(no_api(RUN_ID).transport, without_a_model(context)))
    if mode == "chat":
        assert output["keywords"] == list(read(derived, language=expected).keywords)
        assert output["answer"] == read(derived, language=expected).answer
    else:
        assert output["answer"] == answer_follow_up(derived, message, language=expected)
    host = Host("{}", history_page={"items": []}, knowledge_retrieve={"results": []})
    results(host, context)
    named = {Language.ENGLISH: "English", Language.TRADITIONAL: "繁體中文", Language.SIMPLIFIED: "简体中文"}
    assert named[expected] in host.requests[0]["messages"][0]["content"]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("locale", LOCALES.values())
@pytest.mark.parametrize(
    "reply",
    [replied(READING, scripted=True), replied("{}", scripted=True), AgentAPIException("not_found", "no such model")],
    ids=["a script", "an empty script", "nobody"],
)
def test_where_no_model_is_configured_the_run_is_the_same_to_the_byte(mode: str, locale: str, reply: Any) -> None:
    """DIV-28, FUP-04: a script never phrases, whatever it says, and leaves no trace."""
    context = granted(mode, locale)
    host = Host(reply, history_page={"items": []}, knowledge_retrieve={"results": []})
    outputs = [AgentRunResult(run_id=RUN_ID, type=type_, data=data) for type_, data in results(host, context)]
    alone = results(no_api(RUN_ID).transport, without_a_model(context))
    assert b"".join(output.model_dump_json().encode() for output in outputs) == b"".join(
        AgentRunResult(run_id=RUN_ID, type=type_, data=data).model_dump_json().encode() for type_, data in alone
    )
    assert len(host.requests) == 1


def test_a_run_without_a_model_calls_its_host_for_nothing() -> None:
    """RNR-52: nor for what only a model would be told."""
    for mode in MODES:
        host = Host("{}")
        results(host, without_a_model(granted(mode)))
        assert not host.calls


def test_a_model_phrases_the_reading_and_the_plate_keeps_the_grade() -> None:
    """DIV-28, DIV-29, DIV-30, DIV-31, RNR-52, CARE-09: the grounds are the model's, all else is the rules' own."""
    host = Host(READING)
    events = results(host, granted())
    output = ChatOutput.model_validate(output_of(events))
    assert output.sign_level == OWN.sign_level == "下下签"
    assert output.divination_derived == CAST
    assert output.answer == PHRASED == "".join(texts_of(events))
    for name in ("conclusion", "focus_points", "advice", "keywords"):
        assert getattr(output, name) == getattr(OWN, name)
    assert report_of(events) == {"phrased_by": "model", "attempts": 1, "usage": USAGE.model_dump()}
    assert [action for action, _ in host.calls] == ["models.stream"]


def test_a_model_phrases_the_answer_to_a_follow_up() -> None:
    """FUP-03, FUP-04, FUP-05, FUP-06, RNR-54, RNR-55: from what was said before, and passages about the question."""
    host = Host(
        ANSWER,
        history_page={
            "items": [
                {"item_id": str(seq), "seq": seq, "cursor": str(seq), "role": role, "content": text, "created_at": ""}
                for seq, (role, text) in enumerate([("user", "换工作好吗"), ("assistant", "眼下不宜动")], 1)
            ]
        },
        knowledge_retrieve={"results": [{"document_id": "d", "content": "应期者，事之验期也。", "score": 1.0}]},
    )
    events = results(host, granted("follow_up"))
    assert output_of(events) == {"status": "success", "answer": ANSWER, "error": None}
    assert "".join(texts_of(events)) == ANSWER
    assert report_of(events)["phrased_by"] == "model"
    roles = [(message["role"], message["content"]) for message in host.requests[0]["messages"]]
    assert roles[1:3] == [("user", "换工作好吗"), ("assistant", "眼下不宜动")]
    assert "应期者，事之验期也。" in host.prompt_text()
    (page,) = [arguments for action, arguments in host.calls if action == "history.page"]
    assert page["before_cursor"] == "here"


def test_a_follow_up_does_without_what_it_cannot_have() -> None:
    """FUP-06: neither the conversation nor passages are needed."""
    lost = AgentAPIException("runtime_error", "the host failed to execute the action")
    events = results(Host(ANSWER, history_page=lost, knowledge_retrieve=lost), granted("follow_up"))
    assert output_of(events)["answer"] == ANSWER


def test_words_that_may_not_be_told_are_asked_for_once_more() -> None:
    """DIV-29: the model hears what was wrong, and nobody else hears the words."""
    wrong = "此卦断为上上签。得乾为天，五爻妻财卯木让你心想事成。"
    host = Host(wrong, READING)
    events = results(host, granted())
    assert "".join(texts_of(events)) == PHRASED
    assert report_of(events)["attempts"] == 2
    *_, repeated, repair = host.requests[1]["messages"]
    assert repeated["role"] == "assistant"
    for quote in ("上上签", "乾为天", "五爻妻财卯木"):
        assert quote in repair["content"]
        assert quote not in "".join(texts_of(events))


FAILURES: dict[str, Reply] = {
    "rejected": replied("断为上上签，放心去做吧。"),
    "rate_limited": AgentAPIException("rate_limited", "The model is busy.", retryable=True),
    "deadline_exceeded": AgentAPIException("deadline_exceeded", "The model did not answer in time."),
    "runtime_error": AgentAPIException("runtime_error", "The model failed."),
    "unauthorized": AgentAPIException("unauthorized", "models.invoke is not allowed"),
    "payload_too_large": AgentAPIException("payload_too_large", "The input is too long for the model."),
}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("reason", FAILURES)
def test_a_model_that_fails_leaves_the_reading_to_the_rules(
    mode: str, reason: str, caplog: pytest.LogCaptureFixture
) -> None:
    """DIV-34, DIV-29, RNR-62: the public results are those of a run without a model; the operator is told why."""
    context = granted(mode)
    host = Host(FAILURES[reason], history_page={"items": []}, knowledge_retrieve={"results": []})
    events = results(host, context)
    assert events[:-1] == results(no_api(RUN_ID).transport, without_a_model(context))[:-1]
    report = report_of(events)
    assert (report["phrased_by"], report["reason"]) == ("rules", reason)
    (record,) = [record for record in caplog.records if record.name == phrasing.logger.name]
    assert record.__dict__["reason"] == reason
    assert "放心去做" not in str(record.__dict__)


@pytest.mark.parametrize("bound", ["its own", "the run's"])
def test_a_model_that_does_not_answer_is_left_in_time(bound: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """RNR-70: in a minute, or in half of what the run has left."""
    left = asyncio.Event()

    async def for_ever() -> ModelReply:
        try:
            await asyncio.Event().wait()
        finally:
            left.set()
        raise AssertionError

    context = granted()
    if bound == "its own":
        monkeypatch.setattr(phrasing, "PHRASING_SECONDS", 0.05)
    else:
        deadline = {"deadline_at": time.time() + 0.1}
        context = context.model_copy(update={"runtime": context.runtime.model_copy(update=deadline)})
    events = results(Host(for_ever), context)
    assert left.is_set()
    assert report_of(events)["reason"] == "deadline_exceeded"
    assert output_of(events)["answer"] == read(CAST, language=Language.SIMPLIFIED).answer


def test_the_opening_is_told_before_the_model_is_asked() -> None:
    """EVT-09: the first text waits for no model, and nothing of a model's is told before all of it is reviewed."""
    host = Host(READING)

    async def hear() -> list[str]:
        texts: list[str] = []
        results_: AsyncGenerator[AgentRunResult] = DivinationRunner().run(granted(), AgentRunAPIProxy(RUN_ID, host))
        async for result in results_:
            if host.requests:
                break
            texts.append(result.data.get("chunk", {}).get("content", ""))
        await results_.aclose()
        return texts

    assert "".join(asyncio.run(hear())).strip() == OWN.lead


@pytest.mark.parametrize("question_type", ["健康", "官司", "财运"])
@pytest.mark.parametrize("mode", MODES)
def test_a_matter_that_needs_a_caution_keeps_it(question_type: str, mode: str) -> None:
    """DIV-28: it closes advice and answer, though the model says nothing of it."""
    reply = "眼下先稳住，再看后面的时机。"
    host = Host(reply, history_page={"items": []}, knowledge_retrieve={"results": []})
    context = granted(mode, questionType=question_type, question="会怎么样?")
    output = output_of(results(host, context))
    caution = output_of(results(host, without_a_model(granted(questionType=question_type, question="会怎么样?"))))
    assert "不能代替" in caution["advice"][-1]
    if mode == "chat":
        assert output["answer"].endswith(caution["advice"][-1])
    else:
        again = output_of(results(host, without_a_model(context)))["answer"].rpartition("\n\n")[2]
        assert re.search("医生|律师|风险", again)
        assert output["answer"].endswith(f"\n\n{again}")
    assert reply in output["answer"]
    assert output.get("advice") == (caution["advice"] if mode == "chat" else None)


@pytest.mark.parametrize(("language", "locale"), LOCALES.items())
def test_the_words_are_in_the_users_language(language: Language, locale: str) -> None:
    """DIV-32, DIV-26: what a model says in another one is not told."""
    for other in Language:
        events = results(Host(own_words(CAST, other)), granted(locale=locale))
        assert report_of(events)["phrased_by"] == ("model" if other is language else "rules")
        assert output_of(events)["conclusion"] == list(read(CAST, language=language).conclusion)


def test_a_session_without_a_cast_asks_no_model() -> None:
    """FUP-06, C41: nor does one whose branch has none."""
    context = granted("follow_up")
    empty = context.state.model_copy(update={"conversation": {}})
    for data, state in (({}, empty), ({"divinationPayload": None}, context.state)):
        event = context.event.model_copy(update={"data": {"runtime_mode": "follow_up", **data}})
        host = Host(ANSWER)
        events = results(host, context.model_copy(update={"event": event, "state": state}))
        assert [type_ for type_, _ in events] == ["run.failed"]
        assert not host.calls


def test_a_follow_up_is_about_the_cast_it_names() -> None:
    """FUP-06, C38, C41: the stored derivation of that cast; of another cast, what is derived from it."""
    context = without_a_model(granted("follow_up"))
    question = context.input.text or ""
    kept = {**context.state.conversation["divination"], "interactions": []}
    other = granted("follow_up", yaoLines=["少阳"] * 6, question="今年财运如何?").state.conversation["divination"]
    for stored, about in ((kept, Divination.model_validate(kept)), (other, CAST), (None, CAST)):
        conversation = {} if stored is None else {"divination": stored}
        state = context.state.model_copy(update={"conversation": conversation})
        events = results(no_api(RUN_ID).transport, context.model_copy(update={"state": state}))
        assert output_of(events)["answer"] == answer_follow_up(about, question, language=Language.SIMPLIFIED)
        assert {type_ for type_, _ in events} == {"message.delta", "message.completed", "run.completed"}


def test_of_a_cast_that_was_declined_no_follow_up_is_answered() -> None:
    """CARE-01, C38: though the session has another one by now."""
    context = without_a_model(granted("follow_up", question="我不想活了，还有希望吗?"))
    other = granted("follow_up").state
    events = results(no_api(RUN_ID).transport, context.model_copy(update={"state": other}))
    assert set(output_of(events)) == {"status", "answer", "error"}
    assert events[-1][1]["declined"] == "self_harm"


def test_the_runners_own_answer_is_one_that_a_model_might_have_given() -> None:
    """FUP-06: what the rules say passes the review that a model's words have to pass."""
    stored = Divination.model_validate(granted("follow_up").state.conversation["divination"])
    own = answer_follow_up(stored, "什么时候有结果?", language=Language.SIMPLIFIED)
    host = Host(own, history_page={"items": []}, knowledge_retrieve={"results": []})
    events = results(host, granted("follow_up"))
    assert report_of(events)["phrased_by"] == "model"
    assert FollowUpOutput.model_validate(output_of(events)).answer == own


def test_a_host_that_answers_nonsense_leaves_the_reading_to_the_rules() -> None:
    """DIV-34."""

    class Garbling(Host):
        async def call(self, _action: str, _arguments: Any) -> dict[str, Any]:
            return {"message": 7}

    events = results(Garbling(""), granted())
    assert report_of(events)["reason"] == "runtime_error"
    assert output_of(events)["answer"] == read(CAST, language=Language.SIMPLIFIED).answer


def test_a_time_with_another_plate_is_noted_and_changes_nothing_else() -> None:
    """DIV-19, DIV-29: in the reading and its points, streamed once; the derivation is that of the time."""
    at_night = {"divinationTimeIso": "2026-04-03T23:30:00+08:00"}
    events = results(no_api(RUN_ID).transport, without_a_model(granted(**at_night)))
    output = output_of(events)
    note = output["focus_points"][-1]
    assert note.startswith("起卦时刻：若以零点换日，作丁未日，")
    assert "".join(texts_of(events)) == output["answer"]
    assert output["answer"].count(note) == 1
    assert output["divination_derived"]["ganzhi"]["dayGanZhi"] == "戊申"
    divination = Divination.model_validate(output["divination_derived"])
    reading = read(divination, language=Language.SIMPLIFIED)
    assert output["focus_points"][:-1] == list(reading.focus_points)
    assert (output["sign_level"], output["conclusion"]) == (reading.sign_level, list(reading.conclusion))


@pytest.mark.parametrize(
    ("zone", "from_device", "expected"),
    [
        ("Asia/Shanghai", True, "若按时钟20:30（丁未日戌时），"),
        ("Asia/Shanghai", False, "若按时钟20:30（丁未日戌时），"),
        ("UTC", True, "若按时钟12:30（丁未日午时），"),
        ("UTC", False, None),
        (None, False, None),
    ],
)
def test_a_cast_by_true_solar_time_is_compared_with_the_users_clock(
    zone: str | None, from_device: bool, expected: str | None
) -> None:
    """DIV-20, FWD-07, FWD-08: an offset that no clock has is one of the Sun; UTC may be only the host's default."""
    context = without_a_model(granted(divinationTimeIso="2026-04-03T18:17:00+05:47"))
    data = {**context.event.data, **({"client_time": {"device_timezone": zone}} if from_device else {})}
    changed = {
        "event": context.event.model_copy(update={"data": data}),
        "runtime": context.runtime.model_copy(update={"timezone": zone}),
    }
    output = output_of(results(no_api(RUN_ID).transport, context.model_copy(update=changed)))
    if expected is None:
        assert "起卦时刻" not in output["answer"]
    else:
        assert output["focus_points"][-1].startswith(f"起卦时刻：排盘用真太阳时，{expected}")


def test_a_caution_follows_the_note_after_a_models_words() -> None:
    """CARE-04."""
    changes = {"questionType": "健康", "question": "我的病能好吗", "divinationTimeIso": "2026-04-03T23:30:00+08:00"}
    divination = derive(DivinationPayload.model_validate({**EXAMPLE, **changes}))
    events = results(Host(own_words(divination, Language.SIMPLIFIED)), granted(**changes))
    assert report_of(events)["phrased_by"] == "model"
    output = output_of(events)
    caution = read(divination, language=Language.SIMPLIFIED).caution
    assert caution
    assert output["answer"].endswith(f"\n\n{output['focus_points'][-1]}\n\n{caution}")


def test_a_models_words_are_followed_by_the_note_of_the_time() -> None:
    """The model does not see it."""
    host = Host(READING)
    events = results(host, granted(divinationTimeIso="2026-04-03T20:59:00+08:00"))
    output = output_of(events)
    note = "起卦时刻：离时辰交界不到三分钟，若按亥时，断语不变。"
    assert output["focus_points"][-1] == note
    assert READING.partition("\n")[0] in output["answer"]
    assert output["answer"].endswith(f"\n\n{note}")
    assert "起卦时刻" not in host.prompt_text()
