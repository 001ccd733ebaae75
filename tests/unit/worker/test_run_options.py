"""What a run may do besides talking: keep state, make artifacts, request actions; and how long a message may be."""

import base64
import json
import logging
from typing import Any, get_args

import pytest

from tests.support.runners.work import (
    CONTEXT,
    DONE,
    RUN,
    Kept,
    Script,
    Work,
    action,
    answer,
    artifact,
    call,
    calls,
    completed,
    delta,
    faults,
    full,
    keep,
    texts,
    types,
    work,
)
from yarrow.protocol.runner.api import AgentAPIException, ArtifactMetadata
from yarrow.protocol.runner.models import AgentRunState
from yarrow.protocol.runner.vocabulary import StateScope
from yarrow.worker.results import artifact_sink, payloads, state_updates
from yarrow.worker.run_options import DEFAULTS, RunOptions
from yarrow.worker.runner_loop import RunnerFailedError


def events_of(done: Work, *types_: str) -> list[dict[str, Any]]:
    return [event for event in done.events() if event["type"] in types_]


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.message for record in caplog.records if record.levelno == logging.WARNING]


# ---- Pieces ----------------------------------------------------------------------------------------------------------
def test_pieces_of_a_runner_that_declares_none_are_told_with_one_warning(caplog: pytest.LogCaptureFixture) -> None:
    """RNR-06."""
    done = work([delta("一"), delta("二"), DONE], options=RunOptions(streaming=False))
    assert list(texts(done.events()).values()) == ["一二"]
    assert warnings(caplog) == ["deltas of a runner that declares none"]


LIMITED = CONTEXT.model_copy(update={"delivery": CONTEXT.delivery.model_copy(update={"max_message_size": 4})})


@pytest.mark.parametrize(
    ("script", "shown"),
    [
        ([completed("一二三四")], ["一二三四"]),
        ([completed("一二三四五")], ["一二三…"]),
        ([delta("一二三"), delta("四")], ["一二三四"]),
        ([delta("一二三"), delta("四"), delta("五六"), delta("七")], ["一二三…"]),
        ([delta("一二三四五"), completed("一二三四五")], ["一二三…"]),
        ([delta("一二三四", is_final=True), delta("五六七八九")], ["一二三四", "五六七…"]),
    ],
)
def test_a_message_is_cut_to_what_its_surface_shows(script: Script, shown: list[str]) -> None:
    """RNR-20: a character says so; the history has what was shown."""
    done = work(script, context=LIMITED)
    assert list(faults(done.events())) == []
    assert list(texts(done.events()).values()) == shown
    assert done.answer.content == shown[-1]


def test_a_message_that_was_cut_is_cut_the_same_by_the_next_worker() -> None:
    """RNR-20, CMP-11."""
    script = [delta("一二三"), delta("四"), delta("五")]
    whole = work(script, context=LIMITED).events()
    for cut in range(len(whole)):
        told_ = work(script, work(script, dies_after=cut, context=LIMITED).lines, context=LIMITED).events()
        assert types(told_) == types(whole)


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("plan.pdf", "plan.pdf"),
        ("../../etc/passwd", "passwd"),
        ("C:\\Users\\me\\卦 象.png", "卦 象.png"),
        ("out/", "out"),
        ("..", None),
        ("/", None),
        (None, None),
    ],
)
def test_the_name_of_an_artifact_has_no_path(name: str | None, kept: str | None) -> None:
    """RNR-38."""
    done = work([artifact(b"x", name=name), DONE], options=full())
    [event] = events_of(done, "CUSTOM")
    assert event["value"].get("name") == kept


# ---- State -----------------------------------------------------------------------------------------------------------
def test_state_is_kept_in_the_scopes_of_the_run_and_no_other(caplog: pytest.LogCaptureFixture) -> None:
    """RNR-36: a scope that is denied, or not known, is passed over with a warning."""
    options = RunOptions(state_scopes=frozenset({"actor", "binding"}))
    state = state_updates.StateUpdates(options, RUN.ids)
    for scope in get_args(StateScope):
        state.keep(payloads.StateUpdated(scope=scope, key="k", value=scope))
    assert state.by_scope == {"actor": {"k": "actor"}, "binding": {"k": "binding"}}
    done = work([keep("k", 1), keep("k", 1, scope="other"), DONE], options=options)
    assert done.outcome is not None
    assert done.outcome.state == {}
    assert warnings(caplog) == ["the run may not do this", "malformed result"]


