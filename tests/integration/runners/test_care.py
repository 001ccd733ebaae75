"""Readings that are declined, from the submitted run to its events, its history, the metrics and the log."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.divination_runs import THREAD, body, execute, refusal, submit
from tests.support.ended_runs import ending_of
from tests.support.journals import stored, text
from tests.support.models.provider_formats import SECRET, OpenAI
from tests.support.models.server import ModelServer, serving
from yarrow.protocol.caller import Caller
from yarrow.protocol.problems import ProblemCode
from yarrow.services.models import attempts
from yarrow.settings import settings
from yarrow.store import sessions
from yarrow_agents.divination import error_codes, opinion

pytestmark = [pytest.mark.usefixtures("aws"), pytest.mark.memory]
"""On moto alone: the table has no part of its own in this."""


WIRE = OpenAI()
CALLERS = {
    "zh-CN": ("我不想活了，还有意义吗？", "那还有意义吗？", "12356"),
    "zh-TW": ("我不想活了，還有意義嗎？", "那還有意義嗎？", "1925"),
    "en-US": ("I don’t want to live anymore", "Is there any point then?", "988"),
}
ORDINARY = {"zh-CN": "手机死机了，要不要换？", "zh-TW": "手機死機了，要不要換？", "en-US": "Will I kill the interview?"}


@pytest.fixture(params=["a model", "no model"])
def server(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer | None]:
    """The provider of the model `reading`, where there is one."""
    if request.param == "no model":
        yield None
        return
    with serving() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.address)
        monkeypatch.setenv("OPENAI_API_KEY", SECRET)
        monkeypatch.setattr(opinion, "SECONDS", 60.0)  # or a busy machine gives its answer to the next request
        monkeypatch.setattr(attempts, "FIRST_WAIT_SECONDS", 0.01)
        monkeypatch.setitem(settings.models, "reading", WIRE.model)
        yield server


def run(locale: str, words: str, run_id: str = "run-1", mode: str = "chat", of: str | None = None) -> str:
    """A run in which the user says this, from its submit to its end; a follow-up is one to the cast `of` a question."""
    props = body()["forwardedProps"]
    payload = props["divinationPayload"] | {"question": of or words}
    message = {"id": f"msg-{run_id}", "role": "user", "content": words}
    caller = Caller("alice", locale, "Asia/Shanghai")
    accepted = submit(
        caller,
        runId=run_id,
        messages=[message],
        forwardedProps=props | {"runtime_mode": mode, "divinationPayload": payload},
    )
    execute(accepted.task_id)
    assert ending_of(accepted.task_id)["type"] == "RUN_FINISHED"
    return accepted.task_id


def end_of(run_key: str) -> dict[str, Any]:
    (end,) = [event for event in stored(run_key) if event["type"] == "TEXT_MESSAGE_END"]
    return end


def check_declined(run_key: str, number: str) -> None:
    end = end_of(run_key)
    assert set(end) == {"type", "threadId", "runId", "messageId", "status", "answer", "error"}
    assert (end["status"], end["error"]["code"]) == ("failed", "READING_DECLINED")
    assert number in end["answer"]
    assert text(run_key) == end["answer"]
    assert not [event for event in stored(run_key) if event["type"] == "DIVINATION_DERIVED"]
    message = list(sessions.messages(THREAD))[-1]
    assert message.content == end["answer"]
    assert message.agent_output == {name: end[name] for name in ("status", "answer", "error")}


@pytest.mark.parametrize("locale", CALLERS)
def test_a_crisis_is_declined_and_so_is_what_follows(
    locale: str,
    server: ModelServer | None,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """CARE-01, CARE-05: chat and follow-up; counted by kind; its words in no log, and before no model."""
    monkeypatch.setenv("POWERTOOLS_METRICS_DISABLED", "false")
    words, more, number = CALLERS[locale]
    check_declined(run(locale, words), number)
    check_declined(run(locale, more, "run-2", "follow_up", of=words), number)
    printed = capsys.readouterr().out
    declined = [json.loads(line) for line in printed.splitlines() if "ReadingsDeclined" in line]
    assert [(part["kind"], part["agent"]) for part in declined] == [("self_harm", "divination")] * 2
    assert words not in printed + caplog.text
    assert server is None or not server.requests


@pytest.mark.parametrize("locale", CALLERS)
def test_a_crisis_in_a_follow_up_is_declined(locale: str, server: ModelServer | None) -> None:
    """CARE-01: in a session whose cast was read."""
    if server is not None:
        server.will(WIRE.refused(500, "?"))
    run(locale, ORDINARY[locale])
    requested = len(server.requests) if server else 0
    words, more, number = CALLERS[locale]
    for run_id, item in (("run-2", words), ("run-3", more)):
        end = end_of(run(locale, item, run_id, "follow_up", of=ORDINARY[locale]))
        assert end["status"] == "failed"
        assert number in end["answer"]
    assert server is None or len(server.requests) == requested


@pytest.mark.parametrize("locale", ORDINARY)
def test_ordinary_words_are_answered_as_ever(
    locale: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """CARE-06."""
    monkeypatch.setenv("POWERTOOLS_METRICS_DISABLED", "false")
    end = end_of(run(locale, ORDINARY[locale]))
    assert end["status"] == "success"
    assert end["sign_level"]
    assert "ReadingsDeclined" not in capsys.readouterr().out


def test_of_a_question_of_life_the_cast_is_laid_out_and_not_judged() -> None:
    """CARE-03, CARE-05."""
    run_key = run("zh-CN", "我得了癌症，还能活多久")
    assert [event["type"] for event in stored(run_key)].count("DIVINATION_DERIVED") == 1
    assert end_of(run_key)["status"] == "failed"
    assert "divination_derived" not in end_of(run_key)
    assert (
        end_of(run("zh-CN", "那我现在该怎么做?", "run-2", "follow_up", of="我得了癌症，还能活多久"))["status"]
        == "success"
    )


@pytest.mark.parametrize("words", ["我最近换工作是否合适?", "我想死"])
def test_a_follow_up_to_another_cast_is_refused(words: str) -> None:
    """C47: on /runs; with the session's own cast, or after a new one, it is answered."""
    run("zh-CN", words)
    props = body()["forwardedProps"]
    own = props["divinationPayload"] | {"question": words}
    requests = [{"id": "msg-2", "role": "user", "content": "什么时候?"}]

    def follow(payload: dict[str, Any]) -> ProblemCode:
        return refusal(
            runId="run-2",
            messages=requests,
            forwardedProps=props | {"runtime_mode": "follow_up", "divinationPayload": payload},
        )

    for other in (
        {"yaoLines": ["少阳"] * 6},
        {"divinationTimeIso": "2026-04-04T20:30:00+08:00"},
    ):
        assert follow(own | other) is error_codes.MISMATCH
    own_question = {"question": "什么时候?", "questionType": "时间"}
    submit(
        runId="run-2",
        messages=requests,
        forwardedProps=props | {"runtime_mode": "follow_up", "divinationPayload": own | own_question},
    )


def test_the_deployments_help_lines_reach_the_agent(monkeypatch: pytest.MonkeyPatch) -> None:
    """CARE-01: They are the parameter `HelpLines`."""
    lines = {"CN": {"emergency": ["110"], "lines": [{"name": "本地热线", "number": "400"}]}}
    monkeypatch.setitem(settings.__dict__, "agent_config", {"help_lines": json.dumps(lines)})
    assert "本地热线 400" in end_of(run("zh-CN", "我想死"))["answer"]
