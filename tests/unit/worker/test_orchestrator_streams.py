"""Whatever a runner does, and wherever a worker dies: the stored stream is valid and tells everything once."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from liuyao import DivinationPayload, derive
from tests.support.effort import examples
from tests.support.example_cast import EXAMPLE
from tests.support.runners.work import (
    DONE,
    RUN,
    STARTED,
    Garbage,
    RunnerRaised,
    Script,
    Work,
    WorkerDied,
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
from yarrow.protocol.agui.events import Profile
from yarrow.worker.results import text_messages, tool_calls


@pytest.fixture(scope="module", autouse=True)
def small_pieces() -> Iterator[None]:
    """Short texts are long ones."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (text_messages, tool_calls):
            patch.setattr(module, "MAX_DELTA_LENGTH", 3)
        yield


DERIVED: tuple[str, Any] = (
    "divination.derived",
    {"divination": derive(DivinationPayload.model_validate(EXAMPLE)).model_dump(mode="json")},
)

TEXT = st.text("卦爻\n😀\ud83d\ude00\x00", max_size=5)
CALL_ID = st.sampled_from(["a", "b", "c"])
VALUE = st.recursive(st.none() | st.integers() | TEXT, lambda values: st.lists(values, max_size=2), max_leaves=3)

WELL_FORMED = st.one_of(
    st.builds(lambda text, is_final: delta(text, is_final=is_final), TEXT, st.sampled_from([False, False, True])),
    st.builds(delta, TEXT),
    st.builds(completed, TEXT, st.none() | st.dictionaries(TEXT, VALUE, max_size=2)),
    st.builds(lambda name, value: call(name, x=value), CALL_ID, VALUE),
    st.builds(answer, CALL_ID, VALUE),
    st.builds(lambda name, text: answer(name, error=text), CALL_ID, TEXT),
    st.builds(keep, st.sampled_from(["k", "l"]), VALUE),
    st.just(DERIVED),
)

APART = st.one_of(
    st.builds(artifact, st.binary(max_size=2), name=st.sampled_from(["n", "m"])),
    st.builds(action, st.just("message.edit"), payload=st.dictionaries(TEXT, VALUE, max_size=1)),
    st.builds(keep, st.sampled_from(["k", "l/~"]), VALUE, scope=st.sampled_from(["conversation", "actor"])),
)
"""What may stand anywhere among the rest."""

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT | st.binary(max_size=2) | st.builds(object),
    lambda values: st.lists(values, max_size=2) | st.dictionaries(TEXT | st.integers(), values, max_size=2),
    max_leaves=4,
)
TYPES = ["message.delta", "message.completed", "tool.call.started", "tool.call.completed", "state.updated"]
TYPES += ["divination.derived", "artifact.created", "action.requested"]
MALFORMED = st.one_of(
    st.tuples(st.sampled_from([*TYPES, "", "\ud800"]), ANYTHING),
    st.tuples(ANYTHING.filter(lambda type_: type_ not in (*TYPES, "run.failed", "run.completed")), ANYTHING),
    st.builds(Garbage, ANYTHING),
    st.builds(artifact, ANYTHING),
    st.builds(action, ANYTHING.filter(lambda name: name != "message.edit")),
    st.builds(lambda value: ("message.delta", {"chunk": value}), ANYTHING),
    st.builds(lambda value: delta("x", junk=value), st.floats(allow_nan=True).filter(lambda f: f != f) | st.binary()),
    st.builds(lambda value: ("tool.call.started", {"tool_call_id": value, "tool_name": "t"}), st.just("") | st.none()),
    st.builds(lambda value: keep("k", 1, scope=value), st.sampled_from(["actor", "binding", ""])),
)
LAST: st.SearchStrategy[Any] = st.one_of(
    st.just(DONE),
    st.builds(lambda data: ("run.completed", data), ANYTHING),
    st.builds(lambda data: ("run.failed", data), ANYTHING),
    st.builds(RunnerRaised),
)
SCRIPTS = st.lists(st.one_of(WELL_FORMED, WELL_FORMED, WELL_FORMED, MALFORMED, LAST) | WELL_FORMED, max_size=12)
SHORT = st.lists(st.one_of(WELL_FORMED, WELL_FORMED, MALFORMED, LAST) | WELL_FORMED, max_size=5)


@dataclass
class Heard:
    """What a runner said, without events: what a run must tell, each thing once."""

    texts: list[str] = field(default_factory=list)
    calls: dict[str, Any] = field(default_factory=dict)
    results: dict[str, Any] = field(default_factory=dict)
    state: dict[str, Any] = field(default_factory=dict)
    good: bool = True