def test_the_scopes_share_what_one_run_may_keep() -> None:
    """RNR-36."""
    state = state_updates.StateUpdates(RunOptions(state_scopes=frozenset({"actor", "runner"})), RUN.ids)
    scopes: list[StateScope] = ["actor", "runner"] * state_updates.MAX_STATE_KEYS
    kept = [state.keep(payloads.StateUpdated(scope=scope, key=f"k{n}", value=n)) for n, scope in enumerate(scopes)]
    assert kept.count(True) == state_updates.MAX_STATE_KEYS


def test_state_is_shown_whole_and_then_by_its_changes() -> None:
    """RNR-36, EVT-13: as RFC 6902 has it, if the binding shows state at all."""
    script = [keep("a/b", 1), keep("a/b", {"c": None}), keep("d", 2, scope="actor"), DONE]
    assert events_of(work(script), "STATE_SNAPSHOT", "STATE_DELTA") == []
    first, *changes = events_of(work(script, options=full()), "STATE_SNAPSHOT", "STATE_DELTA")
    assert first["snapshot"] == {"actor": {}, "conversation": {"a/b": 1}}
    assert [change["delta"] for change in changes] == [
        [{"op": "add", "path": "/conversation/a~1b", "value": {"c": None}}],
        [{"op": "add", "path": "/actor/d", "value": 2}],
    ]


def test_the_state_that_was_there_is_shown_first() -> None:
    """RNR-36, EVT-13: Only the scopes of the run are shown."""
    there = CONTEXT.model_copy(update={"state": AgentRunState(conversation={"k": 1}, runner={"secret": 2})})
    first, change = events_of(
        work([keep("k", 2), DONE], options=full(), context=there), "STATE_SNAPSHOT", "STATE_DELTA"
    )
    assert first["snapshot"] == {"actor": {}, "conversation": {"k": 1}}
    assert change["delta"] == [{"op": "add", "path": "/conversation/k", "value": 2}]
    large = CONTEXT.model_copy(update={"state": AgentRunState(conversation={"k": "x" * 400_000})})
    done = work([keep("k", 2), DONE], options=full(), context=large)
    assert (done.error, types(done.events())) == (None, "")


# ---- Actions ---------------------------------------------------------------------------------------------------------
def test_an_action_is_told_if_it_is_allowed_and_never_done(caplog: pytest.LogCaptureFixture) -> None:
    """RNR-37."""
    script = [action("message.edit"), action("member.ban"), DONE]
    assert events_of(work(script), "CUSTOM") == []
    caplog.clear()
    (event,) = events_of(work(script, options=RunOptions(actions=frozenset({"message.edit"}))), "CUSTOM")
    assert event["name"] == "action.requested"
    assert event["value"] == {"action": "message.edit", "target": {"message_id": "1"}, "payload": {"text": "x"}}
    assert warnings(caplog) == ["the run may not do this"]


# ---- Artifacts -------------------------------------------------------------------------------------------------------
def test_an_artifact_is_kept_and_told_without_its_bytes() -> None:
    """RNR-38: It has the host's own id."""
    kept = Kept()
    file = artifact(b"\x00\xff", name="a.bin", mime_type="image/png", artifact_id="mine", metadata={"a": 1})
    (event,) = events_of(work([file, DONE], options=RunOptions(keep_artifact=kept)), "CUSTOM")
    ((artifact_id, content),) = kept.contents.items()
    assert (artifact_id == "mine", content) == (False, b"\x00\xff")
    assert event["name"] == "artifact.created"
    assert event["value"] == {
        "artifact_id": artifact_id,
        "artifact_type": "file",
        "mime_type": "image/png",
        "name": "a.bin",
        "size_bytes": 2,
        "created_at": "2026-04-03T20:30:00Z",
        "metadata": {"a": 1},
    }


