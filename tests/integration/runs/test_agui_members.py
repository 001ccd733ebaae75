"""AG-UI's members of calls, results and ends, from a runner to clients of either age and to the next run."""

import base64
import json
from collections.abc import Callable
from typing import Any

import anyio
import pytest

from tests.support.agui.client import AgUiClient, read
from tests.support.divination_runs import ALICE, THREAD, execute, submit
from tests.support.journals import numbered, stored
from tests.support.runners.asking import Asker, answered, interrupts_of
from tests.support.runners.scripted import DONE, Scripted, completed, install
from yarrow.packages import event_types
from yarrow.protocol.agui.events import Profile
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.runs import end_run
from yarrow.runs.agui.join_snapshot import join_from_snapshot
from yarrow.runs.stream_events import stream_events
from yarrow.store import journal, runs, tool_use
from yarrow.web.streams.event_stream import open_stream, read_times
from yarrow.web.streams.stream_formats import formatter

pytestmark = [pytest.mark.usefixtures("aws"), pytest.mark.memory]

PICTURE = base64.b64encode(b"\x89PNG\r\n\x1a\n").decode()
PARTS: list[dict[str, Any]] = [
    {"type": "text", "text": "the sky", "metadata": {"n": 1}},
    {"type": "image", "source": {"type": "data", "value": PICTURE, "mimeType": "image/png"}},
    {"type": "document", "source": {"type": "url", "value": "https://example.org/a.pdf"}},
]
AS_TEXT = "the sky\n(image left out, for it cannot be opened here)\n(document left out, for it cannot be opened here)"
CALL = ("tool.call.started", {"tool_call_id": "c", "tool_name": "look", "parameters": {}, "metadata": {"card": 7}})
RESULT = (
    "tool.call.completed",
    {"tool_call_id": "c", "result": "the sky", "content": PARTS, "metadata": {"source": "camera"}},
)

PARTS_ARE_NEW = "AGUI504"
"""The validator's rule that a result is a string, as it was before AG-UI 1.0; the SDK's own schemas know parts."""

Use = Callable[..., Scripted]


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch) -> Use:
    """Have every run call a runner with these results."""

    def made(*results: Any) -> Scripted:
        runner = Scripted(*results)
        install(monkeypatch, lambda: runner)
        return runner

    return made


def seen(run_key: str, version: str | None, *tolerated: str) -> AgUiClient:
    """What a client of a version makes of a run, by the SDK's own schemas."""
    profile = Profile(runs.must_read(run_key).ids, event_types.find, None, version)
    return read([line for _, one in numbered(run_key) if (line := profile.line(one)) is not None], *tolerated)


def joined(run_id: str, version: str | None) -> list[dict[str, Any]]:
    """The messages of a client that joins a run from a snapshot."""
    stream = join_from_snapshot(stream_events(ALICE.user_id, THREAD, run_id, None, None), version)
    (snapshot,) = (event for line in stream.opening if (event := json.loads(line))["type"] == "MESSAGES_SNAPSHOT")
    found: list[dict[str, Any]] = snapshot["messages"]
    return found


# ---- Calls for the client --------------------------------------------------------------------------------------------
def test_a_run_that_leaves_calls_names_them(use: Use) -> None:
    """EVT-32: those without a result, in order; clients before 1.0 find them in the events."""
    use(CALL, ("tool.call.completed", {"tool_call_id": "c", "result": 1}), *_calls("b", "a"), DONE)
    run_key = submit().task_id
    execute(run_key)
    outcome = {"type": "success", "pendingToolCallIds": ["b", "a"]}
    assert stored(run_key)[-1]["outcome"] == outcome
    end = seen(run_key, "1.0").end
    assert end is not None
    assert end["outcome"] == outcome
    assert "outcome" not in (seen(run_key, None).end or {})


def test_a_run_that_leaves_none_has_no_outcome(use: Use) -> None:
    """EVT-32: which means success."""
    use(CALL, RESULT, DONE)
    run_key = submit().task_id
    execute(run_key)
    assert "outcome" not in stored(run_key)[-1]


