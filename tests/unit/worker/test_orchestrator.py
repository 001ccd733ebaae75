"""What the host makes of a runner's results: case by case, one run each."""

import asyncio
import datetime
import json
from collections.abc import AsyncGenerator
from typing import Any

import pytest

from liuyao import DivinationPayload, derive
from tests.support.example_cast import EXAMPLE
from tests.support.runners.work import (
    API,
    CONTEXT,
    DONE,
    RUN,
    STARTED,
    Garbage,
    Journal,
    RunnerRaised,
    Script,
    action,
    answer,
    artifact,
    call,
    calls,
    completed,
    delta,
    faults,
    keep,
    texts,
    types,
    work,
)
from yarrow.protocol.runner.models import AgentRunContext, AgentRunResult
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.worker.orchestrator import Orchestrator
from yarrow.worker.outcomes import MAX_MESSAGES
from yarrow.worker.results import payloads
from yarrow.worker.results.result_reader import MAX_WARNINGS
from yarrow.worker.results.state_updates import MAX_STATE_KEYS
from yarrow.worker.runner_loop import RunnerFailedError

MESSAGE = "START CONTENT END"
CALL = "CALL_START CALL_ARGS CALL_END"


@pytest.mark.parametrize(
    ("script", "expected", "expected_texts"),
    [
        ([delta("你"), delta("好"), completed("你好"), DONE], "START CONTENT CONTENT END", ["你好"]),
        ([delta("你"), completed("你好"), DONE], "START CONTENT CONTENT END", ["你好"]),
        ([completed("你好"), DONE], MESSAGE, ["你好"]),
        ([delta("你好"), delta(""), DONE], MESSAGE, ["你好"]),
        ([delta("你好")], MESSAGE, ["你好"]),
        ([delta("你好"), completed(None), DONE], MESSAGE, ["你好"]),
        ([delta("你好"), completed("您好"), DONE], MESSAGE, ["你好"]),
        ([completed(""), DONE], "", []),
        ([completed("一"), delta("二"), DONE], f"{MESSAGE} {MESSAGE}", ["一", "二"]),
        ([delta("一", is_final=True), completed("一"), DONE], MESSAGE, ["一"]),
        ([delta("一", is_final=True), delta("二"), DONE], f"{MESSAGE} {MESSAGE}", ["一", "二"]),
        ([delta("一", tool_calls=[{"id": "c"}]), call("c"), DONE], f"{MESSAGE} {CALL}", ["一"]),
        (
            [delta("一", tool_calls=[{"id": "c"}]), delta("二", is_final=True), DONE],
            "START CONTENT CONTENT END",
            ["一二"],
        ),
        ([("message.delta", {"chunk": {"content": "一"}}), delta(None, is_final=True), DONE], MESSAGE, ["一"]),
        ([call("c"), answer("c"), DONE], f"{CALL} CALL_RESULT", []),
        ([call("c"), DONE], CALL, []),
        ([call("c"), call("d"), answer("d"), answer("c")], f"{CALL} {CALL} CALL_RESULT CALL_RESULT", []),
        ([call("c"), call("c", x=1), answer("c"), answer("c"), DONE], f"{CALL} CALL_RESULT", []),
        ([answer("c"), call("c"), DONE], CALL, []),
        ([delta("一"), call("c"), answer("c"), delta("二")], f"{MESSAGE} {CALL} CALL_RESULT {MESSAGE}", ["一", "二"]),
        ([delta("一"), DONE, delta("二"), RunnerRaised("late")], MESSAGE, ["一"]),
    ],
)
def test_results_become_events(script: Script, expected: str, expected_texts: list[str]) -> None:
    """RNR-29, RNR-34, RNR-35, RNR-39, EVT-09, EVT-10, EVT-12, EVT-18: Text comes once, and empty pieces nowhere."""
    done = work(script)
    assert done.error is None
    assert list(faults(done.events())) == []
    assert types(done.events()) == expected
    assert list(texts(done.events()).values()) == expected_texts
    assert done.outcome is not None
    assert {message.message_id: message.content for message in done.outcome.messages} == texts(done.events())


