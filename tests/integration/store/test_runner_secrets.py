"""Secrets on their way from Secrets Manager, or the environment, to one runner, and to nowhere else."""

import json
import logging
from collections import OrderedDict
from collections.abc import AsyncGenerator, Callable
from types import SimpleNamespace
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError

from tests.support.divination_runs import THREAD, submit
from tests.support.ended_runs import ending_of
from tests.support.functions.api_calls import refused, watched
from tests.support.log_lines import LogLines
from tests.support.runners.scripted import install
from yarrow.agents import bindings
from yarrow.observability import redaction
from yarrow.protocol.runner.models import AgentRunContext, AgentRunResult
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.settings import settings
from yarrow.store.runner import secrets
from yarrow.worker import execute_run

pytestmark = [pytest.mark.usefixtures("aws"), pytest.mark.memory]
"""On moto alone: the table has no part in it."""

SECRET = "xq7-the-key"
CONFIG = {"depth": 1, "api-key": {"secret": "coze/api-key"}, "servers": [{"password": {"secret": "n8n"}}]}


class Clock:
    """Time that passes when it is told to."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def time(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(secrets, "time", SimpleNamespace(time=clock.time))
    return clock


@pytest.fixture(autouse=True)
def agent(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> None:
    """The agent's config names secrets; nothing is known of any yet."""
    binding = bindings.deployed()["divination"]
    policy = binding.policy.model_copy(update={"config": CONFIG})
    monkeypatch.setitem(bindings.deployed(), "divination", bindings.Binding.of(binding.agent, policy))
    monkeypatch.setattr(secrets, "_cache", {})
    monkeypatch.setattr(redaction, "_secrets", OrderedDict())


def store(name: str, value: str) -> None:
    client = boto3.client("secretsmanager")
    name = f"{settings.runner_secrets}{name}"
    try:
        client.create_secret(Name=name, SecretString=value)
    except ClientError:
        client.put_secret_value(SecretId=name, SecretString=value)


