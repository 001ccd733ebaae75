"""Calls of runners that are refused before the API of a run is reached leave a record as any other call (RNR-82)."""

import asyncio
import json
import threading
import uuid
from collections.abc import AsyncGenerator
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest

from tests.support.functions.calls import invoke
from tests.support.functions.payloads import Case, with_header
from tests.support.log_lines import LogLines
from tests.support.run_contexts import run_context
from yarrow.agents import bindings
from yarrow.protocol.run_input.body import parse_run_input
from yarrow.protocol.runner.api import AgentAPIException
from yarrow.protocol.runner.callback import TOKEN_HEADER
from yarrow.protocol.runner.models import AgentRunContext, AgentRunResult
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.runs import cancel_run
from yarrow.services import run_tokens
from yarrow.store import runs
from yarrow.worker import preparation
from yarrow.worker.invocation import runner_loops
from yarrow.worker.invocation.isolation import IsolatedRunner

pytestmark = [pytest.mark.usefixtures("aws"), pytest.mark.memory]
"""On moto alone: the table has no part in it."""

PRIVATE = "xq7-private"
OF_THE_EVENT = "3d8f0c1e-6a52-5c1b-9f0e-2b7a4d5e6f70"
"""The run of the payload in `events/`."""


def records(log: LogLines) -> list[tuple[str, str, str, str]]:
    """Run, runner, action and result of each record."""
    audits = [record["audit"] for record in log.records if "audit" in record]
    return [(audit["run_id"], audit["runner_id"], audit["action"], audit["result"]) for audit in audits]


def begun(case: Case) -> str:
    """A run that a worker has prepared for a remote runner; returns its token."""
    invoke("submit_run", case.payload("api_gateway_submit_run"))
    run = runs.claim(case.key)
    assert run is not None
    binding = bindings.deployed()[run.agent]
    prepared = preparation.prepare(run, parse_run_input(runs.read_input(run.key)), binding)
    return run_tokens.issue(run.key, prepared.grant.runner_id, run.attempt)


def status_of(case: Case, token: str, **changes: Any) -> int:
    text = json.dumps(case.payload("runner_api_run_action")).replace(OF_THE_EVENT, case.key)
    event = with_header(json.loads(text), TOKEN_HEADER, token)
    return int(invoke("runner_api", event | changes).status)


def test_a_call_with_a_bad_token_is_recorded(log: LogLines) -> None:
    """RNR-82, RNR-50, RNR-64: made up, another run's, of a run that is over, or for no run at all."""
    mine, other = Case(), Case()
    token, others = begun(mine), begun(other)
    assert status_of(mine, token) == 200
    cancel_run.stop(other.key)
    nowhere = replace(Case(), run=PRIVATE)
    path = f"/internal/runs/{PRIVATE}/actions/{PRIVATE}"
    assert [status_of(mine, PRIVATE), status_of(mine, others), status_of(other, others), status_of(nowhere, token)] == [
        403
    ] * 4
    assert status_of(mine, token, path=path) == 403
    own, *refused = records(log)
    assert own[3] == "ok"
    assert refused == [
        *((case.key, "unknown", "state.get", "unauthorized") for case in (mine, mine, other, nowhere)),
        ("unknown", "unknown", "unknown", "unauthorized"),
    ]
    for secret in (PRIVATE, token, others):
        assert secret not in log.text


def test_a_call_that_is_no_json_is_recorded(log: LogLines) -> None:
    """RNR-82."""
    case = Case()
    assert status_of(case, begun(case), body=f"{{{PRIVATE}") == 400
    assert records(log) == [(case.key, "unknown", "state.get", "invalid_argument")]
    assert PRIVATE not in log.text


def test_a_call_of_a_runner_that_was_left_alone_is_recorded(log: LogLines, monkeypatch: pytest.MonkeyPatch) -> None:
    """RNR-82, RNR-72, C51: the host has hung up, and is not asked."""
    monkeypatch.setattr(runner_loops, "GRACE_SECONDS", 0.01)
    closed, over = threading.Event(), threading.Event()
    context = run_context(str(uuid.uuid4()))

    class Stubborn:
        async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
            yield AgentRunResult(run_id=context.run_id, type="message.delta")
            closed.wait(10)  # blocks its thread
            for call in (api.state.get("conversation", PRIVATE), api.tools.call(PRIVATE, {})):
                with suppress(AgentAPIException):
                    await call
            over.set()

    class Unreached:
        async def call(self, *_: Any) -> dict[str, Any]:
            raise AssertionError("the host was asked")

        async def stream(self, *_: Any) -> AsyncGenerator[dict[str, Any]]:
            raise AssertionError("the host was asked")
            yield {}

    async def listen() -> None:
        runner = IsolatedRunner(Stubborn(), "plugin:acme/stubborn/default")
        heard = runner.run(context, AgentRunAPIProxy(context.run_id, Unreached()))
        await anext(heard)
        await heard.aclose()
        closed.set()

    asyncio.run(listen())
    assert over.wait(10)
    mine = ("plugin:acme/stubborn/default", "unauthorized")
    found = [record for record in records(log) if (record[1], record[3]) == mine]
    assert [item[2] for item in found] == ["state.get", "tools.call"]
    assert PRIVATE not in log.text