def test_a_tool_call_is_told_as_the_document_shows_it() -> None:
    """EVT-10, EVT-11, EVT-12, EVT-22: This is the third scenario of `agui-http-agent.md`."""
    script = [delta("让我查一下"), call("call_001", city="北京"), answer("call_001", "晴天,25°C"), completed("晴")]
    events = work(script).events()
    first, last = texts(events)
    assert types(events) == f"{MESSAGE} {CALL} CALL_RESULT {MESSAGE}"
    (seen,) = calls(events).values()
    assert (seen.tool, seen.parent, seen.arguments, seen.results) == ("t", first, '{"city":"北京"}', ["晴天,25°C"])
    result = next(event for event in events if event["type"] == "TOOL_CALL_RESULT")
    assert result["messageId"] not in (first, last)


def test_a_call_belongs_to_what_was_said_since_the_last_result() -> None:
    """EVT-10: calls made at once belong together; a call without words belongs to nothing."""
    script = [call("a"), answer("a"), completed("一"), call("b"), call("c"), answer("b"), call("d"), DONE]
    events = work(script).events()
    (message,) = texts(events)
    assert [call.parent for call in calls(events).values()] == [None, message, message, None]


def test_calls_of_a_step_without_words_belong_to_one_message() -> None:
    """EVT-10: it has the id of the first call, which is what clients call the message of a call without a parent."""
    script = [call("a"), call("b"), call("c"), answer("b"), answer("a"), call("d"), call("e"), completed("一"), DONE]
    assert [call.parent for call in calls(work(script).events()).values()] == [None, "a", "a", None, "d"]
    known = [("tool.call.started", {**call(name)[1], "more": True}) for name in "ab"]
    assert [item.parent for item in calls(work([*known, call("c"), DONE]).events()).values()] == ["a"] * 3


@pytest.mark.parametrize("dies_after", range(2, 12))
def test_a_worker_that_takes_over_keeps_the_message_of_a_step(dies_after: int) -> None:
    """EVT-10, CMP-11."""
    script = [call("a"), call("b"), answer("a"), answer("b"), call("c"), call("d"), DONE]
    lines = work(script, dies_after=dies_after).lines
    assert [call.parent for call in calls(work(script, lines=lines).events()).values()] == [None, "a", None, "c"]


@pytest.mark.parametrize("dies_after", range(2, 15))
def test_calls_whose_ids_are_drawn_at_random_are_told_once(dies_after: int) -> None:
    """EVT-10, CMP-11: a worker that takes over knows them by tool and arguments, in order."""

    def script(*ids: str) -> Script:
        first, equal, other = ids
        return [
            *(delta("一"), call(first, x=1), answer(first, "1"), call(equal, x=1), answer(equal, "2")),
            *(delta("二"), call(other, x=2), answer(other, "3"), DONE),
        ]

    lines = work(script("a", "b", "c"), dies_after=dies_after).lines
    output = calls(work(script("d", "e", "f"), lines=lines).events())
    assert [(member.arguments, member.results) for member in output.values()] == [
        ('{"x":1}', ["1"]),
        ('{"x":1}', ["2"]),
        ('{"x":2}', ["3"]),
    ]


@pytest.mark.parametrize(
    ("result", "content"),
    [
        (answer("c", "晴天"), "晴天"),
        (answer("c", {"晴": [1, None]}), '{"晴":[1,null]}'),
        (answer("c"), "null"),
        (answer("c", error="no such city"), '{"error":"no such city"}'),
        (answer("c", "\ud83d\ude00 \ud800"), "😀 \ufffd"),
        (answer("c", '"' * 300_000), '{"error":"the result is too large to show"}'),
    ],
)
def test_the_result_of_a_tool_is_a_string(result: tuple[str, Any], content: str) -> None:
    """EVT-12, RNR-42: text as it is, anything else as JSON, never more than a table's item holds."""
    assert calls(work([call("c"), result]).events())["c"].results == [content]


def test_long_text_and_arguments_come_in_pieces() -> None:
    """EVT-11, RNR-42."""
    events = work([call("c", text="爻" * 100_000), delta("卦" * 100_000)]).events()
    assert json.loads(calls(events)["c"].arguments) == {"text": "爻" * 100_000}
    assert list(texts(events).values()) == ["卦" * 100_000]
    assert types(events).count("CALL_ARGS") == types(events).count("CONTENT") == 7


NESTED: Any = 0
for _ in range(10_000):
    NESTED = [NESTED]
CYCLE: dict[str, Any] = {}
CYCLE["chunk"] = CYCLE


class Evil:
    """Does not let itself be looked at."""

    def __getattribute__(self, name: str) -> Any:
        raise RuntimeError("not yours")


NO_RESULTS: list[Any] = [
    Garbage(None),
    Garbage({"type": "message.delta"}),
    Garbage("run.completed"),
]


