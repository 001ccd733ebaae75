"""A run whose parts come out of turn: a late failure, an id used again, a picture in a run that goes on."""

import asyncio
import threading
from typing import Any

import pytest

from tests.support.divination_runs import body, submit
from tests.support.ended_runs import ending_of
from tests.support.journals import end_of
from tests.support.runners.scripted import DONE, Use, completed, delta
from yarrow.agents.bindings import deployed
from yarrow.media.message_pictures import pictures_of
from yarrow.protocol.run_input.body import parse_run_input
from yarrow.runs import end_run
from yarrow.services.models.gateway import ModelGateway
from yarrow.store import journal, runs, sessions
from yarrow.worker import execute_run
from yarrow.worker.context import past_messages
from yarrow_agents.assistant import runner as assistant

pytestmark = pytest.mark.usefixtures("aws")


def test_a_failure_of_a_worker_that_was_replaced_ends_nothing(use: Use) -> None:
    """EVT-08, CMP-11: the run is another's, who is still at it."""
    use(completed("一"), DONE)
    run_key = submit().task_id
    first, second = runs.claim(run_key), runs.claim(run_key)
    assert first is not None
    assert second is not None
    journal.append(run_key, second.attempt, end_of(run_key), [])
    assert not end_run.end_with_error(run_key, end_run.FAILED, first.attempt)
    assert not runs.must_read(run_key).ended
    assert end_run.end_with_error(run_key, end_run.FAILED, second.attempt)
    assert ending_of(run_key)["code"] == "RUN_FAILED"


def test_models_that_do_not_close_keep_no_answer_back(use: Use, monkeypatch: pytest.MonkeyPatch) -> None:
    """EVT-08, DIV-34: what is only to be tidied up is no part of the run."""

    async def broken(_: object) -> None:
        raise RuntimeError("not now")

    monkeypatch.setattr(ModelGateway, "aclose", broken)
    use(delta("一"), completed("一"), DONE)
    run_key = submit().task_id
    execute_run.work(run_key)
    assert ending_of(run_key)["type"] == "RUN_FINISHED"


def test_a_journal_is_written_though_the_runner_keeps_every_thread_waiting(use: Use) -> None:
    """RNR-72, EVT-27: the threads of the loop are the runner's calls' own."""
    waiting = threading.Event()

    def fill() -> None:
        for _ in range(64):
            asyncio.get_running_loop().run_in_executor(None, waiting.wait, 5)

    use(fill, delta("一"), completed("一"), waiting.set, DONE)
    run_key = submit().task_id
    execute_run.work(run_key)
    assert ending_of(run_key)["type"] == "RUN_FINISHED"


def test_a_message_id_that_is_used_again_hides_nothing_but_the_latest() -> None:
    """RNR-11, EVT-19."""
    for number in (1, 2, 3):
        message = {"id": "m", "role": "user", "content": f"第{number}句"}
        run = runs.must_read(submit(runId=f"run-{number}", messages=[message]).task_id)
        end_run.end_with_error(run.key, end_run.CANCELED)
    manifest, policy = assistant.RUNNER.manifest, deployed()["assistant"].policy
    conversation = sessions.must_read(run.thread_id).path
    past = past_messages._past(run, conversation, "m", manifest, policy, policy.runtime_config("chat"))
    assert [(item.role, item.content) for item in past.items] == [("user", "第1句"), ("user", "第2句")]


def test_a_picture_is_the_same_artifact_in_every_run_of_its_thread() -> None:
    """RUN-17, RNR-19: a run that goes on with tool results reads what the one before was given."""
    picture = {"type": "binary", "mimeType": "image/png", "url": "agent-inputs/alice/a.png"}

    def context_of(run_id: str) -> Any:
        content = [{"type": "text", "text": "?"}, picture]
        message = {"id": run_id, "role": "user", "content": content}
        return pictures_of(parse_run_input(body(runId=run_id, messages=[message])))

    assert context_of("run-1") == context_of("run-2")
    assert context_of("run-1")[0].path == "agent-inputs/alice/a.png"
