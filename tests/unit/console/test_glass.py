"""The glass's folds, in Node: lines of events, lanes of time, and the file of a run."""

import json
import shutil
import subprocess
from typing import Any

import pytest

from tests.support.paths import ROOT

_SCRIPT = """
import { comparedLines, comparedSteps, paired, sumOf } from "./console/glass/compare.js";
import { waterfallOf, tokensIn } from "./console/glass/lanes.js";
import { countOf, linesOf, numbers, preview } from "./console/glass/lines.js";
import { rowOf } from "./console/glass/reader.js";
import { exported, imported } from "./console/glass/run_file.js";
const given = JSON.parse(process.argv[1]);
const rows = given.events.map((event, index) => rowOf(index + 1, event));
const shown = (line) => (line.cut === undefined ? [numbers(line), line.type, preview(line)] : ["cut", line.cut]);
const told = (lines) => lines.map(shown);
const fall = waterfallOf(rows, given.steps, { isEnded: true, now: 0 });
const file = JSON.stringify(exported({ threadId: "t", runId: "r", rows, steps: given.steps }));
const other = given.other.map((event, index) => rowOf(index + 1, event));
const sides = ({ left, right, isSame }) => [left ? left.type : null, right ? right.type : null, isSame];
const many = (count, word) => Array.from({ length: count }, (_, index) => `${word}${index}`);
const self = (each) => each;
console.log(JSON.stringify({
  compared: comparedLines(rows, other).map(sides),
  itself: comparedLines(rows, rows).every(({ isSame }) => isSame),
  steps: comparedSteps(given.steps, given.otherSteps).map(({ left, right, isSame }) => [left?.id, right?.id, isSame]),
  sums: [sumOf({ rows, steps: given.steps }), sumOf({ rows: other, steps: [] })],
  aligned: paired([..."abcxyz"], [..."abqxz"], self, self),
  kinds: paired(["a1", "b1"], ["b2", "a2"], self, (each) => each[0]),
  long: paired(many(2_000, "a"), many(1_999, "b"), self, () => "any").length,
  folded: told(linesOf(rows, [])),
  cut: told(linesOf(rows, [4])),
  single: told(linesOf(rows, [], { isFolded: false })).length,
  found: told(linesOf(rows, [4], { wanted: "two three" })),
  count: countOf(linesOf(rows, [4])),
  begin: fall.begin,
  end: fall.end,
  batches: fall.batches.map(({ at, first, last }) => [at, first, last]),
  lanes: fall.lanes.map(({ kind, name, begin, end, at }) => [kind, name, begin, end, at]),
  tokens: tokensIn(fall.lanes),
  untimed: waterfallOf(rows.map((row) => ({ ...row, at: null })), [], { isEnded: true, now: 0 }),
  again: [JSON.parse(file).events, exported(imported(file)).events],
  odd: given.odd.map((text) => imported(text)),
}));
"""


def event(type_: str, at: int, **members: Any) -> dict[str, Any]:
    return {"type": type_, "timestamp": at, **members}


def delta(at: int, text: str) -> dict[str, Any]:
    return event("TEXT_MESSAGE_CONTENT", at, messageId="m", delta=text)


EVENTS = [
    event("RUN_STARTED", 1_000),
    event("STEP_STARTED", 1_400, stepName="worker"),
    event("TEXT_MESSAGE_START", 1_500, messageId="m", role="assistant"),
    delta(1_500, "One "),
    delta(1_700, "two "),
    delta(1_700, "three"),
    event("TEXT_MESSAGE_END", 1_900, messageId="m"),
    event("TOOL_CALL_START", 1_900, toolCallId="c", toolCallName="pick_a_day"),
    event("TOOL_CALL_START", 1_900, toolCallId="d", toolCallName="search"),
    event("RUN_FINISHED", 2_500),
]
OTHER = [
    {**EVENTS[0], "runId": "another", "timestamp": 9_000},
    *EVENTS[1:5],
    delta(9_300, "four"),
    *EVENTS[6:8],
    event("RUN_ERROR", 9_400, code="X"),
]
FIRST = {"kind": "model", "action": "models.stream", "name": "chat", "startedAt": "1970-01-01T00:00:01.450+00:00"}
NEXT = {"kind": "tool", "action": "tools.call", "name": "search", "startedAt": "1970-01-01T00:00:02.000+00:00"}
SLEEP = {"kind": "step", "action": "steps.sleep", "name": None, "startedAt": "1970-01-01T00:00:02.200+00:00"}
USAGE = {"inputTokens": 12, "outputTokens": 3, "cost": 0.0021, "currency": "EUR"}
STEPS = [
    {"id": "1", **FIRST, "ms": 300, "outcome": "ok", "attempt": 1, "usage": USAGE},
    {"id": "2", **NEXT, "ms": 100, "outcome": "ok", "attempt": 2},
    {"id": "3", **SLEEP, "ms": None, "outcome": "unknown", "attempt": 2},
]
_BACKWARDS = json.dumps(
    {
        "format": "yarrow-run/1",
        "threadId": "t",
        "runId": "r",
        "events": [{"id": 2, "event": {"type": "A"}}, {"id": 2, "event": {"type": "B"}}],
    }
)
ODD = [
    "",
    "null",
    "[]",
    "{}",
    '{"format": "yarrow-run/1"}',
    '{"format": "yarrow-run/1", "threadId": "t", "runId": "r", "events": []}',
    '{"format": "yarrow-run/1", "threadId": "t", "runId": "r", "events": [{"id": 1, "event": null}]}',
    '{"format": "yarrow-run/1", "threadId": "t", "runId": "r", "events": [{"id": 1, "event": {"type": 7}}]}',
    _BACKWARDS,
    '{"format": "yarrow-run/2", "threadId": "t", "runId": "r", "events": [{"id": 1, "event": {"type": "A"}}]}',
]


