"""A cast that the assistant is asked for: read by the rules, told as it stands, or answered with care and not cast."""

import json
import secrets
from collections.abc import Iterator
from typing import Any

import pytest

from local.stack import Stack
from tests.support.functions.deployment import configured
from tests.support.log_lines import LogLines
from tests.support.memory_aws.aws import MemoryAws
from tests.support.runners.chat import Chat
from yarrow.protocol.outcome_request import OutcomeRequest
from yarrow.protocol.problems import Code, Problem
from yarrow.runs.record_outcome import record_outcome
from yarrow.store import runs, sessions

THROWN = [1, 2, 3, 1, 0, 2]
CRISES = {
    "zh-CN": ("我不想活了，帮我算一卦", "12356"),
    "zh-TW": ("我不想活了，幫我算一卦", "1925"),
    "en-US": ("I want to kill myself, cast a hexagram", "988"),
}


@pytest.fixture(autouse=True)
def memory(stack: Stack) -> Iterator[MemoryAws]:
    aws = MemoryAws()
    with configured(stack, RUNS_PER_MINUTE="0"), aws.installed():
        yield aws


class Caster(Chat):
    """Who asks for casts."""

    def cast(self, question: str, text: str = "", **members: Any) -> tuple[dict[str, Any], str]:
        """The tool's result, empty if it was not called, and the answer."""
        call = json.dumps({"question": question, **members}, ensure_ascii=False)
        events = self.ask(f"{text}\n/call cast_hexagram {call}")
        output: dict[str, Any] = next(
            (json.loads(event["content"]) for event in events if event["type"] == "TOOL_CALL_RESULT"), {}
        )
        assert events[-1]["type"] == "RUN_FINISHED"
        (answer,) = (
            message for message in sessions.messages(self.thread, newest_first=True) if message.seq == 2 * self.count
        )
        assert answer.role == "assistant"
        return output, answer.content


@pytest.mark.parametrize(
    ("locale", "question", "word"),
    [
        ("zh-CN", "我最近换工作是否合适?", "所问：“我最近换工作是否合适?”"),
        ("zh-Hant", "我最近換工作是否合適?", "所問："),
        ("en-US", "Should I change my job this year?", "You asked"),
    ],
)
def test_the_assistant_casts_when_it_is_asked_to(locale: str, question: str, word: str) -> None:
    """DIV-28, DIV-30, DIV-32: the reading of the rules, in the user's language, as it stands."""
    output, answer = Caster(locale).cast(question, matter="career", backs=THROWN)
    assert output["lines"] == ["少阳", "少阴", "老阳", "少阳", "老阴", "少阴"]
    assert output["sign_level"] in ("上上签", "中上签", "中下签", "下下签")
    assert answer == output["verbatim_answer"]
    assert word in answer
    assert {"hexagram", "changed_hexagram", "conclusion", "cast_at"} <= output.keys()
    again, _ = Caster(locale, "bob").cast(question, matter="career", backs=THROWN)
    assert (again["sign_level"], again["hexagram"]) == (output["sign_level"], output["hexagram"])


def test_a_cast_has_a_card_with_its_grade_and_its_lines() -> None:
    """UIS-02, UIS-04: an answer in the place of a cast has none."""
    caster = Caster()
    output, _ = caster.cast("我最近换工作是否合适?", backs=THROWN)
    *_, answer = sessions.messages(caster.thread)
    (card,) = (answer.agent_output or {})["ui_hints"]["cards"]
    assert card["badge"]["label"] == output["sign_level"]
    assert len(card["lines"]) >= 6
    assert {"label": {"word": "hexagram"}, "value": output["hexagram"]} in card["rows"]
    assert record_outcome("alice", caster.thread, OutcomeRequest(outcome="partly")).run_id is not None
    declined = Caster()
    declined.cast(CRISES["zh-CN"][0])
    *_, answer = sessions.messages(declined.thread)
    assert answer.agent_output is None
    with pytest.raises(Problem) as caught:
        record_outcome("alice", declined.thread, OutcomeRequest(outcome="partly"))
    assert caught.value.code is Code.AGENT_OUTCOME_NO_READING


def test_no_model_words_a_reading() -> None:
    """DIV-28: the script says who it is whenever it speaks, and here it does not."""
    chat = Caster()
    _, answer = chat.cast("我最近换工作是否合适?")
    assert "脚本" not in answer
    assert len(list(sessions.messages(chat.thread))) == 2


