"""Cutting a conversation to what a model can take."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.support.runners.assistant import Host, ask, backend, context, results, say
from yarrow.protocol.runner.api import AgentAPIException, ModelMessage, ModelReasoning
from yarrow_agents.assistant.conversation import Conversation, size_of, with_latest_pictures

STUB = "(left out)"


def message(role: Any, content: str = "x" * 100, *calls: Any, **members: Any) -> ModelMessage:
    return ModelMessage(role=role, content=content, tool_calls=calls, **members)


def answer(content: str, call_id: str = "c") -> ModelMessage:
    return message("tool", content, tool_call_id=call_id)


HISTORY = [message("user", f"{number}" * 100) if number % 2 == 0 else message("assistant") for number in range(10)]
TURN = [message("user"), message("assistant", "", ask("look")), answer("y" * 5_000), answer("z" * 5_000)]


def test_the_latest_that_fits_is_kept_from_a_user_s_message_on() -> None:
    """RNR-11: this turn is always there."""
    fitted = Conversation(HISTORY, TURN[:1]).fitted(size_of([*HISTORY[-3:], TURN[0]]), STUB)
    assert fitted == Conversation(HISTORY[-2:], TURN[:1])
    assert Conversation(HISTORY, TURN).fitted(10**6, STUB) == Conversation(HISTORY, TURN)


def test_of_a_turn_that_is_too_long_the_oldest_answers_are_left_out() -> None:
    """RNR-42: every call keeps an answer."""
    fitted = Conversation(HISTORY, TURN).fitted(6_000, STUB)
    assert [message.content for message in fitted.turn[2:]] == [STUB, "z" * 5_000]
    assert [message.content for message in Conversation([], TURN).fitted(0, STUB).turn[2:]] == [STUB, STUB]
    assert TURN[2].content == "y" * 5_000


def test_earlier_reasoning_gives_way_to_words_the_oldest_first() -> None:
    """MSG-06: and that of this turn to nothing, since its provider may require it."""
    thought = (ModelReasoning(content="t" * 1_000),)
    history = [
        message.model_copy(update={"reasoning": thought}) if message.role == "assistant" else message
        for message in HISTORY
    ]
    turn = [TURN[0], TURN[1].model_copy(update={"reasoning": thought}), answer("y")]
    room = size_of([*history, *turn])
    for count in range(6):
        fitted = Conversation(history, turn).fitted(room - 1_000 * count, STUB)
        assert [bool(message.reasoning) for message in fitted.history[1::2]] == [False] * count + [True] * (5 - count)
        assert [message.content for message in fitted.history] == [message.content for message in history]
        assert fitted.turn == turn


def turn(number: int, result: str = "r" * 1_000) -> list[ModelMessage]:
    call_id = f"c{number}"
    return [
        message("user", f"{number}"),
        message("assistant", "", ask("look", call_id=call_id)),
        answer(result, call_id),
        message("assistant", f"a{number}"),
    ]


def test_earlier_calls_keep_their_answers_and_give_way_to_words() -> None:
    """MSG-08, RNR-42: a history that is too long loses the oldest results first, then its oldest turns, whole."""
    history = [message for number in range(6) for message in turn(number)]
    whole = size_of(history)
    for room in range(0, whole + 100, 90):
        fitted = Conversation(history, TURN[:1]).fitted(room + size_of(TURN[:1]), STUB).history
        assert size_of(fitted) <= room
        calls = [call.id for message in fitted for call in message.tool_calls]
        assert [message.tool_call_id for message in fitted if message.role == "tool"] == calls
        results = [str(message.content) for message in fitted if message.role == "tool"]
        assert results == sorted(results)  # what was left out is the oldest
        assert len(fitted) % 4 == 0
    some = Conversation(history, []).fitted(whole - 1, STUB).history
    assert [message.content == STUB for message in some if message.role == "tool"] == [
        True,
        False,
        False,
        False,
        False,
        False,
    ]
    large = Conversation([*turn(0), *turn(1, "r" * 5_000)], []).fitted(4_000, STUB).history
    assert [message.content for message in large if message.content] == ["0", STUB, "a0", "1", STUB, "a1"]


def test_what_was_said_can_be_had_without_tools_and_without_pictures() -> None:
    """MSG-08, RNR-19: for a model that is offered no tools, and for one that is to be cheap."""
    parts: Any = ({"type": "text", "text": "?"}, {"type": "artifact", "artifact_id": "a"})
    history = [*turn(1), message("user", parts), message("user", parts[1:])]
    assert [(message.role, message.content) for message in Conversation(history, TURN).in_words().history] == [
        ("user", "1"),
        ("assistant", "a1"),
        ("user", "?"),
    ]
    assert Conversation(history, TURN).in_words().turn == TURN
    seen = Conversation(history, TURN).without_tools()
    assert [message.content for message in seen.history] == ["1", "a1", parts, parts[1:]]
    assert (sum(len(message.tool_calls) for message in seen.history), seen.turn) == (0, TURN)


MESSAGES = st.one_of(
    st.builds(message, st.sampled_from(["user", "assistant"]), st.text(max_size=80)),
    st.builds(answer, st.text(max_size=80)),
)


@given(st.lists(MESSAGES, max_size=12), st.lists(MESSAGES, min_size=1, max_size=12), st.integers(-100, 4_000))
def test_a_conversation_is_cut_and_nothing_else(history: Any, turn: Any, room: int) -> None:
    """RNR-11, RNR-42: a tail of what was before, beginning with the user, and this turn, every message in its place;
    but for what tools answered.
    """
    fitted = Conversation(history, turn).fitted(room, STUB)
    before = [*history[len(history) - len(fitted.history) :], *turn]
    assert not fitted.history or fitted.history[0].role == "user"
    for whole, cut in zip(before, [*fitted.history, *fitted.turn], strict=True):
        assert cut == whole or (cut.role == "tool" and cut == whole.model_copy(update={"content": STUB}))
    if fitted.history:
        assert size_of([*fitted.history, *fitted.turn]) <= room


def test_a_model_is_given_no_more_than_the_agent_says() -> None:
    """RNR-26: prompt and tools count as well."""
    history = [message("user", "x" * 1_000)] * 50
    host = Host(say("hi"))
    results(host, context("now", backend("look"), history=history, config={"context_tokens": 5_000}))
    assert 10 < len(host.messages()) < 20
    assert host.messages()[-1]["content"] == "now"


def test_a_model_that_cannot_take_so_much_is_given_less() -> None:
    """RNR-52: as often as that changes anything."""
    too_long = [AgentAPIException("payload_too_large", "The input is too long for the model.")]
    history = [message("user", "x" * 1_000)] * 50
    host = Host(too_long, too_long, say("hi"))
    assert results(host, context("now", history=history))[-1][0] == "run.completed"
    lengths = [len(host.messages(number)) for number in range(3)]
    assert lengths[0] == 51
    assert 20 < lengths[1] < 27
    assert 8 < lengths[2] < 14
    # A later step does not begin from the whole again.
    again = Host(too_long, say("wait", calls=[ask("look")]), say("done"), look=1)
    results(again, context("now", backend("look"), history=history))
    assert len(again.messages(2)) <= len(again.messages(1)) + 2
    refusing = Host(too_long)
    assert results(refusing, context("now", history=history))[-1][1]["code"] == "model.payload_too_large"
    assert len(refusing.requests) < 12


def test_a_request_has_the_pictures_of_the_latest_results() -> None:
    """MCP-01: each costs tokens again with every answer. Those of the user stay."""

    def seen(*names: str) -> tuple[dict[str, str], ...]:
        return tuple({"type": "artifact", "artifact_id": name} for name in names)

    def result(call: str, *names: str) -> ModelMessage:
        return ModelMessage(role="tool", tool_call_id=call, content=({"type": "text", "text": call}, *seen(*names)))

    turn = [
        ModelMessage(role="user", content=seen("mine")),
        result("a", "1", "2"),
        ModelMessage(role="tool", tool_call_id="b", content="plain"),
        result("c", "3"),
        result("d", "4", "5"),
    ]
    mine, first, *others = with_latest_pictures(turn)
    assert mine == turn[0]
    assert first.content == (
        {"type": "text", "text": "a"},
        {"type": "text", "text": "(image left out, for it cannot be opened here)"},
        *seen("2"),
    )
    assert others == turn[2:]
