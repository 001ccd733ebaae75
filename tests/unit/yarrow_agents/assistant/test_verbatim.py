"""What a tool has for the user as it stands: told without a model, which could change it."""

import asyncio
from typing import Any, Final

from tests.support.runners.assistant import Host, ask, backend, context, frontend, of_type, results, say
from yarrow.protocol.runner.tools import WithCard
from yarrow.protocol.runner.vocabulary import DECLINED, VERBATIM
from yarrow_agents.cast_card import cast_card

CARD: Final = cast_card("?", "乾为天", grade="上上签")
READING: Final = WithCard({VERBATIM: "first\n\nsecond", "sign_level": "上上签"}, CARD)
DECLINE: Final = WithCard({VERBATIM: "please call 112", DECLINED: "self_harm"}, None)
NAMES: Final = ("cast", "crisis", "plain")


async def slow() -> WithCard:
    for _ in range(20):
        await asyncio.sleep(0)
    return READING


def run_assistant(*scripts: Any, cast: Any = READING) -> tuple[list[Any], dict[str, Any], int]:
    """The messages, the end, and how often a model was asked."""
    host = Host(*scripts, cast=cast, crisis=DECLINE, plain={"ok": 1})
    heard = results(host, context("hello", *map(backend, NAMES), frontend("confirm")))
    return of_type(heard, "message.completed"), of_type(heard, "run.completed")[0], len(host.requests)


def test_the_text_ends_the_answer_and_has_the_card() -> None:
    """CARE-05, UIS-04: no model is asked again."""
    (message,), end, requested = run_assistant(say(calls=[ask("cast"), ask("plain")]), say("as I would put it"))
    assert message == {
        "message": {"role": "assistant", "content": "first\n\nsecond"},
        "output": {"ui_hints": {"cards": [CARD]}},
    }
    assert DECLINED not in end
    assert requested == 1


def test_texts_come_in_the_order_of_the_calls() -> None:
    """CMP-11: whichever is answered first."""
    other = WithCard({VERBATIM: "third"}, None)
    calls = say(calls=[ask("cast", '{"a": 1}'), ask("cast", '{"a": 2}')])
    host = Host(calls, cast=lambda a: slow() if a == 1 else other)
    heard = results(host, context("hello", backend("cast", "a")))
    assert [event["message"]["content"] for event in of_type(heard, "message.completed")] == [
        "first\n\nsecond\n\nthird"
    ]


def test_where_a_question_got_no_reading_its_answer_is_all_that_is_told() -> None:
    """CARE-01, CARE-05: and the kind is reported, for the metric."""
    (message,), end, requested = run_assistant(say(calls=[ask("cast"), ask("crisis")]))
    assert message == {"message": {"role": "assistant", "content": "please call 112"}}
    assert end[DECLINED] == "self_harm"
    assert requested == 1


def test_what_is_no_text_is_a_result_like_any_other() -> None:
    for odd in ({VERBATIM: ""}, {VERBATIM: 1}, [VERBATIM], VERBATIM):
        messages, _, requested = run_assistant(say(calls=[ask("cast")]), say("done"), cast=WithCard(odd, None))
        assert [message["message"]["content"] for message in messages] == ["done"]
        assert requested == 2


def test_the_clients_calls_still_wait() -> None:
    """EVT-20: the next run goes on with them."""
    host = Host(say(calls=[ask("cast"), ask("confirm")]), cast=READING)
    heard = results(host, context("hello", backend("cast"), frontend("confirm")))
    assert [event["message"]["content"] for event in of_type(heard, "message.completed")] == ["first\n\nsecond"]
    (kept,) = of_type(heard, "state.updated")
    assert len(kept["value"]["calls"]) == 1
