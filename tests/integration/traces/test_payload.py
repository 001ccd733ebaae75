"""The payload of `events/` for `export_traces`, as a run of a test would cause it."""

import json

from functions.export_traces import app as export_app
from tests.support.divination_runs import body
from tests.support.divination_runs import execute as work
from tests.support.domain_events.deployment import Deployment
from tests.support.functions.calls import Context
from tests.support.functions.payloads import Case
from tests.support.traces.receiver import Receiver
from yarrow.protocol.caller import Caller
from yarrow.runs.submit_run import submit_run


def test_the_payload_of_an_ended_run_sends_its_trace(deployment: Deployment, receiver: Receiver) -> None:
    """EVB-02."""
    case = Case()
    submitted = body(threadId=case.thread, runId=case.run)
    assert submit_run(json.dumps(submitted).encode(), Caller(case.user)).task_id == case.key
    work(case.key)
    answer = export_app.handler(case.payload("sqs_export_traces"), Context("export_traces"))
    assert answer == {"batchItemFailures": []}
    roots = [span for span in receiver.spans if not span.parent_id]
    assert [span.attributes["yarrow.run.key"] for span in roots] == [case.key]
    assert deployment.published()