@pytest.mark.parametrize("result", NO_RESULTS, ids=ascii)
def test_what_is_no_result_fails_the_run(result: Any) -> None:
    """RNR-33, RNR-40."""
    done = work([delta("一"), result, delta("二"), DONE])
    assert isinstance(done.error, RunnerFailedError)
    assert (done.error.code, done.error.message) == ("runner.error", "the agent failed")
    assert list(texts(done.events()).values()) == ["一"]


MALFORMED: list[Any] = [
    Garbage(AgentRunResult.model_construct(run_id=CONTEXT.run_id, type=["x"], data={})),
    Garbage(AgentRunResult.model_construct(run_id=CONTEXT.run_id)),
    ("message.delta", {"chunk": {"content": "x"}, "x": {1}}),
    ("message.delta", {"chunk": {"content": "x", "role": None}}),
    ("message.delta", Evil()),
    ("message.delta", {"chunk": {"content": Evil()}}),
    delta("x", is_final=1),
    artifact(b"x"),
    artifact("not base64!"),
    artifact("eA"),
    artifact("eA==eA=="),
    artifact("\u00e9A=="),
    artifact(None),
    artifact(5),
    artifact(b"x", artifact_type=""),
    ("artifact.created", {"content_base64": "eA=="}),
    ("artifact.created", {"artifact_type": "file", "artifact_id": "a"}),
    artifact(b"x", mime_type="text"),
    artifact(b"x", name=""),
    artifact(b"x" * (payloads.MAX_INLINE_BYTES + 1)),
    action("message.edit"),
    action(""),
    action("message.edit", target=[]),
    ("message.delta", None),
    ("message.delta", []),
    ("message.delta", {}),
    ("message.delta", {"chunk": "x"}),
    delta(5),
    delta(["x"]),
    delta(b"x"),
    delta("x", role="tool"),
    delta("x", is_final="yes"),
    delta("x", n=float("nan")),
    delta("x", at=datetime.datetime.now(datetime.UTC)),
    delta("x", deep=NESTED),
    ("message.delta", CYCLE),
    ("message.completed", {"message": None}),
    completed("x", output=["x"]),
    completed("x", output={"deep": json.loads("[" * 300 + "]" * 300)}),
    ("tool.call.started", {"tool_name": "t"}),
    ("tool.call.started", {"tool_call_id": "", "tool_name": "t"}),
    ("tool.call.started", {"tool_call_id": "x", "tool_name": "t", "parameters": "{}"}),
    ("tool.call.completed", {"result": 1}),
    ("divination.derived", {"divination": {}}),
    keep("", 1),
    keep("键\n", 1),
    keep("k" * 129, 1),
    keep("k", "x" * payloads.MAX_STATE_BYTES),
    keep("k", {1, 2}),
    keep("k", 1, scope="actor"),
    ("state.updated", {"scope": "conversation", "key": "k"}),
    ("message.deltas", {"chunk": {"content": "x"}}),
    ("\ud800", {}),
]


@pytest.mark.parametrize("result", MALFORMED, ids=lambda result: type(result).__name__)
def test_what_the_host_cannot_act_on_is_passed_over(result: Any, caplog: pytest.LogCaptureFixture) -> None:
    """RNR-32, RNR-33, RNR-36, RNR-37, RNR-38: with a warning; the run goes on as if it had not come."""
    done = work([delta("一"), result, delta("二"), completed("一二"), DONE])
    assert list(faults(done.events())) == []
    assert types(done.events()) == "START CONTENT CONTENT END"
    assert done.outcome is not None
    assert (done.answer.content, done.outcome.state) == ("一二", {})
    assert [record.levelname for record in caplog.records] == ["WARNING"]


def test_warnings_about_one_run_are_bounded(caplog: pytest.LogCaptureFixture) -> None:
    """RNR-32: a runner cannot flood the log."""
    assert work([("x", {})] * 1_000).error is None
    assert len(caplog.records) == MAX_WARNINGS


def test_a_warning_tells_the_type_and_not_the_content(caplog: pytest.LogCaptureFixture) -> None:
    """RNR-32, SEC-05."""
    work([("message.secret", {"a": "hidden"}), delta({"b": "hidden"})])
    assert [(record.levelname, record.message, vars(record)["result_type"]) for record in caplog.records] == [
        ("WARNING", "unknown result type", "'message.secret'"),
        ("WARNING", "malformed result", "'message.delta'"),
    ]
    assert "hidden" not in str([vars(record) for record in caplog.records])