def clean(value: Any) -> Any:
    """A value as JSON can carry it."""
    text = json.dumps(value, ensure_ascii=False)
    return json.loads(text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace"))


def hear(script: Script) -> Heard:
    """Listen to a script, passing over what `MALFORMED` drew."""
    heard = Heard()
    text, is_final = "", False

    def end() -> None:
        nonlocal text, is_final
        heard.texts += [text] if text else []
        text, is_final = "", False

    for result in script:
        match result:
            case RunnerRaised() | Garbage() | ("run.failed", _):
                heard.good = False
                break
            case ("run.completed", _):
                break
            case ("message.delta", {"chunk": {"content": str(piece), "role": _, **chunk}}) if "junk" not in chunk:
                if piece and is_final:
                    end()
                text += clean(piece)
                is_final = is_final or bool(chunk.get("is_final", False))
            case ("message.completed", {"message": {"content": whole}, "output": output}):
                text = clean(whole) if clean(whole).startswith(text) else text
                if output and not text:
                    heard.texts.append("")
                end()
            case ("tool.call.started", {"tool_call_id": str(name), "parameters": parameters}):
                end()
                heard.calls.setdefault(name, clean(parameters))
            case ("tool.call.completed", {"tool_call_id": name, "result": value} as data) if name in heard.calls:
                heard.results.setdefault(name, {"error": clean(data["error"])} if "error" in data else clean(value))
            case ("state.updated", {"scope": "conversation", "key": key, "value": value}):
                heard.state[key] = clean(value)
    end()
    return heard


def tell(done: Work) -> Heard:
    """Return what a stream told, each thing once."""
    events = done.events()
    assert list(faults(events)) == []
    seen = calls(events)
    return Heard(
        texts=list(texts(events).values()),
        calls={name: json.loads(call.arguments) for name, call in seen.items()},
        results={name: call.results[0] for name, call in seen.items() if call.results},
        state=done.outcome.state.get("conversation", {}) if done.outcome else {},
        good=done.error is None,
    )


def as_content(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))


@given(SCRIPTS)
@settings(max_examples=examples(160), deadline=None)
def test_whatever_a_runner_does_is_told_once_and_unbroken(script: Script) -> None:
    """RNR-32, RNR-33, RNR-34, RNR-35, RNR-39, RNR-40, EVT-08 … EVT-12, EVT-17, EVT-18."""
    done = work(script)
    heard, output = hear(script), tell(done)
    heard.results = {name: as_content(value) for name, value in heard.results.items()}
    if not heard.good:
        heard.state = {}
    assert output == heard
    if done.outcome is not None:
        assert [message.content for message in done.outcome.messages] == heard.texts


@given(script=SCRIPTS, cut=st.integers(1, 40), second=SHORT, version=st.sampled_from([None, "1.0"]))
@settings(max_examples=examples(80), deadline=None)
def test_every_message_that_an_ag_ui_client_sees_begin_ends(
    script: Script, cut: int, second: Script, version: str | None
) -> None:
    """EVT-09, EVT-17: once, before the run's last event, whoever wrote it and whatever it has."""
    done = work(second, work(script, dies_after=cut, options=full()).lines, options=full())
    profile = Profile(RUN.ids, lambda _type: None, protocol_version=version)
    stored = (json.dumps(event, ensure_ascii=False, separators=(",", ":")) for event in done.events())
    sent = [json.loads(line) for line in map(profile.line, stored) if line]
    assert sent[-1]["type"] in ("RUN_FINISHED", "RUN_ERROR")
    begun = [event["messageId"] for event in sent if event["type"] == "TEXT_MESSAGE_START"]
    ended = [event["messageId"] for event in sent[:-1] if event["type"] == "TEXT_MESSAGE_END"]
    assert sorted(begun) == sorted(ended)
    assert len(set(begun)) == len(begun)


