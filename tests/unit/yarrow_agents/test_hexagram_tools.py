"""Casting, deriving and reading hexagrams as tools of the MCP server."""

from dataclasses import replace
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from pydantic import ValidationError

from liuyao import DivinationPayload, derive
from liuyao.reading import Language, read
from liuyao.time_cast import lines_at
from tests.support.example_cast import EXAMPLE
from yarrow.formats.json_schema import mismatch
from yarrow.protocol.runner.mcp_tools import McpCaller, McpTool, McpToolResult
from yarrow_agents.hexagram_tools import CAST, DERIVE, READ

NOW = datetime(2026, 4, 3, 20, 30, tzinfo=ZoneInfo("Asia/Shanghai"))
ALICE = McpCaller("zh-CN", NOW, lambda _: None)
QUESTION = "我最近换工作是否合适?"
LINES = ["少阳", "少阴", "老阳", "少阴", "少阳", "老阴"]
AT = "2026-04-03T20:30:00+08:00"
CRISIS = "我不想活了，该怎么办?"


def called(tool: McpTool, caller: McpCaller = ALICE, **arguments: Any) -> McpToolResult:
    """Call a tool; what it returns is as its schema says."""
    result = tool.call(tool.arguments.model_validate(arguments), caller)
    assert result.structured is not None
    assert tool.output_schema is not None
    assert not mismatch(dict(result.structured), tool.output_schema)
    return result


def structured(tool: McpTool, caller: McpCaller = ALICE, **arguments: Any) -> dict[str, Any]:
    return dict(called(tool, caller, **arguments).structured or {})


def test_a_cast_by_time_is_that_of_the_callers_time() -> None:
    """MCP-02: in the time zone that the call names, else in the caller's."""
    found = structured(CAST, question=QUESTION, method="time")
    assert (found["lines"], found["castAt"]) == (list(lines_at(NOW)), AT)
    other = structured(CAST, question=QUESTION, method="time", timeZone="America/New_York")
    assert other["castAt"] == "2026-04-03T08:30:00-04:00"
    assert other["lines"] == list(lines_at(NOW.astimezone(ZoneInfo("America/New_York"))))


def test_coins_are_thrown_anew_for_each_cast() -> None:
    """MCP-02."""
    casts = [tuple(structured(CAST, question=QUESTION)["lines"]) for _ in range(20)]
    assert len(set(casts)) > 10
    assert all(len(lines) == 6 for lines in casts)


def test_a_cast_is_read_as_the_divination_reads_it() -> None:
    """MCP-02, DIV-29: no step between the two changes it."""
    cast = structured(CAST, question=QUESTION, method="time")
    found = structured(READ, question=QUESTION, matter="career", lines=cast["lines"], castAt=cast["castAt"])
    payload = {**EXAMPLE, "divinationMethod": "自动起卦", "question": QUESTION, "questionType": "事业"}
    payload |= {"yaoLines": cast["lines"], "divinationTimeIso": AT}
    expected = read(derive(DivinationPayload.model_validate(payload)), language=Language.SIMPLIFIED)
    assert (found["signLevel"], found["conclusion"]) == (expected.sign_level, list(expected.conclusion))
    assert found["reading"].startswith(expected.answer[:100])
    assert (found["hexagram"], found["lines"]) == (cast["hexagram"], cast["lines"])


def test_a_cast_is_derived_without_its_question() -> None:
    """MCP-02, DIV-11."""
    result = called(DERIVE, lines=LINES, castAt=AT)
    assert result.structured is not None
    derived = result.structured["derivation"]
    assert (len(derived["yaoInfoList"]), derived["ganzhi"]["dayGanZhi"]) == (6, "丁未")
    assert not {"question", "questionType"} & derived.keys()
    assert result.content[0]["text"] == result.structured["plate"]


def test_a_reading_is_in_the_language_of_its_question() -> None:
    """MCP-02."""
    for question, word in (("Should I change my job?", "You"), ("我該換工作嗎?", "這"), (QUESTION, "这")):
        found = structured(READ, replace(ALICE, locale=None), question=question, lines=LINES, castAt=AT)
        assert word in found["reading"]


@pytest.mark.parametrize(("tool", "more"), [(CAST, {}), (READ, {"lines": LINES, "castAt": AT})])
def test_a_crisis_gets_its_answer_and_no_cast(tool: McpTool, more: dict[str, Any]) -> None:
    """CARE-01, MCP-02: with the help lines of the caller's region, or the deployment's own."""
    result = called(tool, question=CRISIS, **more)
    assert result.structured is not None
    assert result.structured.keys() == {"declined", "reply"}
    assert result.content[0]["text"] == result.structured["reply"]
    assert "12356" in result.structured["reply"]
    lines = {"CN": {"emergency": ["120"], "lines": [{"name": "我们的热线", "number": "400-000"}]}}
    own = structured(
        tool, replace(ALICE, parameter=lambda name: lines if name == "help_lines" else None), question=CRISIS, **more
    )
    assert "400-000" in own["reply"]


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        (CAST, {}),
        (CAST, {"question": " "}),
        (CAST, {"question": "x" * 301}),
        (CAST, {"question": QUESTION, "timeZone": "Mars/Olympus"}),
        (CAST, {"question": QUESTION, "method": "tea"}),
        (DERIVE, {"lines": LINES[:5], "castAt": AT}),
        (DERIVE, {"lines": [*LINES[:5], "阳"], "castAt": AT}),
        (DERIVE, {"lines": LINES, "castAt": "2026-04-03T20:30:00"}),
        (DERIVE, {"lines": LINES, "castAt": "1899-12-31T23:59:59+00:00"}),
        (DERIVE, {"lines": LINES, "castAt": "2101-01-01T00:00:00+00:00"}),
        (READ, {"question": QUESTION, "lines": LINES, "castAt": AT, "verdict": "good"}),
    ],
)
def test_bad_arguments_are_refused(tool: McpTool, arguments: dict[str, Any]) -> None:
    """MCP-02."""
    with pytest.raises(ValidationError):
        tool.arguments.model_validate(arguments)