@pytest.mark.parametrize(
    ("data", "code", "message"),
    [
        ({"code": "cancelled", "message": "stopped"}, "cancelled", "stopped"),
        ({"code": "agent.tired", "message": "try later", "retryable": True}, "agent.tired", "try later"),
        ({"code": "agent.tired", "error": "try later"}, "agent.tired", "try later"),
        ({"error": "try later"}, "runner.error", "try later"),
        ({"error": "try later", "retryable": "maybe"}, "runner.error", "try later"),
        ({}, "runner.error", "the agent failed"),
        ({"code": 5, "message": b"x"}, "runner.error", "the agent failed"),
        ({"message": "x" * 4_001}, "runner.error", "the agent failed"),
        (None, "runner.error", "the agent failed"),
    ],
)
def test_a_runner_that_reports_failure_fails_the_run(data: Any, code: str, message: str) -> None:
    """RNR-33, RNR-40, RNR-71, C16: under either name, and however badly it says so."""
    done = work([delta("一"), ("run.failed", data), completed("二"), DONE])
    assert isinstance(done.error, RunnerFailedError)
    assert (done.error.code, done.error.message) == (code, message)
    assert done.error.retryable is bool(data and data.get("retryable") is True)
    assert list(faults(done.events())) == []
    assert list(texts(done.events()).values()) == ["一"]


def test_a_completion_that_is_malformed_completes() -> None:
    """RNR-33, RNR-39."""
    done = work([completed("一"), ("run.completed", float("nan")), completed("二")])
    assert done.answer.content == "一"


