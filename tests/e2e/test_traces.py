"""Traces of runs of the local stack, from a client's span to that of a remote runner's calls."""

import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.paths import ROOT
from tests.support.stack.app import App
from tests.support.stack.process import running
from tests.support.traces.receiver import ReceivedSpan, Receiver, receiving

SECONDS = 60.0
CLIENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"


@pytest.fixture(scope="module")
def receiver() -> Iterator[Receiver]:
    with receiving() as found:
        yield found


@pytest.fixture(scope="module")
def app(receiver: Receiver, tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """A user of a stack that sends traces, with the example of a remote runner."""
    agents = tmp_path_factory.mktemp("agents") / "agents.yaml"
    parts = (ROOT / "layers/core/system_agents.yaml", ROOT / "examples/remote_runner/agent.yaml")
    agents.write_text("".join(part.read_text(encoding="utf-8") for part in parts), encoding="utf-8")
    environment = {
        "TRACES_ENDPOINT": receiver.url,
        "RUNNER_SECRET_TRACES": "x-key=of the backend",
        "SYSTEM_AGENTS": str(agents),
        "EXTRA_TEMPLATES": str(Path("examples/remote_runner/template.yaml")),
    }
    with running(environment=environment) as url:
        found = App(url, f"alice-{uuid.uuid4()}")
        yield found
        found.http.close()


def spans_of(receiver: Receiver, thread: str) -> dict[str, ReceivedSpan]:
    """Wait for the trace of a session's only run; returns its spans by name."""
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        spans = receiver.spans
        runs = [span for span in spans if span.attributes.get("gen_ai.conversation.id") == thread]
        if runs:
            return {span.name: span for span in spans if span.trace_id == runs[0].trace_id}
        time.sleep(0.05)
    raise AssertionError("no trace came")


def test_a_run_of_a_remote_runner_is_in_its_clients_trace(app: App, receiver: Receiver) -> None:
    """EVB-02: through the submit, the state machine, and the calls that the function makes back."""
    thread = str(uuid.uuid4())
    body = {
        "threadId": thread,
        "runId": "run-1",
        "messages": [{"id": "m-1", "role": "user", "content": "buy milk"}],
        "forwardedProps": {"runtime_mode": "chat"},
    }
    submitted = app.http.post(
        "/api/v1/agent/runs", params={"agent": "notes"}, json=body, headers={"traceparent": CLIENT}
    )
    assert submitted.status_code == 202, submitted.text
    assert list(app.watch(thread, "run-1"))[-1][1] == "RUN_FINISHED"
    spans = spans_of(receiver, thread)
    run, worker = spans["invoke_agent notes"], spans["worker 1"]
    assert f"00-{run.trace_id}-{run.parent_id}-01" == CLIENT
    assert (spans["queue"].parent_id, worker.parent_id) == (run.id, run.id)
    calls = [span for span in spans.values() if span.parent_id == worker.id]
    assert "state.set" in {span.name for span in calls}
    assert all(worker.begins <= span.begins <= span.ends <= worker.ends for span in calls)
    assert receiver.headers[-1]["x-key"] == "of the backend"
    assert b"buy milk" not in b"".join(receiver.bodies)