def plain(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Events with their message ids replaced by numbers, in the order they came."""
    numbers: dict[str, int] = {}
    shown = []
    for event in events:
        for member in {"messageId", "parentMessageId"} & event.keys():
            event = {**event, member: numbers.setdefault(event[member], len(numbers))}
        shown.append(event)
    return shown


def outcome(done: Work) -> Any:
    """What is kept, without the random ids of messages."""
    return done.outcome and (
        [(message.content, message.output) for message in done.outcome.messages],
        done.outcome.state,
    )


@given(st.lists(APART | WELL_FORMED | MALFORMED | LAST, max_size=10))
@settings(max_examples=examples(120), deadline=None)
def test_whatever_stands_among_the_rest_breaks_nothing(script: Script) -> None:
    """RNR-33, RNR-36 … RNR-38: artifacts, actions and shown state, whole or broken, leave the conversation as it is."""
    rich, bare = work(script, options=full()), work([pair for pair in script if not is_apart(pair)])
    assert list(faults(rich.events())) == []
    shown = [event for event in rich.events() if not event["type"].startswith(("CUSTOM", "STATE_"))]
    assert plain(shown) == plain(bare.events())


def is_apart(result: Any) -> bool:
    return isinstance(result, tuple) and result[0] in ("artifact.created", "action.requested", "state.updated")


@given(st.lists(APART | WELL_FORMED, max_size=5) | SHORT)
@settings(max_examples=examples(48), deadline=None)
def test_a_run_whose_worker_died_tells_what_an_undisturbed_run_tells(script: Script) -> None:
    """CMP-11, EVT-27, RNR-38: the worker dies at any event, and the runner does the same again."""
    options = full()
    whole = work(script, options=options)
    for cut in range(len(whole.lines)):
        first = work(script, dies_after=cut, options=options)
        second = work(script, first.lines, options=options)
        assert plain(second.events()) == plain(whole.events())
        assert outcome(second) == outcome(whole)


@given(SHORT)
@settings(max_examples=examples(48), deadline=None)
def test_a_run_whose_every_worker_dies_after_one_event_still_gets_told(script: Script) -> None:
    """CMP-11."""
    done = work(script, dies_after=1)
    while isinstance(done.error, WorkerDied):
        done = work(script, done.lines, dies_after=1)
    assert plain(done.events()) == plain(work(script).events())


@given(first=SHORT, cut=st.integers(0, 25), second=SHORT)
@settings(max_examples=examples(160), deadline=None)
def test_a_runner_that_does_something_else_the_second_time_is_told_as_well(
    first: Script, cut: int, second: Script
) -> None:
    """CMP-11, EVT-11, EVT-12: the stream is valid, nothing of the second is missing, no call is left waiting."""
    done = work(second, work(first, dies_after=cut).lines)
    events, heard = done.events(), hear(second)
    assert list(faults(events)) == []
    messages = list(texts(events).values())
    for text in heard.texts:
        # What a run that failed said last may be the beginning of what was said before.
        messages.remove(
            next(message for message in messages if message == text or (not heard.good and message.startswith(text)))
        )
    if done.outcome is not None:
        # HIS-19: the history has what the client was shown, of both; a message may have no text yet.
        kept = {message.message_id: message.content for message in done.outcome.messages if message.content}
        assert kept == {name: text for name, text in texts(events).items() if text}
        # One that the second leaves open may have been answered by the first.
        unanswered = [call for call in calls(events).values() if not call.results]
        assert len(unanswered) <= len(heard.calls.keys() - heard.results.keys())


@pytest.mark.parametrize(
    ("first", "cut", "second", "expected"),
    [
        # The second says less, more, other words, or something after other words.
        ([delta("一二")], 3, [completed("一")], "START CONTENT END START CONTENT END"),
        ([delta("一")], 3, [completed("一二")], "START CONTENT CONTENT END"),
        ([delta("一")], 3, [completed("二")], "START CONTENT END START CONTENT END"),
        ([completed("一"), delta("二")], 6, [completed("二"), completed("二")], "START CONTENT END " * 4),
        # The call was begun; it is made again, made with other arguments, or not made.
        ([call("a", x=1)], 3, [call("a", x=1)], "CALL_START CALL_ARGS CALL_ARGS CALL_ARGS CALL_END"),
        (
            [call("a", x=1)],
            3,
            [call("a")],
            "CALL_START CALL_ARGS CALL_START CALL_ARGS CALL_END CALL_END CALL_RESULT",
        ),
        ([call("a", x=1)], 3, [], "CALL_START CALL_ARGS CALL_END CALL_RESULT"),
        # The call was answered already.
        ([call("a"), answer("a")], 5, [call("a"), answer("a")], "CALL_START CALL_ARGS CALL_END CALL_RESULT"),
        ([call("a"), answer("a")], 5, [], "CALL_START CALL_ARGS CALL_END CALL_RESULT"),
    ],
)
def test_what_was_told_stays_and_what_differs_is_told_anew(
    first: Script, cut: int, second: Script, expected: str
) -> None:
    """CMP-11: a new message or a new call, after the old one is closed or answered."""
    assert types(work(second, work(first, STARTED, dies_after=cut).lines).events()) == expected.strip()