@pytest.mark.parametrize(
    "script",
    [
        [call("c", x="x" * payloads.MAX_RESULT_BYTES)],
        [completed("x", {"y": "x" * 400_000})],
        [keep(key, "x" * 230_000) for key in "abcde"],
        [delta("x" * 200_000), delta("x" * 200_000)],
        [answer("c", "x" * 1_000_000)] * 9,
        [delta("x" * payloads.MAX_RESULT_BYTES)],
        [delta("\x00" * (payloads.MAX_RESULT_BYTES // 6))],
        [delta("爻" * 300_000), call("c"), *[delta("爻" * 300_000, is_final=True)] * 10],
        [completed([{"type": "text", "text": "x" * payloads.MAX_RESULT_BYTES}])],
        [artifact(b"x" * 1_000_000)] * 7,
        [completed("x")] * (MAX_MESSAGES + 1),
        [completed("x" * 300_000)] * 4,
    ],
    ids=[
        "one result",
        "output",
        "state",
        "answer",
        "all results",
        "one piece",
        "one piece as JSON",
        "all pieces",
        "one message in parts",
        "all artifacts",
        "number of messages",
        "all messages",
    ],
)
def test_results_without_measure_fail_the_run(script: Script) -> None:
    """RNR-42."""
    done = work(script)
    assert isinstance(done.error, RunnerFailedError)
    assert done.error.code == "payload_too_large"
    assert list(faults(done.events())) == []


@pytest.mark.parametrize("result", [("unknown", {}), delta(""), delta({})], ids=ascii)
def test_a_run_has_only_so_many_results(result: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """RNR-42: even if there is nothing in them."""
    monkeypatch.setattr(payloads, "MAX_RUN_BYTES", 10_000)
    assert work([result] * 50).error is None
    assert isinstance(work([result] * 200).error, RunnerFailedError)


def test_the_state_to_keep_is_what_came_last_under_each_key() -> None:
    """RNR-36: and not more values than the transaction that keeps them holds."""
    done = work([keep("external.session_id", 1), keep("external.session_id", {"b": None}), keep("b", 2)])
    assert done.outcome is not None
    assert done.outcome.state == {"conversation": {"external.session_id": {"b": None}, "b": 2}}
    full = work([keep(f"k{number}", number) for number in range(MAX_STATE_KEYS + 1)] + [keep("k0", "new")])
    assert full.outcome is not None
    kept = full.outcome.state["conversation"]
    assert (len(kept), kept["k0"]) == (MAX_STATE_KEYS, "new")


def test_every_message_is_kept_with_its_own_output() -> None:
    """HIS-01, HIS-08, HIS-19: what was said before a tool was called, each segment, and the answer."""
    script = [
        delta("我查一下"),
        call("c"),
        answer("c", 1),
        delta("一", is_final=True),
        completed("一", {"answer": "一"}),
        delta("二", is_final=True),
        delta("三"),
        completed("三", {"answer": "三"}),
    ]
    done = work([*script, DONE])
    assert done.outcome is not None
    assert [(message.content, message.output) for message in done.outcome.messages] == [
        ("我查一下", None),
        ("一", {"answer": "一"}),
        ("二", None),
        ("三", {"answer": "三"}),
    ]
    most = work([completed("x")] * MAX_MESSAGES).outcome
    assert most is not None
    assert len(most.messages) == MAX_MESSAGES


@pytest.mark.parametrize("text", ["", None, [], [{"type": "image_base64", "image_base64": "eA=="}]])
def test_an_output_without_text_is_a_message_of_its_own(text: Any) -> None:
    """EVT-09, HIS-19: a card alone reaches clients and the history, whichever worker shows it."""
    script = [delta("一"), call("c"), answer("c", 1), completed(text, {"answer": 1}), delta("二"), DONE]
    whole = work(script)
    assert types(whole.events()) == f"{MESSAGE} {CALL} CALL_RESULT START END {MESSAGE}"
    assert whole.outcome is not None
    assert [(message.content, message.output) for message in whole.outcome.messages] == [
        ("一", None),
        ("", {"answer": 1}),
        ("二", None),
    ]
    for cut in range(1, len(whole.lines)):
        done = work(script, work(script, dies_after=cut).lines)
        assert types(done.events()) == types(whole.events())
        assert done.outcome is not None
        assert [message.output for message in done.outcome.messages] == [None, {"answer": 1}, None]
    assert types(work([completed(text, {}), DONE]).events()) == ""


def test_structured_output_may_not_pose_as_framing() -> None:
    """DIV-28, C10: whatever the output calls its members, the event stays what it is; the history has them all."""
    ours = ("type", "messageId", "message_id", "threadId", "thread_id", "runId", "run_id", "timestamp")
    output = {
        **dict.fromkeys((*ours, "metadata", "rawEvent", "subagentRunId")),
        "answer": "好",
        "error": None,
        "self": 1,
        "model_config": 2,
    }
    done = work([completed("好", output)])
    end = next(event for event in done.events() if event["type"] == "TEXT_MESSAGE_END")
    (message,) = texts(done.events())
    ids = {"type": "TEXT_MESSAGE_END", "threadId": "thread", "runId": "run", "messageId": message}
    assert end == {**ids, "answer": "好", "error": None, "self": 1, "model_config": 2}
    assert done.answer.output == output


def test_a_cast_is_told_once() -> None:
    """DIV-11, RNR-33: by the first valid result; a later worker does not tell it again."""
    derived = derive(DivinationPayload.model_validate(EXAMPLE)).model_dump(mode="json")
    events = ("divination.derived", {"divination": derived})
    first = work([("divination.derived", {"divination": {**derived, "x": 1}}), events, events])
    assert types(first.events()) == "DIVINATION_DERIVED"
    assert types(work([events], first.lines).events()) == "DIVINATION_DERIVED"


def _numbered(*sequences: Any) -> str:
    """What is told of a runner that numbers its pieces, which are the numbers themselves."""

    class Numbering:
        async def run(self, context: AgentRunContext, _api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
            for sequence in sequences:
                type_, data = delta(str(sequence))
                yield AgentRunResult.model_construct(run_id=context.run_id, type=type_, data=data, sequence=sequence)

    outcome = asyncio.run(Orchestrator(RUN, (), Journal(STARTED, None)).run(Numbering(), CONTEXT, API))
    return outcome.messages[0].content


@pytest.mark.parametrize(
    ("sequences", "heard"),
    [
        ((0, 1, 2), "012"),
        ((1, 1, 2, 1, 3), "123"),
        ((1, 3, 4, 2), "134"),
        ((1, None, 2, None), "1None2None"),
        (("1", [], "1", 2.5), "1[]12.5"),
    ],
)
def test_a_result_that_comes_again_is_not_heard(sequences: tuple[Any, ...], heard: str) -> None:
    """RNR-41: a number not above the last is dropped, a gap is not waited for, and what is no number is none."""
    assert _numbered(*sequences) == heard


@pytest.mark.parametrize(
    "result", [AgentRunResult(run_id="another", type="run.completed"), AgentRunResult.model_construct(type="x")]
)
def test_an_answer_for_another_run_fails_the_run(result: AgentRunResult) -> None:
    """RNR-30."""
    done = work([Garbage(result)])
    assert isinstance(done.error, RunnerFailedError)
    assert (done.error.code, done.error.message) == ("runner.error", "the agent answered for another run")