def test_calls_of_the_run_before_a_question_are_not_the_next_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """EVT-32: a run names its own."""

    class Calling(Asker):
        async def run(self, context: Any, api: AgentRunAPIProxy) -> Any:
            async for result in Scripted(*_calls("b")).run(context, api):
                yield result
            async for result in super().run(context, api):
                yield result

    async def ask(_asker: Asker, api: AgentRunAPIProxy) -> Any:
        return (await api.ask("Shall I?")).value

    install(monkeypatch, lambda: Calling(ask))
    first = submit().task_id
    execute(first)
    second = answered(interrupts_of(first)[0]["id"], {"approved": True}).task_id
    execute(second)
    assert "outcome" not in stored(second)[-1]


def _calls(*names: str) -> list[tuple[str, dict[str, Any]]]:
    return [("tool.call.started", {"tool_call_id": name, "tool_name": "open", "parameters": {}}) for name in names]


# ---- Results with parts, and metadata --------------------------------------------------------------------------------
def test_the_parts_of_a_result_and_metadata_reach_the_client(use: Use) -> None:
    """EVT-33: as the runner made them, and text for clients before 1.0."""
    use(CALL, RESULT, completed("blue"), DONE)
    run_key = submit().task_id
    execute(run_key)
    results = [event for event in stored(run_key) if event["type"] == "TOOL_CALL_RESULT"]
    assert [(event["content"], event["parts"]) for event in results] == [("the sky", PARTS)]
    assert results[0]["metadata"] == {"source": "camera"}
    (old,) = (one for one in seen(run_key, None).messages if one["role"] == "tool")
    (new,) = (one for one in seen(run_key, "1.0", PARTS_ARE_NEW).messages if one["role"] == "tool")
    assert (old["content"], new["content"]) == ("the sky", PARTS)


@pytest.mark.parametrize(("version", "content"), [(None, "the sky"), ("1.0", PARTS)])
@pytest.mark.parametrize("run_id", ["run-1", "run-2"], ids=["the same run", "a later run"])
def test_a_snapshot_has_them_too(use: Use, version: str | None, content: Any, run_id: str) -> None:
    """EVT-14, EVT-33."""
    use(CALL, RESULT, completed("blue"), DONE)
    execute(submit().task_id)
    use(completed("yes"), DONE)
    question = [{"id": "msg-2", "role": "user", "content": "Sure?"}]
    execute(submit(runId="run-2", messages=question).task_id)
    messages = joined(run_id, version)
    (result,) = (one for one in messages if one["role"] == "tool")
    assert (result["content"], result["metadata"]) == (content, {"source": "camera"})
    (call,) = (call for one in messages for call in one.get("toolCalls", ()))
    assert call["metadata"] == {"card": 7}


def test_models_get_the_text_of_a_result(use: Use) -> None:
    """EVT-33, MSG-08: also where the run failed after it."""
    use(CALL, ("tool.call.completed", {"tool_call_id": "c", "content": PARTS}), DONE)
    execute(submit().task_id)
    assert _kept_results() == [AS_TEXT]
    use(
        ("tool.call.started", {"tool_call_id": "d", "tool_name": "look", "parameters": {}}),
        ("tool.call.completed", {"tool_call_id": "d", "content": PARTS}),
        ("run.failed", {}),
    )
    execute(submit(runId="run-2").task_id)
    assert _kept_results() == [AS_TEXT, AS_TEXT]


def _kept_results() -> list[str | None]:
    return [
        call.result
        for placed in tool_use.since(THREAD, 0, 10**6)
        for round_ in placed.tool_use.rounds
        for call in round_.calls
    ]


