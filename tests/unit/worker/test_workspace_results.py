"""The results by which a runner serves a workspace: which are allowed, what they become, and after a worker's death."""

import itertools
import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.support.runners.work import DONE, OPTIONS, Work, completed, delta, faults, texts, types, work

WITH = replace(OPTIONS, has_workspace=True)
PROMPT = ("workspace.prompt", {"text": "First", "questions": [{"id": "q", "text": "Which?", "options": []}]})
SUBTASKS = ("workspace.subtasks", {"items": [{"key": "cast", "status": "running"}]})
LOG = ("workspace.log", {"text": "thrown", "key": "cast"})


def message(content: str = "Choose", **members: Any) -> tuple[str, dict[str, Any]]:
    return "workspace.message", {"content": content, **members}


def shown(done: Work) -> list[tuple[str, Any]]:
    return [(event["name"], event["value"]) for event in done.events() if event["type"] == "CUSTOM"]


def test_each_becomes_the_event_of_its_name() -> None:
    """WSP-24, WSP-25, WSP-26, WSP-27, WSP-29: with the members that the page reads, and none that is null."""
    question = {"id": "day", "text": "When?", "inputType": "date"}
    done = work([PROMPT, ("workspace.question", {"question": question}), SUBTASKS, LOG, DONE], options=WITH)
    assert [name for name, _ in shown(done)] == [
        "workspace.prompt",
        "workspace.question",
        "workspace.subtasks",
        "workspace.log",
    ]
    values = dict(shown(done))
    assert values["workspace.subtasks"] == SUBTASKS[1]
    assert values["workspace.log"] == {"text": "thrown", "key": "cast", "level": "info"}
    assert values["workspace.question"]["question"].items() >= question.items()
    assert "null" not in json.dumps(values)


def test_an_empty_prompt_clears_it() -> None:
    """WSP-24."""
    assert shown(work([("workspace.prompt", {}), DONE], options=WITH)) == [("workspace.prompt", {})]


def test_a_message_is_an_event_and_then_the_text_under_its_id() -> None:
    """WSP-22, WSP-23, HIS-08: so history and every client have the text, and the page its choices."""
    options = [{"id": "a", "label": "A"}]
    done = work([delta("Well. "), message(options=options, questionId="q"), delta("Then"), DONE], options=WITH)
    ((name, value),) = shown(done)
    assert types(done.events()) == "START CONTENT END CUSTOM START CONTENT END START CONTENT END"
    assert list(texts(done.events()).values()) == ["Well. ", "Choose", "Then"]
    assert list(texts(done.events()))[1] == value["messageId"]
    assert (name, value) == (
        "workspace.message",
        {"messageId": value["messageId"], "options": options, "questionId": "q"},
    )
    assert done.outcome is not None
    assert [message.content for message in done.outcome.messages] == ["Well. ", "Choose", "Then"]


def test_the_same_message_twice_is_two_messages() -> None:
    """WSP-21."""
    done = work([message(), message(), DONE], options=WITH)
    assert len({value["messageId"] for _, value in shown(done)}) == 2
    assert list(texts(done.events()).values()) == ["Choose", "Choose"]


@pytest.mark.parametrize("result", [PROMPT, SUBTASKS, LOG, message(), ("workspace.question", {})])
def test_a_runner_without_a_workspace_may_use_none(result: Any) -> None:
    """WSP-33, RNR-08: the run continues without it."""
    done = work([result, completed("好"), DONE])
    assert (shown(done), done.answer.content, done.error) == ([], "好", None)


@pytest.mark.parametrize(
    "result",
    [
        ("workspace.prompt", {"questions": [None]}),
        ("workspace.prompt", {"questions": [{"id": "q", "text": None}]}),
        ("workspace.prompt", {"questions": [{"id": "q", "text": "x"}, {"id": "q", "text": "y"}]}),
        ("workspace.question", {"question": None}),
        ("workspace.message", {"content": ""}),
        ("workspace.message", {"content": "x", "options": [None]}),
        ("workspace.message", {"content": {"a": 1}}),
        ("workspace.subtasks", {"items": [{"key": "k", "status": "started"}]}),
        ("workspace.subtasks", {"items": None}),
        ("workspace.log", {"text": None}),
        ("workspace.colour", {"text": "red"}),
    ],
)
def test_what_would_break_the_page_is_skipped(result: Any) -> None:
    """RNR-33, C55: a null or a wrong type makes the page white."""
    done = work([result, LOG, DONE], options=WITH)
    assert [name for name, _ in shown(done)] == ["workspace.log"]
    assert done.error is None


SCRIPT = [
    LOG,
    message("One", options=[{"id": "a", "label": "A"}]),
    delta("two "),
    delta("parts"),
    message("One", options=[{"id": "a", "label": "A"}]),
    SUBTASKS,
    message("x" * 20_000),
    completed("end"),
    PROMPT,
    DONE,
]


def test_a_worker_that_takes_over_repeats_nothing() -> None:
    """RNR-41, EVT-27, WSP-21: wherever the first one died; ids stay, so no message comes twice."""
    whole = work(SCRIPT, options=WITH)
    for dies_after in itertools.count():
        first = work(SCRIPT, dies_after=dies_after, options=WITH)
        second = work(SCRIPT, first.lines, options=WITH)
        assert not list(faults(second.events()))
        assert shown(second) == shown(whole)
        assert list(texts(second.events()).values()) == list(texts(whole.events()).values())
        if first.error is None:
            break


RESULT = st.sampled_from([LOG, SUBTASKS, PROMPT, message("A"), message("B"), delta("a"), delta("b"), completed("a")])


@given(st.lists(RESULT, max_size=8), st.lists(RESULT, max_size=8), st.integers(0, 20))
@example(
    [LOG, LOG, delta("a"), message("B"), delta("a"), message("A")],
    [LOG, LOG, LOG, delta("a"), delta("a"), message("A")],
    15,
)
def test_a_worker_that_says_something_else_leaves_a_valid_journal(
    before: list[Any], after: list[Any], dies_after: int
) -> None:
    """EVT-09, EVT-17, RNR-41: each of its messages is described before it begins."""
    first = work([*before, DONE], dies_after=dies_after, options=WITH)
    second = work([*after, DONE], first.lines, options=WITH)
    assert second.error is None
    events = second.events()
    assert not list(faults(events))
    described: list[str] = []
    begun: list[str] = []
    for event in events:
        if event["type"] == "CUSTOM" and event["name"] == "workspace.message":
            described.append(event["value"]["messageId"])
        if event["type"] == "TEXT_MESSAGE_START" and event["messageId"] in described:
            begun.append(event["messageId"])
    messages = [texts(events)[name] for name in begun]
    wanted = [data["content"] for type_, data in after if type_ == "workspace.message"]
    assert len(messages) >= len(wanted)
    assert set(wanted) <= set(messages)