def test_a_worker_that_takes_over_tells_the_same_cast(monkeypatch: pytest.MonkeyPatch) -> None:
    """CMP-11: of coins that only chance decides."""
    chat = Caster()
    thrown = iter([1, 1, 1] * 6 + [0, 0, 0] * 6)
    monkeypatch.setattr(secrets, "randbelow", lambda _: next(thrown))
    calls = ('{"question": "出行是否顺利?"}', '{"question": "出行是否顺利?", "matter": "journey"}')
    events = chat.ask("\n".join(f"/call cast_hexagram {call}" for call in calls))
    first, second = (json.loads(event["content"])["lines"] for event in events if event["type"] == "TOOL_CALL_RESULT")
    assert first == second
    assert len({*first}) == 1
    assert next(thrown, None) is None  # both threw, and one was kept


def test_a_cast_by_the_time_is_that_of_the_runs_time() -> None:
    output, _ = Caster().cast("出行是否顺利?", method="time")
    assert sum(line.startswith("老") for line in output["lines"]) == 1


HARMLESS = {"zh-CN": "今天运气如何?", "zh-TW": "今天運氣如何?", "en-US": "How is my luck today?"}


@pytest.mark.parametrize("locale", CRISES)
@pytest.mark.parametrize("place", ["by the question", "by the message"])
def test_a_question_that_the_guard_stops_gets_its_answer_and_no_cast(
    locale: str,
    place: str,
    memory: MemoryAws,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """CARE-01, CARE-05: also where the model asks the tool something harmless; the answer is no model's."""
    monkeypatch.setenv("POWERTOOLS_METRICS_DISABLED", "false")
    text, number = CRISES[locale]
    question, words = (text, "") if place == "by the question" else (HARMLESS[locale], text)
    with LogLines.captured() as log:
        output, answer = Caster(locale).cast(question, words)
    assert output == {}  # neither a model nor a tool is asked
    assert number in answer
    assert text not in log.text
    assert "ReadingsDeclined" in capsys.readouterr().out
    assert not any(item["sk"]["S"].startswith("CAST#") for item in memory.table.items)


@pytest.mark.parametrize(
    ("question", "kind"),
    [("我爸还能活多久?", "lifespan"), ("要不要停药?", "treatment")],
)
def test_every_kind_that_gets_no_reading_gets_none_here(question: str, kind: str) -> None:
    """CARE-03."""
    output, answer = Caster().cast(question, matter="health")
    assert output == {"declined": kind, "verbatim_answer": answer}


def test_after_a_crisis_only_a_clear_matter_is_cast_and_the_help_lines_are_named() -> None:
    """CARE-06: for the conversation, whoever put the questions to the tool."""
    chat = Caster()
    chat.ask("我不想活了")
    output, answer = chat.cast("会怎么样?")
    assert output["declined"] == "self_harm"
    assert "12356" in answer
    output, answer = chat.cast("我换工作是否合适?", matter="career")
    assert "sign_level" in output
    assert "12356" in answer
    output, answer = Caster().cast("会怎么样?")
    assert "12356" not in answer


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("我不想活了", "12356"),
        ("胸口剧痛喘不上气", "120"),
        ("我把猫送人了，遗书也写好了，今晚走", "12356"),
        ("死にたい", "findahelpline.com"),
    ],
)
def test_words_of_danger_are_answered_before_any_model_or_tool(text: str, number: str) -> None:
    """CARE-01, CARE-02: in a chat that asks for nothing else; without a model, the script lists no tools."""
    chat = Caster()
    events = chat.ask(text)
    (answer,) = (
        message for message in sessions.messages(chat.thread, newest_first=True) if message.role == "assistant"
    )
    assert number in answer.content
    assert "cast_hexagram" not in answer.content
    assert not any(event["type"].startswith("TOOL_CALL") for event in events)
    assert events[-1]["type"] == "RUN_FINISHED"


WRONG = ({"backs": [1, 2, 3]}, {"backs": [4] * 6}, {"question": "x" * 301}, {"method": "cards"})


@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_no_cast_is_refused(wrong: dict[str, Any]) -> None:
    """RNR-53."""
    chat = Caster()
    call = json.dumps({"question": "出行是否顺利?", **wrong}, ensure_ascii=False)
    events = chat.ask(f"/call cast_hexagram {call}")
    (output,) = (event["content"] for event in events if event["type"] == "TOOL_CALL_RESULT")
    assert next(iter(wrong)) in output
    assert "sign_level" not in output
    assert runs.must_read(chat.key).phase == "finished"