def test_large_bytes_of_a_result_become_artifacts(use: Use) -> None:
    """EVT-33, RNR-81: the event has a handle; a line stands for what is no base64."""
    large = base64.b64encode(b"x" * 300_000).decode()
    parts = [
        {"type": "image", "source": {"type": "data", "value": large, "mimeType": "image/png"}},
        {"type": "audio", "source": {"type": "data", "value": "?", "mimeType": "audio/wav"}},
        {"type": "text", "text": "two"},
    ]
    use(CALL, ("tool.call.completed", {"tool_call_id": "c", "content": parts}), DONE)
    run_key = submit().task_id
    execute(run_key)
    (result,) = (event for event in stored(run_key) if event["type"] == "TOOL_CALL_RESULT")
    image, audio, text = result["parts"]
    source = image["source"]
    assert (source["type"], source["provider"], source["mimeType"]) == ("file", "yarrow", "image/png")
    assert audio == {"type": "text", "text": "(audio left out, for it cannot be opened here)"}
    assert text == {"type": "text", "text": "two"}
    seen(run_key, "1.0", PARTS_ARE_NEW)


@pytest.mark.parametrize(
    "content",
    [
        [{"type": "text", "text": "only"}],
        "text",
        [{"type": "image"}, {"type": "image", "source": {"type": "data", "value": "aa"}}, 7],
        [{"type": "binary", "mimeType": "image/png", "url": "https://example.org"}],
    ],
)
def test_parts_without_media_and_malformed_ones_leave_the_result(use: Use, content: Any) -> None:
    """EVT-33."""
    use(CALL, ("tool.call.completed", {"tool_call_id": "c", "result": 1, "content": content}), DONE)
    run_key = submit().task_id
    execute(run_key)
    (result,) = (event for event in stored(run_key) if event["type"] == "TOOL_CALL_RESULT")
    assert (result["content"], "parts" in result) == ("1", False)


# ---- Times -----------------------------------------------------------------------------------------------------------
def frames(run_id: str, *, profile: str | None, times: bool) -> list[dict[str, Any]]:
    """The events of a stream as its client gets them."""

    async def collect() -> bytes:
        response = await open_stream(
            lambda: formatter(profile, "1.0")(stream_events(ALICE.user_id, THREAD, run_id, None, None)),
            5.0,
            times=times,
        )
        return b"".join([bytes(chunk) async for chunk in response.body_iterator if not isinstance(chunk, str)])

    data = anyio.run(collect).decode()
    return [json.loads(line.removeprefix("data: ")) for line in data.split("\n") if line.startswith("data: ")]


@pytest.mark.parametrize("profile", [None, "native", "agui"])
def test_a_client_that_asks_for_times_gets_them(use: Use, profile: str | None) -> None:
    """EVT-29, EVB-06: when each event was stored, in milliseconds; the rest is as without them."""
    use(CALL, RESULT, completed("blue"), DONE)
    run_key = submit().task_id
    execute(run_key)
    timed, plain = (frames("run-1", profile=profile, times=times) for times in (True, False))
    at = [event.pop("timestamp") for event in timed]
    assert timed == plain
    assert at == sorted(at)
    batches = [batch.at for batch in journal.read(run_key, journal.Position())]
    assert {at[0], at[-1]} <= set(batches)


def test_times_are_asked_for_by_true_or_false() -> None:
    """EVT-29."""
    assert [read_times(value) for value in (None, "true", "false")] == [False, True, False]
    with pytest.raises(Problem) as caught:
        read_times("1")
    assert caught.value.code is Code.AGENT_EVENTS_QUERY_INVALID


def test_a_client_of_the_newest_version_resumes_as_such(use: Use) -> None:
    """EVT-28, EVT-32: with `protocolVersion`, its stream is that of `/send-message`."""
    use(*_calls("b"), DONE)
    execute(submit().task_id)
    assert frames("run-1", profile="agui", times=False)[-1]["outcome"]["pendingToolCallIds"] == ["b"]
    cancelled = submit(runId="run-2").task_id
    end_run.end_with_error(cancelled, end_run.CANCELED)
    assert frames("run-2", profile="agui", times=False)[-1]["outcome"] == {"type": "cancelled"}