def test_an_artifact_as_large_as_allowed_is_kept() -> None:
    """RNR-38, RNR-42: its content counts apart from the rest of its result."""
    kept = Kept()
    assert (
        work([artifact(b"x" * payloads.MAX_INLINE_BYTES), DONE], options=RunOptions(keep_artifact=kept)).error is None
    )
    assert [len(content) for content in kept.contents.values()] == [payloads.MAX_INLINE_BYTES]


@pytest.mark.parametrize("content", [b"x" * (payloads.MAX_INLINE_BYTES + 1), "x" * payloads.MAX_ARTIFACT_RESULT_BYTES])
def test_an_artifact_that_is_too_large_is_not_kept(content: Any, caplog: pytest.LogCaptureFixture) -> None:
    """RNR-38, RNR-42: the run goes on, and the log says why."""
    kept = Kept()
    done = work([delta("一"), artifact(content), delta("二"), DONE], options=RunOptions(keep_artifact=kept))
    assert done.error is None
    assert list(texts(done.events()).values()) == ["一二"]
    assert kept.contents == {}
    assert warnings(caplog) == ["an artifact exceeds 1048576 bytes and is not kept"]


# ---- Parts of a message ----------------------------------------------------------------------------------------------
PNG = b"\x89PNG\r\n"


