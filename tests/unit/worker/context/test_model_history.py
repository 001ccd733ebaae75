"""Earlier messages with the calls and pictures beside them, always in a form that every model takes."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yarrow.protocol.runner.api import ModelMessage, ModelReasoning, TranscriptItem
from yarrow.protocol.runner.vocabulary import INPUT_AT
from yarrow.store.tool_use import PlacedToolUse, Round, StoredCall, ToolUse
from yarrow.worker.context.model_history import Extras, with_extras

PLENTY = 10**6


def item(seq: int, role: str, content: str = "…", *pictures: str) -> TranscriptItem:
    artifacts = tuple({"artifact_id": picture, "artifact_type": "image"} for picture in pictures)
    return TranscriptItem(
        item_id=f"m{seq}", seq=seq, cursor="c", role=role, content=content, created_at="", artifacts=artifacts
    )


def called(*names: str, result: str | None = "r", after: str | None = None) -> Round:
    return Round(
        after, tuple(StoredCall(name, "t", "{}", None if result is None else f"{result}{name}") for name in names)
    )


def shown(messages: Sequence[ModelMessage]) -> str:
    """Messages in short: `u` and `a` for roles, calls in brackets, and answers by their call."""
    words = []
    for message in messages:
        calls = "".join(call.id for call in message.tool_calls)
        spoken = f"{message.role[0]}{message.content or ''}" + (f"[{calls}]" if calls else "")
        words.append(f"={message.tool_call_id}" if message.role == "tool" else spoken)
    return " ".join(words)


TALK = (item(1, "user", "1"), item(2, "assistant", "2"), item(3, "assistant", "3"), item(4, "user", "4"))


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        ([], "u1 a2 a3 u4"),
        # With the message before them, without a word, and because of an answer.
        ([PlacedToolUse(1, ToolUse((called("x", "y", after="m2"),)))], "u1 a2[xy] =x =y a3 u4"),
        ([PlacedToolUse(1, ToolUse((called("x"),)))], "u1 a[x] =x a2 a3 u4"),
        (
            [PlacedToolUse(1, ToolUse((called("x", after="m2"), called("y", after="m2"), called("z", after="m3"))))],
            "u1 a2[x] =x a[y] =y a3[z] =z u4",
        ),
        # What the client's tools answered in a later run; the first answer counts.
        (
            [
                PlacedToolUse(1, ToolUse((called("x", result=None, after="m2"),))),
                PlacedToolUse(2, ToolUse((called("y"),), {"x": "yes"})),
                PlacedToolUse(3, ToolUse((), {"x": "no"})),
            ],
            "u1 a2[x] =x a[y] =y a3 u4",
        ),
        # What nothing answered, and what belongs to messages that are not there.
        ([PlacedToolUse(1, ToolUse((called("x", result=None, after="m2"),)))], "u1 a2 a3 u4"),
        ([PlacedToolUse(0, ToolUse((called("x"), called("y", after="m9"))))], "u1 a2 a3 u4"),
        # An id that a client has taken for a message of its own.
        ([PlacedToolUse(1, ToolUse((called("x", after="m4"),)))], "u1 a2 a3 u4"),
    ],
)
def test_calls_stand_where_they_were_made_each_with_its_answer(turns: list[PlacedToolUse], expected: str) -> None:
    """MSG-08, EVT-21."""
    messages, metadata = with_extras(TALK, Extras(turns), PLENTY)
    assert shown(messages) == expected
    assert metadata == {}


def test_a_card_alone_is_no_message_to_a_model() -> None:
    """RNR-11: providers refuse an answer without content; its calls stay."""
    talk = (item(1, "user", ""), item(2, "assistant", ""), item(3, "assistant", ""))
    messages, _ = with_extras(talk, Extras([PlacedToolUse(1, ToolUse((called("x", after="m3"),)))]), PLENTY)
    assert shown(messages) == "u a[x] =x"


def test_the_answer_of_the_client_is_the_one_that_was_heard() -> None:
    """EVT-21."""
    turns = [
        PlacedToolUse(1, ToolUse((called("x", result=None, after="m2"),))),
        PlacedToolUse(2, ToolUse((), {"x": "yes"})),
        PlacedToolUse(3, ToolUse((), {"x": "no"})),
    ]
    messages, _ = with_extras(TALK, Extras(turns), PLENTY)
    assert [message.content for message in messages if message.role == "tool"] == ["yes"]


def waits(name: str) -> Round:
    return called(name, result=None, after="m2")


@pytest.mark.parametrize(
    ("turns", "heard"),
    [
        # Answered, called again, answered again.
        ([ToolUse((waits("x"),)), ToolUse((waits("x"),), {"x": "1"}), ToolUse((), {"x": "2"})], ["1", "2"]),
        # Never answered the first time.
        ([ToolUse((waits("x"),)), ToolUse((waits("x"),)), ToolUse((), {"x": "2"})], ["2"]),
        # Answered before it was called.
        ([ToolUse((), {"x": "0"}), ToolUse((waits("x"),), {"x": "0"})], []),
        # A tool of the host has had the id meanwhile, and answered at once, with nothing at that.
        (
            [
                ToolUse((waits("x"),)),
                ToolUse((Round("m2", (StoredCall("x", "t", "{}", ""),)),)),
                ToolUse((), {"x": "1"}),
            ],
            ["1", ""],
        ),
    ],
)
def test_a_call_whose_id_is_used_again_has_the_answer_to_itself(turns: list[ToolUse], heard: list[str]) -> None:
    """EVT-21, MSG-08."""
    placed = [PlacedToolUse(after, turn) for after, turn in enumerate(turns)]
    messages, _ = with_extras(TALK, Extras(placed), PLENTY)
    assert [message.content for message in messages if message.role == "tool"] == heard


@pytest.mark.parametrize(
    ("requested", "items", "expected", "at"),
    [
        (4, TALK[:3], "u1 a[p] =p a2[x] =x a3 a[q] =q", 6),
        (1, TALK[1:3], "a[p] =p a2[x] =x a3", 0),
        (4, TALK[:2], "u1 a[p] =p a2[x] =x a[q] =q", 5),
        (5, TALK, "u1 a[p] =p a2[x] =x a3 u4 a[q] =q", None),
        (None, TALK[:2], "u1 a[p] =p a2[x] =x", None),
    ],
)
def test_the_place_of_the_run_s_own_input_is_told_if_something_followed(
    requested: int | None, items: Any, expected: str, at: int | None
) -> None:
    """EVT-21, RNR-11."""
    rounds = (called("p"), called("x", after="m2"))
    messages, metadata = with_extras(
        items,
        Extras([PlacedToolUse(1, ToolUse(rounds)), PlacedToolUse(4, ToolUse((called("q"),)))], (), requested),
        PLENTY,
    )
    assert shown(messages) == expected
    assert metadata == ({} if at is None else {INPUT_AT: at})


def test_calls_have_the_room_that_is_left_the_latest_first() -> None:
    """RNR-11, MSG-08: A call never goes without its answer."""
    turns = [PlacedToolUse(1, ToolUse((called("x", after="m2"), called("y", after="m3"))))]
    size = len("t{}rx")
    texts = [
        shown(with_extras(TALK, Extras(turns), room)[0]) for room in (2 * size, 2 * size - 1, size, size - 1, 0, -1)
    ]
    both, latest, none = "u1 a2[x] =x a3[y] =y u4", "u1 a2 a3[y] =y u4", "u1 a2 a3 u4"
    assert texts == [both, latest, latest, none, none, none]


def test_pictures_are_shown_with_the_words_they_came_with() -> None:
    """RNR-19: those that the run may see."""
    items = (
        item(1, "user", "看", "p1", "p2"),
        item(2, "assistant"),
        item(3, "user", "", "p3"),
        item(4, "user", "", "p4"),
    )
    messages, _ = with_extras(items, Extras((), {"p2", "p3"}), PLENTY)
    assert [message.content for message in messages] == [
        ({"type": "text", "text": "看"}, {"type": "artifact", "artifact_id": "p2"}),
        "…",
        ({"type": "artifact", "artifact_id": "p3"},),
        "",
    ]


def test_what_a_client_said_with_its_calls_is_said_with_them() -> None:
    """MSG-08: in a message that is not stored; it takes room."""
    turns = [PlacedToolUse(1, ToolUse((called("x")._replace(text="One moment."),)))]
    messages, _ = with_extras(TALK, Extras(turns), PLENTY)
    assert shown(messages) == "u1 aOne moment.[x] =x a2 a3 u4"
    size = len("One moment.t{}rx")
    texts = [shown(with_extras(TALK, Extras(turns), room)[0]) for room in (size, size - 1)]
    assert texts == [shown(messages), "u1 a2 a3 u4"]


def test_reasoning_and_names_are_with_their_messages_and_calls() -> None:
    """MSG-06: for runners that ask for them."""
    thoughts = {name: (ModelReasoning(content=name),) for name in ("x", "y", "m2", "m4")}
    turns = [PlacedToolUse(1, ToolUse((called("x"), called("y", after="m3"))))]
    items = [item.model_copy(update={"name": "Bob"}) if item.item_id == "m2" else item for item in TALK]
    messages, _ = with_extras(items, Extras(turns, shows_members=True, reasoning=thoughts), PLENTY)
    assert shown(messages) == "u1 a[x] =x a2 a3[y] =y u4"
    assert [message.reasoning[0].content if message.reasoning else "" for message in messages] == [
        "",
        "x",
        "",
        "m2",
        "y",
        "",
        "",
    ]
    assert [message.name for message in messages if message.role == "assistant"] == [None, "Bob", None]
    messages, _ = with_extras(items, Extras(turns), PLENTY)
    assert not any(message.name or message.reasoning for message in messages)


CALLS = st.lists(
    st.builds(StoredCall, st.sampled_from("abcdef"), st.just("t"), st.just("{}"), st.none() | st.just("r")),
    min_size=1,
    max_size=3,
)
ROUNDS = st.builds(Round, st.none() | st.integers(1, 6).map(lambda seq: f"m{seq}"), CALLS.map(tuple), st.none())
TURNS = st.builds(
    PlacedToolUse,
    st.integers(0, 6),
    st.builds(
        ToolUse, st.lists(ROUNDS, max_size=3).map(tuple), st.dictionaries(st.sampled_from("abcdef"), st.just("r"))
    ),
)


@given(
    st.lists(st.sampled_from(["user", "assistant"]), max_size=6),
    st.lists(TURNS, max_size=4),
    st.none() | st.integers(1, 7),
    st.integers(-1, 40),
)
def test_every_call_has_its_answers_right_after_it_and_every_answer_its_call(
    roles: list[str], turns: list[PlacedToolUse], requested: int | None, room: int
) -> None:
    """MSG-08, EVT-21: whatever was kept; and no message is lost for it."""
    items = [item(seq, role) for seq, role in enumerate(roles, 1) if seq != requested]
    messages, metadata = with_extras(items, Extras(turns, (), requested), room)
    waiting: list[str] = []
    for message in messages:
        if message.role == "tool":
            assert message.tool_call_id == waiting.pop(0)
        else:
            assert waiting == []
            waiting = [call.id for call in message.tool_calls]
            assert message.role == "assistant" or not waiting
    assert waiting == []
    assert [message.role for message in messages if message.content and message.role != "tool"] == [
        item.role for item in items
    ]
    assert 0 <= metadata.get(INPUT_AT, 0) <= max(0, len(messages) - 1)
