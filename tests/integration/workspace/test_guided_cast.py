"""The guided cast as a page sees it, by plain calls: from the first frame to the plate, and what may come between."""

from collections.abc import Iterator

import pytest

from local.stack import Stack
from tests.support.functions.deployment import configured
from tests.support.memory_aws.aws import MemoryAws
from tests.support.workspace.comparison import comparable
from tests.support.workspace.door import Door
from tests.support.workspace.page import Page
from yarrow.protocol.caller import Caller
from yarrow.protocol.outcome_request import OutcomeRequest
from yarrow.runs.record_outcome import record_outcome
from yarrow.store import sessions

QUESTIONS = {"zh-CN": "我最近换工作是否合适?", "zh-TW": "我最近換工作是否合適?", "en": "Should I change my job?"}
OPENINGS = {
    "zh-CN": "你好，我带你一步步起卦",
    "zh-TW": "你好，我帶你一步步起卦",
    "en": "Hello. I guide you through a cast",
}
LINES = ("young_yang", "young_yin", "old_yang", "young_yin", "young_yang", "old_yin")


@pytest.fixture
def door(stack: Stack) -> Iterator[Door]:
    with configured(stack, RUNS_PER_MINUTE="0", RUNS_PER_USER="0"), Door(MemoryAws(), "cast").installed() as door:
        yield door


def opened(door: Door, language: str = "zh-CN") -> Page:
    page = Page("cast", language=language)
    door.load(page, Caller("alice", language, "Asia/Shanghai"))
    return page


def cast(door: Door, page: Page, method: str = "time") -> None:
    """Answer what is asked, but for lines."""
    page.choose(method, "method")
    page.choose("career", "matter")
    door.settle()
    page.answer("question", QUESTIONS[page.language])
    door.settle()


def statuses(page: Page) -> list[str]:
    return [subtask["status"] for subtask in page.state.subtasks[page.state.active]]


def contents(page: Page) -> list[str]:
    return [message["content"] for message in page.messages()]


def is_fresh(door: Door, page: Page) -> bool:
    return comparable(page) == comparable(door.fresh(Caller("alice", page.language, "Asia/Shanghai")))


@pytest.mark.parametrize("language", QUESTIONS)
def test_a_cast_goes_from_init_to_artifact(door: Door, language: str) -> None:
    """WSP-03, WSP-04, WSP-10, WSP-11, WSP-21, WSP-27, WSP-28, WSP-33, CMP-09."""
    page = opened(door, language)
    assert contents(page)[0].startswith(OPENINGS[language])
    assert statuses(page) == ["pending"] * 4
    cast(door, page)
    assert statuses(page) == ["done"] * 4
    assert [artifact["title"].rpartition(".")[2] for artifact in page.state.artifacts[page.state.active]] == [
        "svg",
        "txt",
    ]
    assert [question["id"] for question in page.prompt()["questions"]] == ["again"]
    assert not page.is_thinking()
    assert page.faults == []
    history = [message.content for message in sessions.messages(page.state.active) if message.role == "assistant"]
    assert [message["content"] for message in page.messages() if message["role"] == "assistant"] == history
    assert record_outcome("alice", page.state.active, OutcomeRequest(outcome="came_true")).outcome == "came_true"
    assert is_fresh(door, page)


def test_the_six_lines_one_by_one(door: Door) -> None:
    """WSP-26: each is asked when the one before is known."""
    page = opened(door)
    cast(door, page, "lines")
    for number, line in enumerate(LINES, 1):
        assert page.question(f"line_{number}")["selectedOptionId"] == ""
        page.choose(line, f"line_{number}")
        door.settle()
    assert any("水火既济" in content and "风雷益" in content for content in contents(page))
    assert is_fresh(door, page)


def test_another_language_renders_the_questions_again(door: Door) -> None:
    """WSP-03, C54: and appends nothing."""
    page = opened(door)
    texts = contents(page)
    page.init(language="en")
    door.settle()
    page.language = "en"
    assert page.question("method")["text"] == "Method"
    assert contents(page) == texts
    assert is_fresh(door, page)


def test_retry_starts_over(door: Door) -> None:
    """WSP-18: messages and plates stay."""
    page = opened(door)
    cast(door, page)
    page.control("retry")
    door.settle()
    assert statuses(page) == ["pending"] * 4
    assert page.question("method")["selectedOptionId"] == ""
    assert len(page.state.artifacts[page.state.active]) == 2
    cast(door, page)
    assert statuses(page) == ["done"] * 4
    assert is_fresh(door, page)


def test_a_pause_while_it_casts_loses_no_answer(door: Door) -> None:
    """WSP-16, C29: the run is stopped; after a resume the cast is made of what was answered."""
    page = opened(door)
    page.choose("time", "method")
    page.choose("career", "matter")
    door.settle()
    page.answer("question", QUESTIONS["zh-CN"])
    line = door.line_of(page)
    while line.inbox:
        door.handle(line)  # the run is submitted, and no worker has begun
    page.control("pause")
    door.settle()
    assert statuses(page) != ["done"] * 4
    page.control("resume")
    door.settle()
    assert statuses(page) == ["done"] * 4
    assert is_fresh(door, page)


def test_late_commands_are_answered(door: Door) -> None:
    """WSP-10, WSP-31: A choice is sent that an old message offers."""
    page = opened(door)
    cast(door, page)
    chosen = {"questionId": "method", "questionText": "", "optionId": "coins", "optionLabel": "由我掷铜钱"}
    page.command("agent_user_option", {"sessionId": page.state.active, "runtimeContext": None, **chosen})
    door.settle()
    assert any("卦不再改动" in content for content in contents(page))
    assert statuses(page) == ["done"] * 4


def test_a_crisis_is_answered_with_help(door: Door) -> None:
    """CARE-01, CARE-05: The conversation has it as any answer, without a verdict."""
    page = opened(door)
    page.answer("question", "我不想活了")
    door.settle()
    assert "12356" in contents(page)[-1]
    assert statuses(page) == ["pending"] * 4
    assert page.question("question")["answerValue"] == ""
    assert is_fresh(door, page)