class Shown:
    """A runner that keeps its config, and then does something."""

    def __init__(self, act: Callable[[AgentRunContext], AgentRunResult | None] = lambda _: None) -> None:
        self.configs: list[dict[str, Any]] = []
        self.hashes: set[str] = set()
        self._act = act

    async def run(self, context: AgentRunContext, _api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        self.configs.append(context.config)
        self.hashes.add(context.runtime.static_refs.get("system_policy", SimpleNamespace(hash="")).hash)
        result = self._act(context)
        if result is not None:
            yield result


def run(runner: Shown, monkeypatch: pytest.MonkeyPatch, run_id: str = "run-1") -> str:
    install(monkeypatch, lambda: runner)
    run_key = submit(runId=run_id).task_id
    execute_run.work(run_key)
    return run_key


def test_a_runner_finds_the_values_in_its_config(monkeypatch: pytest.MonkeyPatch) -> None:
    """RNR-26: One read returns both."""
    store("coze/api-key", SECRET)
    store("n8n", "another")
    runner = Shown()
    with watched() as calls:
        run(runner, monkeypatch)
    assert calls.made.count("BatchGetSecretValue") == 1
    (config,) = runner.configs
    assert {name: config[name] for name in CONFIG} == {
        "depth": 1,
        "api-key": SECRET,
        "servers": [{"password": "another"}],
    }


def test_a_value_is_kept_for_a_while_and_a_rotated_one_reaches_later_runs(
    monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    """RNR-26."""
    store("coze/api-key", SECRET)
    store("n8n", "another")
    runner = Shown()
    run(runner, monkeypatch, "run-1")
    store("coze/api-key", "rotated")
    clock.now += secrets.KEPT_SECONDS - 1
    with watched() as calls:
        run(runner, monkeypatch, "run-2")
    assert "BatchGetSecretValue" not in calls.made
    clock.now += 1
    run(runner, monkeypatch, "run-3")
    assert [config["api-key"] for config in runner.configs] == [SECRET, SECRET, "rotated"]


def fail_with(context: AgentRunContext) -> AgentRunResult:
    data = {"code": "runner.error", "message": f"401 for key {context.config['api-key']}", "retryable": False}
    return AgentRunResult(run_id=context.run_id, type="run.failed", data=data)


def raise_it(context: AgentRunContext) -> None:
    raise RuntimeError(f"401 for key {context.config['api-key']}") from ValueError(repr(context))


def log_it(context: AgentRunContext) -> None:
    logging.getLogger("yarrow.runners.acme").warning("sent %s", context.config["api-key"])
    text = f"sent {context.config!r}"
    logging.getLogger("acme").warning(text)


@pytest.mark.parametrize("act", [fail_with, raise_it, log_it])
def test_the_value_is_kept_nowhere(
    act: Callable[[AgentRunContext], AgentRunResult | None], monkeypatch: pytest.MonkeyPatch, log: LogLines
) -> None:
    """SEC-05: not in the table (grant, run, events, history), the bucket, the log, nor in what the client is told."""
    store("coze/api-key", SECRET)
    store("n8n", "another")
    run(Shown(act), monkeypatch)
    items = boto3.client("dynamodb").scan(TableName=settings.table_name)["Items"]
    assert SECRET not in json.dumps(items, default=str)
    assert SECRET not in log.text
    assert "[secret]" in log.text + json.dumps(items, default=str)
    assert boto3.client("s3").list_objects_v2(Bucket=settings.bucket_name)["KeyCount"] == 0


def test_what_is_made_of_the_config_to_cache_by_does_not_depend_on_the_value(monkeypatch: pytest.MonkeyPatch) -> None:
    """RNR-23, SEC-05: a hash of a secret would let it be guessed."""
    store("n8n", "another")
    runner = Shown()
    for value in (SECRET, "rotated"):
        store("coze/api-key", value)
        monkeypatch.setattr(secrets, "_cache", {})
        run(runner, monkeypatch, f"run-{value}")
    assert len(runner.hashes) == 1


def test_a_secret_that_is_missing_ends_the_run_and_is_named(monkeypatch: pytest.MonkeyPatch, log: LogLines) -> None:
    """RNR-26, RNR-40: before the runner is called; the other one's value stays unsaid."""
    store("n8n", SECRET)
    runner = Shown()
    end = ending_of(run(runner, monkeypatch))
    assert runner.configs == []
    assert (end["code"], end["message"]) == (
        "runner.secret_missing",
        "the agent's secret coze/api-key is not available",
    )
    (line,) = [record for record in log.records if record["message"] == "a secret cannot be read"]
    assert (line["secret_name"], line["cause"]) == ("coze/api-key", "ResourceNotFoundException")
    assert SECRET not in log.text
    store("coze/api-key", "there now")
    run(runner, monkeypatch, "run-2")
    assert len(runner.configs) == 1


def test_where_secrets_manager_does_not_answer_the_execution_tries_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """CMP-11: that says nothing of the agent."""
    store("coze/api-key", SECRET)
    store("n8n", "another")
    install(monkeypatch, Shown)
    run_key = submit().task_id
    with watched() as calls:
        calls.reset(_place_of("BatchGetSecretValue"), refused)
        with pytest.raises(ClientError):
            execute_run.work(run_key)
    execute_run.work(run_key)
    assert ending_of(run_key)["type"] == "RUN_FINISHED"


def _place_of(operation: str) -> int:
    """Which call of a run's work is this one: of another run that does the same."""
    run_key = submit(runId="probe", threadId=THREAD.replace("5", "6")).task_id
    with watched() as calls:
        execute_run.work(run_key)
    secrets._cache.clear()
    return calls.made.index(operation) + 1


def test_on_one_machine_they_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """RNR-26: and AWS is not asked."""
    monkeypatch.setitem(settings.__dict__, "runner_secrets", "")
    monkeypatch.setenv("RUNNER_SECRET_COZE_API_KEY", SECRET)
    runner = Shown()
    with watched() as calls:
        end = ending_of(run(runner, monkeypatch))
        assert end["message"] == "the agent's secret n8n is not available"
        monkeypatch.setenv("RUNNER_SECRET_N8N", "another")
        run(runner, monkeypatch, "run-2")
    assert "BatchGetSecretValue" not in calls.made
    assert (runner.configs[0]["api-key"], runner.configs[0]["servers"]) == (SECRET, [{"password": "another"}])
