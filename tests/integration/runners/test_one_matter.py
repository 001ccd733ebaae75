"""A cast whose question is about two matters: its user is asked which, once, where the client can answer."""

from typing import Any

import pytest

from tests.support.divination_runs import THREAD, execute, kept, submit
from tests.support.example_cast import EXAMPLE
from tests.support.journals import stored
from tests.support.runners.asking import answered, cancelled, interrupts_of
from yarrow.store import sessions

pytestmark = [pytest.mark.usefixtures("aws"), pytest.mark.memory]

BOTH = "我今年能考上研究生吗？我和女朋友能复合吗？"
PAYLOAD = {**EXAMPLE, "question": BOTH, "questionType": "其他"}
STUDY, LOVE = "我今年能考上研究生吗？", "我和女朋友能复合吗？"


def cast(question: str = BOTH, question_type: str = "其他", **members: Any) -> str:
    """Submit a cast of a client that can answer, work on it, and return its key."""
    payload = {**PAYLOAD, "question": question, "questionType": question_type}
    props = {"runtime_mode": "chat", "divinationPayload": payload}
    message = {"id": "msg-1", "role": "user", "content": question}
    run_key = submit(forwardedProps=props, messages=[message], **{"protocolVersion": "1.0", **members}).task_id
    execute(run_key)
    return run_key


def derived_in(run_key: str) -> list[str]:
    """Return the questions of the derivations that a run shows."""
    return [event["divination"]["question"] for event in stored(run_key) if event["type"] == "DIVINATION_DERIVED"]


@pytest.mark.parametrize("chosen", [STUDY, LOVE])
def test_the_cast_answers_the_matter_that_its_user_chooses(chosen: str) -> None:
    """DIV-36: nothing is derived before, and nobody is asked again."""
    first = cast()
    (question,) = interrupts_of(first)
    assert question["message"] == "一卦只断一事，你问的不止一件。这一卦先断哪一件？"
    assert question["responseSchema"]["enum"] == [STUDY, LOVE]
    assert derived_in(first) == []
    second = answered(question["id"], chosen).task_id
    execute(second)
    assert interrupts_of(second) == []
    assert derived_in(second) == [chosen]
    assert kept()["divination"]["question"] == chosen
    *_, shown, reading = sessions.messages(THREAD)
    assert shown.content == chosen
    assert reading.role == "assistant"


def test_a_follow_up_is_about_the_matter_that_was_chosen() -> None:
    """DIV-36, FUP-06: it brings the cast with its whole question."""
    (question,) = interrupts_of(cast())
    execute(answered(question["id"], LOVE).task_id)
    follow_up = submit(
        runId="run-9",
        messages=[{"id": "msg-9", "role": "user", "content": "什么时候？"}],
        forwardedProps={"runtime_mode": "follow_up", "divinationPayload": PAYLOAD},
        protocolVersion="1.0",
    ).task_id
    execute(follow_up)
    assert interrupts_of(follow_up) == []
    assert kept()["divination"]["question"] == LOVE
    assert stored(follow_up)[-1]["type"] == "RUN_FINISHED"


@pytest.mark.parametrize(
    "members",
    [
        {"protocolVersion": None},
        {"question_type": "事业"},
        {"question": STUDY},
        {"question": f"{STUDY}能考多少分？"},
        {"question": "Will he come back? If so, when?"},
    ],
    ids=["a client that cannot answer", "a type that says it", "one question", "one matter", "a further question"],
)
def test_whoever_has_nothing_to_choose_is_not_asked(members: dict[str, Any]) -> None:
    """DIV-36: the reading comes at once."""
    run_key = cast(**members)
    assert interrupts_of(run_key) == []
    assert derived_in(run_key) == [members.get("question", BOTH)]


def test_without_a_choice_the_question_is_read_as_it_is() -> None:
    """DIV-36."""
    (question,) = interrupts_of(cast())
    second = cancelled(question["id"]).task_id
    execute(second)
    assert derived_in(second) == [BOTH]


def test_words_that_get_no_reading_are_not_asked_about() -> None:
    """DIV-36, CARE-01: help comes first."""
    run_key = cast("我不想活了。我能考上研究生吗？我和女朋友能复合吗？")
    assert interrupts_of(run_key) == []
    assert derived_in(run_key) == []
