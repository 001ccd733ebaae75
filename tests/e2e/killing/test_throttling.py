"""A run beyond the reserved concurrency is throttled as on Lambda, and its state machine tries again (RUN-32)."""

import json
import uuid
from pathlib import Path

from tests.support.stack.app import App, cancel
from tests.support.stack.process import running
from tests.support.stack.runs import first_words, submit

AGENT = Path(__file__).with_name("agent.py")


def test_a_run_beyond_the_concurrency_waits_for_another_to_end(tmp_path: Path) -> None:
    first, second = str(uuid.uuid4()), str(uuid.uuid4())
    with running(environment={"AGENT": str(AGENT), "RUN_CONCURRENCY": "1"}) as url:
        app = App(url, "alice")
        submit(app, "agent", first, "run-1", json.dumps({"pieces": 9, "holds": [3, str(tmp_path / "held")]}))
        assert first_words(app, first, "run-1") == "0 "
        submit(app, "agent", second, "run-1", json.dumps({"pieces": 3}))
        assert next(app.watch(second, "run-1"))[1] == "RUN_STARTED"
        assert app.http.post("/local/kill", json={"function": "execute_run"}).json() == {"killed": 1}
        assert cancel(app, first).status_code in (200, 202)
        assert list(app.watch(second, "run-1"))[-1][1] == "RUN_FINISHED"
        app.http.close()
