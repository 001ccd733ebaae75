"""The guided cast run by the worker: what is journalled, kept and handed over, and after a worker's death."""

import base64
import json
from typing import Any

import pytest

from tests.support.divination_runs import ALICE, THREAD, execute
from tests.support.journals import stored
from yarrow.protocol.caller import Caller
from yarrow.protocol.run_input.trigger import Trigger
from yarrow.runs.submit_run import submit_run
from yarrow.store import artifacts, runs, sessions
from yarrow.worker import journal_writer

pytestmark = [pytest.mark.usefixtures("aws"), pytest.mark.memory]

QUESTIONS = {"zh-CN": "我最近换工作是否合适?", "zh-TW": "我最近換工作是否合適?", "en": "Should I change my job?"}


class Page:
    def __init__(self, locale: str = "zh-CN") -> None:
        self.caller = Caller(ALICE.user_id, locale, "Asia/Shanghai")
        self.runs = 0

    def submit(self, kind: str, text: str | None = None, **data: Any) -> str:
        """Return the key of the command's run."""
        self.runs += 1
        messages = [] if text is None else [{"id": f"m-{self.runs}", "role": "user", "content": text}]
        body = {"threadId": THREAD, "runId": f"run-{self.runs}", "messages": messages}
        raw = json.dumps({**body, "forwardedProps": {"runtime_mode": "chat"}}).encode()
        trigger = Trigger(f"workspace.{kind}", "webui", {"prompt": None, **data})
        return submit_run(raw, self.caller, "cast", trigger=trigger).task_id

    def send(self, kind: str, text: str | None = None, **data: Any) -> list[dict[str, Any]]:
        """Return the events of the command's run."""
        run_key = self.submit(kind, text, **data)
        execute(run_key)
        events = stored(run_key)
        assert events[-1]["type"] == "RUN_FINISHED"
        return events

    def begin(self, method: str, question: str) -> list[dict[str, Any]]:
        """Everything up to the reading, for the methods that need no lines."""
        self.send("init", reason="session_created")
        self.send("option", method, questionId="method", optionId=method, optionLabel=method)
        self.send("option", "career", questionId="matter", optionId="career", optionLabel="career")
        return self.send("answer", question, questionId="question", answer=question)


def custom(events: list[dict[str, Any]], name: str) -> list[Any]:
    return [event["value"] for event in events if event["type"] == "CUSTOM" and event["name"] == name]


@pytest.mark.parametrize("locale", QUESTIONS)
def test_a_cast_goes_from_the_greeting_to_the_plate(locale: str) -> None:
    """WSP-03, WSP-04, WSP-27, WSP-28, DIV-11, HIS-08, CMP-01, CMP-09: The journal, the files and the history agree."""
    events = Page(locale).begin("coins", QUESTIONS[locale])
    assert [event["type"] for event in events].count("DIVINATION_DERIVED") == 1
    statuses = [[item["status"] for item in value["items"]] for value in custom(events, "workspace.subtasks")]
    assert (statuses[0], statuses[-1]) == (["running", *["pending"] * 3], ["done"] * 4)
    svg, text = custom(events, "artifact.created")
    for file, opening in ((svg, b"<svg"), (text, "占".encode())):
        kept = artifacts.read_range(file["artifact_id"], THREAD, 0, 100_000)
        assert kept is not None
        assert base64.b64decode(kept.content_base64).startswith(opening)
    (output,) = [event for event in events if event["type"] == "TEXT_MESSAGE_END" and "sign_level" in event]
    assert output["answer"] in [message.content for message in sessions.messages(THREAD)]


def test_a_worker_that_dies_while_the_coins_fall_leaves_them_as_they_lie(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """RNR-41, CMP-11: the next one tells the same throws, the same files, and nothing twice."""
    monkeypatch.setattr(journal_writer, "FLUSH_SECONDS", 0.0)
    page = Page()
    page.send("init", reason="session_created")
    page.send("option", "coins", questionId="method", optionId="coins", optionLabel="coins")
    page.send("option", "career", questionId="matter", optionId="career", optionLabel="career")
    run_key = page.submit("answer", QUESTIONS["zh-CN"], questionId="question", answer=QUESTIONS["zh-CN"])
    write = journal_writer.JournalWriter.write
    left = 9

    async def dying(writer: Any, event: Any) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise WorkerDiedError
        await write(writer, event)

    with monkeypatch.context() as patch:
        patch.setattr(journal_writer.JournalWriter, "write", dying)
        with pytest.raises(WorkerDiedError):
            execute(run_key)
    before = custom(stored(run_key), "workspace.log")
    assert before
    execute(run_key)
    events = stored(run_key)
    logs = custom(events, "workspace.log")
    assert logs[: len(before)] == before
    assert len([log for log in logs if log["key"] == "cast"]) == 6
    assert len(custom(events, "artifact.created")) == 2
    assert events[-1]["type"] == "RUN_FINISHED"


class WorkerDiedError(Exception):
    """The sandbox is gone between two events."""


def test_a_follow_up_over_http_is_about_the_same_cast() -> None:
    """CMP-09, FUP-04: a run of the session that no workspace started."""
    page = Page()
    page.begin("time", QUESTIONS["zh-CN"])
    message = {"id": "m-http", "role": "user", "content": "什么时候有结果?"}
    body = {"threadId": THREAD, "runId": "http", "messages": [message], "forwardedProps": {"runtime_mode": "chat"}}
    accepted = submit_run(json.dumps(body).encode(), page.caller)
    execute(accepted.task_id)
    (output,) = [event for event in stored(accepted.task_id) if event["type"] == "TEXT_MESSAGE_END"]
    assert output["status"] == "success"
    assert "sign_level" not in output
    assert runs.must_read(accepted.task_id).agent == "cast"


def test_a_crisis_is_kept_as_declined() -> None:
    """CARE-01, CARE-05: the run finishes, the history has the answer."""
    page = Page()
    page.send("init", reason="session_created")
    events = page.send("answer", "我不想活了", questionId="question", answer="我不想活了")
    (end,) = [event for event in events if event["type"] == "TEXT_MESSAGE_END"]
    assert (end["status"], end["error"]["code"]) == ("failed", "READING_DECLINED")
    assert "12356" in end["answer"]
    assert not custom(events, "artifact.created")
