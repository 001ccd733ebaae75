"""What a runner raised is kept for its author with the run's end, and nobody else is told."""

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.support.divination_runs import ALICE, BOB, THREAD, execute, submit
from tests.support.journals import stored
from tests.support.runners.scripted import Scripted, delta, install
from yarrow.observability import redaction
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.response_body import to_json
from yarrow.runs.diagnose_run import diagnose_run
from yarrow.settings import settings
from yarrow.store import sessions
from yarrow.worker import raised

pytestmark = [pytest.mark.usefixtures("aws"), pytest.mark.memory]

OPERATOR = replace(ALICE, operates=True)
KEY = "sk-0123456789abcdef0123"


@pytest.fixture(autouse=True)
def deployed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(settings.__dict__, "shows_exceptions", False)


def failed(monkeypatch: pytest.MonkeyPatch, act: Any) -> str:
    install(monkeypatch, lambda: Scripted(delta("one"), act))
    run_key = submit().task_id
    execute(run_key)
    assert stored(run_key)[-1]["type"] == "RUN_ERROR"
    return run_key


def told() -> list[dict[str, Any]]:
    exceptions: list[dict[str, Any]] = json.loads(to_json(diagnose_run(OPERATOR, THREAD, "run-1")))["exceptions"]
    return exceptions


def breaks() -> None:
    try:
        raise KeyError("the cause")  # noqa: TRY301
    except KeyError as error:
        raise RuntimeError(f"the model said no to {KEY}") from error


def test_an_operator_sees_what_the_runner_of_their_run_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    """STP-08, RNR-40: its type, message and frames, without secrets; clients get none of it."""
    run_key = failed(monkeypatch, breaks)
    first, cause = told()
    assert (first["type"], cause["type"]) == ("RuntimeError", "KeyError")
    assert first["message"] == f"the model said no to {redaction.REDACTED}"
    functions = [frame["function"] for frame in first["frames"]]
    assert functions == ["run", "breaks"]
    assert first["frames"][-1]["file"].endswith("tests/integration/worker/test_raised.py")
    assert first["frames"][-1]["code"].startswith("raise RuntimeError(")
    assert cause["frames"][-1]["code"].startswith('raise KeyError("the cause")')
    sent = json.dumps(stored(run_key)) + str(list(sessions.messages(THREAD)))
    assert "the model said no" not in sent
    assert stored(run_key)[-1]["message"] == "the agent failed"


def test_only_the_author_of_a_run_of_their_own_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """STP-08, SEC-03: no user without the scope, and no operator of another user's run."""
    failed(monkeypatch, breaks)
    for caller in (ALICE, BOB, replace(BOB, operates=True)):
        with pytest.raises(Problem) as caught:
            diagnose_run(caller, THREAD, "run-1")
        assert caught.value.code is Code.AGENT_FORBIDDEN
    monkeypatch.setitem(settings.__dict__, "shows_exceptions", True)
    assert [shown.type for shown in diagnose_run(ALICE, THREAD, "run-1").exceptions] == ["RuntimeError", "KeyError"]
    with pytest.raises(Problem):
        diagnose_run(BOB, THREAD, "run-1")


def test_a_run_whose_runner_raised_nothing_has_nothing_to_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    """STP-08: it may have failed by its own word."""
    install(monkeypatch, lambda: Scripted(("run.failed", {"code": "x.y", "error": "no"})))
    execute(submit().task_id)
    assert told() == []


class UnspeakableError(Exception):
    def __str__(self) -> str:
        raise ValueError


def of_many() -> None:
    raise ExceptionGroup("all", [ValueError("x" * 9_000), *(UnspeakableError() for _ in range(9))])


def deep(left: int) -> None:
    if left:
        deep(left - 1)
    raise ValueError("deep")


@pytest.mark.parametrize("act", [of_many, lambda: deep(200)], ids=["members", "frames"])
def test_what_is_kept_is_bounded(monkeypatch: pytest.MonkeyPatch, act: Any) -> None:
    """STP-08: members of a group are told as causes are; the innermost frames are kept."""
    failed(monkeypatch, act)
    exceptions = told()
    assert 1 <= len(exceptions) <= raised.MAX_EXCEPTIONS
    for exception in exceptions:
        assert len(exception["message"]) <= raised.MESSAGE_CHARACTERS
        assert len(exception["frames"]) <= raised.MAX_FRAMES
    if act is of_many:
        assert [exception["type"] for exception in exceptions[:2]] == ["ExceptionGroup", "ValueError"]
    else:
        assert exceptions[0]["frames"][-1]["code"].startswith("raise ValueError(")


def test_what_called_the_host_is_no_frame_of_the_runner(monkeypatch: pytest.MonkeyPatch) -> None:
    """STP-08: this file stands for the host, which an event loop calls and which calls the runner's code."""
    agent: dict[str, Any] = {}
    exec(compile("def run():\n    raise KeyError('pen')", "/agent/app.py", "exec"), agent)  # noqa: S102
    monkeypatch.setattr(raised, "_HOST", f"{Path(__file__).parent}/")

    async def host() -> None:
        agent["run"]()

    with pytest.raises(KeyError) as error:
        asyncio.run(host())
    (described,) = raised.raised(1, error.value).exceptions
    assert [(frame["file"], frame["line"], frame["function"]) for frame in described["frames"]] == [
        ("/agent/app.py", 2, "run")
    ]


def test_a_message_that_is_no_unicode_text_can_be_stored() -> None:
    """STP-08; it is in no log here, which could not be sent from a process of tests to another one."""
    (described,) = raised.raised(1, ValueError("\ud800 alone")).exceptions
    assert described["message"] == "? alone"
