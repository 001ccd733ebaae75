"""Divinations whose model is a provider's: from the submitted run to its history, through the host's own gateway."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from liuyao.reading import Language, answer_follow_up
from tests.support.divination_runs import THREAD, body, execute, submit
from tests.support.ended_runs import ending_of
from tests.support.journals import stored, text
from tests.support.models.provider_formats import SECRET, OpenAI
from tests.support.models.server import Answer, ModelServer, serving
from tests.support.runners.divination import ANSWER, CAST, OWN, PHRASED, READING
from yarrow.services.models import attempts
from yarrow.settings import settings
from yarrow.store import sessions
from yarrow_agents.divination import opinion
from yarrow_agents.divination.output import ChatOutput

pytestmark = [pytest.mark.usefixtures("aws"), pytest.mark.memory]
"""On moto alone: the table has no part of its own in this."""


WIRE = OpenAI()
QUESTION = "什么时候有结果?"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    """Yield the provider of the model `reading`."""
    with serving() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.address)
        monkeypatch.setenv("OPENAI_API_KEY", SECRET)
        monkeypatch.setattr(attempts, "FIRST_WAIT_SECONDS", 0.01)
        monkeypatch.setattr(opinion, "SECONDS", 60.0)  # or a busy machine gives its answer to the next request
        monkeypatch.setitem(settings.models, "reading", WIRE.model)
        yield server


def gives(words: str) -> Answer:
    """Answer with this text, streamed in two pieces."""
    return WIRE.streamed(*WIRE.begun(words[:9], words[9:]), *WIRE.ended())


def no_concern() -> Answer:
    """Its opinion on whether the words get a reading (CARE-07)."""
    return WIRE.whole(json.dumps({"concern": "none"}))


def cast() -> str:
    """Return a first run, from its submit to its end."""
    run_key = submit().task_id
    execute(run_key)
    assert ending_of(run_key)["type"] == "RUN_FINISHED"
    return run_key


def follow_up() -> str:
    """Return a follow-up in the same session."""
    props = body()["forwardedProps"] | {"runtime_mode": "follow_up"}
    message = {"id": "msg-2", "role": "user", "content": QUESTION}
    run_key = submit(runId="run-2", messages=[message], forwardedProps=props).task_id
    execute(run_key)
    assert ending_of(run_key)["type"] == "RUN_FINISHED"
    return run_key


def output_of(run_key: str) -> dict[str, Any]:
    """What rides on the end of the answer."""
    (end,) = [event for event in stored(run_key) if event["type"] == "TEXT_MESSAGE_END"]
    return {name: value for name, value in end.items() if name not in ("type", "threadId", "runId", "messageId")}


def test_a_configured_model_phrases_the_reading(server: ModelServer) -> None:
    """DIV-28, DIV-29, DIV-31, DIV-33, RNR-52: under the grade of the plate, live and in the history."""
    server.will(no_concern(), gives(READING))
    run_key = cast()
    output = ChatOutput.model_validate(output_of(run_key))
    assert (output.sign_level, output.divination_derived) == (OWN.sign_level, CAST)
    assert output.conclusion == OWN.conclusion
    assert text(run_key) == output.answer == PHRASED
    assert list(sessions.messages(THREAD))[-1].content == output.answer
    assert len(server.requests) == 2
    question = json.dumps(server.last_body, ensure_ascii=False)
    assert "官鬼己丑土" in question


def test_a_configured_model_answers_a_follow_up(server: ModelServer) -> None:
    """FUP-03, FUP-04, FUP-05, FUP-06, RNR-54, RNR-55: it is told the conversation and what the knowledge base has."""
    server.will(no_concern(), gives(READING), no_concern(), gives(ANSWER))
    cast()
    run_key = follow_up()
    assert output_of(run_key) == {"status": "success", "answer": ANSWER, "error": None}
    _, question, reading, facts = server.last_body["messages"]
    assert question["content"] == body()["messages"][0]["content"]
    assert READING in reading["content"]
    assert QUESTION in facts["content"]
    assert "资料：" in facts["content"]


def test_words_that_break_a_rule_are_mended_or_not_told(server: ModelServer) -> None:
    """DIV-29, DIV-34."""
    wrong = "断为上上签，一定能成。"
    server.will(no_concern(), gives(wrong), gives(READING))
    assert output_of(cast())["answer"] == PHRASED
    assert "上上签" in server.last_body["messages"][-1]["content"]
    server.answers.clear()
    server.will(no_concern(), gives("这是上上签。"))
    own = answer_follow_up(CAST, QUESTION, language=Language.SIMPLIFIED)
    assert output_of(follow_up())["answer"] == own
    assert len(server.requests) == 6


@pytest.mark.parametrize(
    "answer",
    [
        WIRE.throttled(),
        WIRE.refused(500, f"It fell over {SECRET}"),
        WIRE.refused(401, f"Who is {SECRET}?"),
        gives("I would rather chat."),
        gives(json.dumps({"sign_level": "上上签"})),
        gives("签级是上上签。"),
    ],
    ids=["throttled", "broken", "refused", "chatting", "another form", "a grade of its own"],
)
def test_a_provider_that_fails_costs_no_reading(
    server: ModelServer, answer: Answer, caplog: pytest.LogCaptureFixture
) -> None:
    """DIV-29, DIV-34, RNR-62: the rules' own words, whole, and nothing of what the provider said."""
    server.will(answer)
    output = output_of(cast())
    assert output["answer"] == OWN.answer
    assert output["conclusion"] == list(OWN.conclusion)
    assert server.requests
    assert SECRET not in caplog.text


def test_a_stand_in_never_phrases(caplog: pytest.LogCaptureFixture) -> None:
    """DIV-28, FUP-04: where no model is configured, the run is as if there were none to grant."""
    assert not settings.models
    run_key = cast()
    assert text(run_key) == OWN.answer
    assert output_of(run_key)["keywords"] == list(OWN.keywords)
    assert output_of(follow_up())["answer"] == answer_follow_up(CAST, QUESTION, language=Language.SIMPLIFIED)
    assert "phrased" not in caplog.text


def test_a_deployment_that_configures_other_models_reads_by_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """DIV-28, RNR-52."""
    monkeypatch.setitem(settings.models, "chat", WIRE.model)
    assert text(cast()) == OWN.answer