def text_part(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def picture(content: bytes, head: str = "data:image/webp;base64,") -> dict[str, Any]:
    return {"type": "image_base64", "image_base64": head + base64.b64encode(content).decode(), "text": None}


def made(done: Work) -> list[tuple[str, str, str | None]]:
    return [
        (event["value"]["artifact_type"], event["value"]["mime_type"], event["value"].get("name"))
        for event in events_of(done, "CUSTOM")
    ]


@pytest.mark.parametrize("say", [delta, completed])
def test_the_parts_of_a_message_are_told_and_kept(say: Any) -> None:
    """RNR-34, RNR-35: text is told, what comes in base64 is an artifact, what is elsewhere is a link."""
    kept = Kept()
    parts = [
        text_part("看"),
        picture(b"1"),
        {"type": "image_url", "image_url": {"url": "data:image/jpeg;base64,Mg=="}},
        picture(PNG, head=""),
        text_part("这里"),
        {"type": "image_url", "image_url": {"url": "https://example.com/a b.png"}},
        {"type": "image_url", "image_url": {"url": "artifact:art_1"}},
        {"type": "image_url", "image_url": {"url": "https://example.com/a.png"}},
        {"type": "file_base64", "file_base64": "data:;base64,Mw==", "file_name": "../plan.txt"},
        {"type": "file_url", "file_url": "http://example.com/b", "file_name": "the [plan]"},
        {"type": "video", "video": {}},
    ]
    done = work([say(parts), DONE], options=RunOptions(keep_artifact=kept))
    assert list(faults(done.events())) == []
    assert done.answer.content == (
        "看这里\n\n![](<https://example.com/a.png>)\n\n\n\n[the plan](<http://example.com/b>)\n\n"
    )
    assert made(done) == [
        ("image", "image/webp", None),
        ("image", "image/jpeg", None),
        ("image", "image/png", None),
        ("file", "application/octet-stream", "plan.txt"),
    ]
    assert list(kept.contents.values()) == [b"1", b"2", PNG, b"3"]


def test_an_answer_may_be_a_picture_alone() -> None:
    """RNR-35."""
    done = work([completed([picture(b"1")]), DONE], options=full())
    assert done.error is None
    assert made(done) == [("image", "image/webp", None)]
    assert texts(done.events()) == {}


def test_a_picture_that_comes_again_is_kept_once() -> None:
    """RNR-35, CMP-11: It comes with a later piece, with the whole message, or by the next worker."""
    script = [delta([picture(b"1"), text_part("一")]), delta([picture(b"1"), text_part("二")])]
    script += [completed([text_part("一二"), picture(b"1"), picture(b"2")]), DONE]
    options = full()
    whole = work(script, options=options)
    assert len(made(whole)) == 2
    assert whole.answer.content == "一二"
    for cut in range(len(whole.lines)):
        again = work(script, work(script, dies_after=cut, options=options).lines, options=options)
        assert types(again.events()) == types(whole.events())


def test_a_file_of_a_message_that_cannot_be_kept_leaves_the_rest(caplog: pytest.LogCaptureFixture) -> None:
    """RNR-38, RNR-42: too large, no base64, or not granted; its bytes count for nothing then."""
    large = picture(b"x" * (payloads.MAX_INLINE_BYTES + 1))
    script = [completed([text_part(str(n)), large, picture(b"x", head="data:image/png;base64,!")]) for n in range(9)]
    done = work([*script[:8], DONE], options=full())
    assert done.error is None
    assert list(texts(done.events()).values()) == list("01234567")
    assert warnings(caplog)[:2] == [
        "an artifact exceeds 1048576 bytes and is not kept",
        "a file of a message is not base64",
    ]
    caplog.clear()
    assert work([completed([text_part("x"), picture(b"1")]), DONE]).answer.content == "x"
    assert warnings(caplog) == ["the run may not do this"]


def test_the_files_of_messages_count_for_the_measure_of_the_run() -> None:
    """RNR-42."""
    script = [completed([picture(bytes([n]) * payloads.MAX_INLINE_BYTES)]) for n in range(9)]
    done = work(script, options=full())
    assert isinstance(done.error, RunnerFailedError)
    assert done.error.code == "payload_too_large"


@pytest.mark.parametrize("run_id", ["another", 5])
def test_an_artifact_of_another_run_is_not_kept(run_id: Any) -> None:
    """RNR-38."""
    kept = Kept()
    work([artifact(b"x", run_id=run_id), DONE], options=RunOptions(keep_artifact=kept))
    work([artifact(b"y", run_id=CONTEXT.run_id), DONE], options=RunOptions(keep_artifact=kept))
    assert list(kept.contents.values()) == [b"y"]


def test_a_run_makes_only_so_many_artifacts(caplog: pytest.LogCaptureFixture) -> None:
    """RNR-38: and the same bytes twice are two."""
    kept = Kept()
    work([artifact(b"x")] * (artifact_sink.MAX_ARTIFACTS + 1), options=RunOptions(keep_artifact=kept))
    assert len(kept.contents) == artifact_sink.MAX_ARTIFACTS
    assert warnings(caplog) == ["the run may not do this"]


def test_an_artifact_that_is_refused_does_not_end_the_run() -> None:
    """RNR-38, RNR-33."""

    async def refuse(**_: Any) -> ArtifactMetadata:
        raise AgentAPIException("payload_too_large", "metadata")

    done = work([artifact(b"x"), completed("一"), DONE], options=RunOptions(keep_artifact=refuse))
    assert (done.error, types(done.events())) == (None, "START CONTENT END")


@pytest.mark.parametrize(
    ("result", "mime_type", "content"),
    [("爻" * 200_000, "text/plain; charset=utf-8", "爻" * 200_000), (["x" * 300_000], "application/json", None)],
)
def test_a_result_too_large_to_show_is_kept_and_referred_to(result: Any, mime_type: str, content: str | None) -> None:
    """RNR-81, RNR-42: the bytes are what would have been shown."""
    kept = Kept()
    done = work([call("c"), answer("c", result), answer("c", result), DONE], options=RunOptions(keep_artifact=kept))
    ((artifact_id, data),) = kept.contents.items()
    assert data.decode() == (content or json.dumps(result, separators=(",", ":")))
    shown = json.loads(calls(done.events())["c"].results[0])["artifact"]
    assert (shown["artifact_id"], shown["mime_type"], shown["size_bytes"]) == (artifact_id, mime_type, len(data))
    assert shown["metadata"] == {"tool_call_id": "c"}


# ---- A worker that takes over ----------------------------------------------------------------------------------------
def test_a_worker_that_takes_over_tells_only_what_comes_out_otherwise() -> None:
    """CMP-11, RNR-36: state in the order it changed; from the first difference on everything is told."""
    options = full()
    first = work([keep("k", 1), keep("k", 2)], options=options)
    same = work([keep("k", 1), keep("k", 2), DONE], first.lines, options=options)
    assert len(events_of(same, "STATE_SNAPSHOT", "STATE_DELTA")) == 2
    other = work([keep("k", 2), keep("k", 1), DONE], first.lines, options=options)
    *_, before, last = events_of(other, "STATE_SNAPSHOT", "STATE_DELTA")
    assert before["snapshot"]["conversation"] == {"k": 2}
    assert last["delta"] == [{"op": "add", "path": "/conversation/k", "value": 1}]


def test_the_defaults_allow_nothing_but_state_of_the_conversation() -> None:
    """RNR-36, RNR-37, RNR-38: what today's callers pass is what the divination needs."""
    assert (DEFAULTS.state_scopes, DEFAULTS.actions, DEFAULTS.keep_artifact) == (
        {"conversation"},
        frozenset(),
        None,
    )
    script = [artifact(b"x"), action("message.edit"), keep("k", 1, scope="actor"), keep("k", 1), DONE]
    done = work(script)
    assert types(done.events()) == ""
    assert done.outcome is not None
    assert done.outcome.state == {"conversation": {"k": 1}}


def test_base64_has_one_spelling() -> None:
    """RNR-38: the URL alphabet is another one."""
    kept = Kept()
    content = b"\xfb\xff"
    script = [artifact(base64.urlsafe_b64encode(content).decode()), artifact(content), DONE]
    work(script, options=RunOptions(keep_artifact=kept))
    assert list(kept.contents.values()) == [content]


def shown_image(data: bytes) -> dict[str, Any]:
    return {
        "type": "image",
        "source": {"type": "data", "value": base64.b64encode(data).decode(), "mimeType": "image/png"},
    }


def result_with(*parts: dict[str, Any], result: Any = "seen") -> tuple[str, Any]:
    return "tool.call.completed", {"tool_call_id": "c", "tool_name": "t", "result": result, "content": [*parts]}


def parts_shown(result: tuple[str, Any]) -> tuple[Work, list[dict[str, Any]]]:
    done = work([call("c"), result, DONE], options=full())
    (event,) = (json.loads(line) for line in done.lines if '"TOOL_CALL_RESULT"' in line)
    return done, event.get("parts") or [{"content": event["content"]}]


def test_a_large_picture_of_a_tool_is_kept_and_referred_to() -> None:
    """EVT-33, RNR-42: up to what models see; it does not count as JSON of the run's results."""
    done, (text, shown) = parts_shown(
        result_with({"type": "text", "text": "here"}, shown_image(b"\x89PNG" + bytes(3 * 1024 * 1024)))
    )
    assert done.error is None
    assert text == {"type": "text", "text": "here"}
    assert (shown["type"], shown["source"]["type"], shown["source"]["mimeType"]) == ("image", "file", "image/png")


def test_a_picture_too_large_to_keep_is_a_line() -> None:
    """EVT-33."""
    done, shown = parts_shown(result_with(shown_image(bytes(payloads.MAX_PICTURE_BYTES + 1)), shown_image(b"\x89PNG")))
    assert done.error is None
    assert [(part["type"], part.get("source", {}).get("type")) for part in shown] == [("text", None), ("image", "file")]


@pytest.mark.parametrize(
    "result",
    [
        result_with(*[shown_image(bytes(4 * 1024 * 1024))] * 4),
        result_with(shown_image(b"\x89PNG"), result="x" * payloads.MAX_RESULT_BYTES),
    ],
    ids=["too many pictures", "too long a text"],
)
def test_a_result_that_is_too_large_costs_its_call_alone(result: tuple[str, Any]) -> None:
    """RNR-42: the run goes on with an error of the call."""
    done, shown = parts_shown(result)
    assert done.error is None
    assert shown == [{"content": json.dumps({"error": payloads.TOO_LARGE}, separators=(",", ":"))}]


def test_pictures_of_a_runs_tools_have_a_measure() -> None:
    """RNR-42: those beyond it are lines."""
    picture_ = shown_image(b"\x89PNG" + bytes(4 * 1024 * 1024))
    script = [
        item
        for n in range(4)
        for item in (call(f"c{n}"), ("tool.call.completed", {**result_with(picture_)[1], "tool_call_id": f"c{n}"}))
    ]
    done = work([*script, DONE], options=full())
    assert done.error is None
    results = [json.loads(line) for line in done.lines if '"TOOL_CALL_RESULT"' in line]
    assert ["file" in json.dumps(result.get("parts")) for result in results] == [True, True, False, False]