@pytest.fixture(scope="module")
def told() -> dict[str, Any]:
    if shutil.which("node") is None:
        pytest.skip("needs Node 20 or newer")
    given = json.dumps({"events": EVENTS, "steps": STEPS, "odd": ODD, "other": OTHER, "otherSteps": STEPS[1:]})
    command = ["node", "--input-type=module", "-e", _SCRIPT, given]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert run.returncode == 0, run.stderr
    found: dict[str, Any] = json.loads(run.stdout)
    return found


def test_deltas_of_one_part_become_one_line(told: dict[str, Any]) -> None:
    """A cut divides them, and a filter finds text that runs over several."""
    assert told["folded"][3] == ["4–6", "TEXT_MESSAGE_CONTENT", "One two three"]
    assert [line[0] for line in told["folded"]] == ["1", "2", "3", "4–6", "7", "8", "9", "10"]
    assert told["cut"][3:6] == [
        ["4", "TEXT_MESSAGE_CONTENT", "One "],
        ["cut", 4],
        ["5–6", "TEXT_MESSAGE_CONTENT", "two three"],
    ]
    assert told["single"] == told["count"] == len(EVENTS)
    assert told["found"] == [["5–6", "TEXT_MESSAGE_CONTENT", "two three"]]


def test_lanes_tell_where_the_time_went(told: dict[str, Any]) -> None:
    """STP-07, EVT-29: what is a step is no call besides; a new worker is shown where its first step begins."""
    assert [told["begin"], told["end"]] == [1_000, 2_500]
    assert told["batches"] == [
        [1_000, 1, 1],
        [1_400, 2, 2],
        [1_500, 3, 4],
        [1_700, 5, 6],
        [1_900, 7, 9],
        [2_500, 10, 10],
    ]
    assert told["lanes"] == [
        ["queue", "", 1_000, 1_400, 1],
        ["model", "chat", 1_450, 1_750, 3],
        ["text", "", 1_500, 1_900, 3],
        ["call", "pick_a_day", 1_900, 2_500, 8],
        ["handover", "", 2_000, 2_000, None],
        ["tool", "search", 2_000, 2_100, 9],
        ["wait", "steps.sleep", 2_200, 2_500, 10],
    ]
    assert told["tokens"] == {"input": 12, "output": 3, "cost": 0.0021, "currency": "EUR"}
    assert told["untimed"] is None


def test_a_run_is_read_back_from_its_file_and_nothing_else_is(told: dict[str, Any]) -> None:
    first, again = told["again"]
    assert again == first
    assert first[3] == {
        "id": 4,
        "at": 1_500,
        "event": {name: EVENTS[3][name] for name in ("type", "messageId", "delta")},
    }
    assert told["odd"] == [None] * len(ODD)


def test_two_runs_are_compared_by_what_they_say(told: dict[str, Any]) -> None:
    """EVT-29: ids and times are no difference; between equal lines, those of one kind stand side by side."""
    assert told["itself"] is True
    assert told["compared"] == [
        ["RUN_STARTED", "RUN_STARTED", True],
        ["STEP_STARTED", "STEP_STARTED", True],
        ["TEXT_MESSAGE_START", "TEXT_MESSAGE_START", True],
        ["TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_CONTENT", False],
        ["TEXT_MESSAGE_END", "TEXT_MESSAGE_END", True],
        ["TOOL_CALL_START", "TOOL_CALL_START", True],
        ["TOOL_CALL_START", None, False],
        ["RUN_FINISHED", None, False],
        [None, "RUN_ERROR", False],
    ]
    assert told["steps"] == [["1", None, False], ["2", "2", True], ["3", "3", True]]
    assert told["sums"] == [
        {"events": 10, "ms": 1_500, "input": 12, "output": 3, "text": 13},
        {"events": 9, "ms": 400, "input": None, "output": None, "text": 12},
    ]


def test_lists_are_paired_in_their_order_whatever_their_length(told: dict[str, Any]) -> None:
    wanted = [["a", "a"], ["b", "b"], ["c", None], [None, "q"], ["x", "x"], ["y", None], ["z", "z"]]
    assert told["aligned"] == wanted
    assert told["kinds"] == [[None, "b2"], ["a1", "a2"], ["b1", None]]
    assert told["long"] == 2_000
