"""The audit record: one of each action, which names things and holds nothing of them."""

import asyncio
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.runners.fake_services import RUNNER, VALID, World, answer, grant, refused
from yarrow.observability.logs import logger

SECRET = "my innermost secret"


class Lines(logging.Handler):
    """Every line that the log would hold, as it would hold it."""

    def __init__(self) -> None:
        super().__init__()
        self.setFormatter(logger.registered_formatter)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))

    def records(self) -> list[dict[str, Any]]:
        return [json.loads(line)["audit"] for line in self.lines if "audit" in json.loads(line)]


@pytest.fixture
def log() -> Iterator[Lines]:
    lines = Lines()
    ours = logging.getLogger(logger.name)
    ours.addHandler(lines)
    yield lines
    ours.removeHandler(lines)


NAMES = {
    "models.invoke": ("llm", "run"),
    "models.stream": ("llm", "run"),
    "models.rerank": ("ranker", "run"),
    "tools.get_detail": ("echo", "run"),
    "tools.call": ("echo", "run"),
    "knowledge.list": (None, "run"),
    "knowledge.retrieve": ("kb", "run"),
    "history.page": ("thread", "conversation"),
    "history.search": (None, "conversation"),
    "events.get": ("event", "conversation"),
    "events.page": (None, "conversation"),
    "artifacts.metadata": ("file", "conversation"),
    "artifacts.read_range": ("file", "conversation"),
    "state.get": ("k", "conversation"),
    "state.set": ("k", "conversation"),
    "state.delete": ("k", "conversation"),
    "state.list": (None, "conversation"),
    "storage.get": ("k", "plugin"),
    "storage.set": ("k", "plugin"),
    "storage.delete": ("k", "plugin"),
    "storage.list": (None, "plugin"),
    "platform.request_action": ("message.edit", "run"),
    "steps.begin": ("pay", "run"),
    "steps.end": ("pay", "run"),
    "steps.leave": (None, "run"),
    "steps.value": (None, "run"),
    "steps.sleep": (None, "run"),
    "steps.wait": (None, "run"),
    "steps.ask": (None, "run"),
}


@pytest.mark.parametrize("action", VALID)
def test_an_action_leaves_one_record(action: str, log: Lines) -> None:
    """RNR-82."""
    ticks = iter(range(1_000))
    api = World().run_api(grant(), clock=lambda: float(next(ticks)))
    asyncio.run(answer(api, action, {"run_id": "run", **VALID[action]}))
    [record] = log.records()
    assert record.pop("duration_ms") >= 1_000
    resource, scope = NAMES[action]
    assert record == {
        "run_id": "run",
        "runner_id": RUNNER,
        "action": action,
        "resource": resource,
        "scope": scope,
        "result": "ok",
    }


@pytest.mark.parametrize(
    ("action", "value", "caller", "expected"),
    [
        ("models.invoke", {"run_id": "run", "model_id": "hidden", "messages": [{"role": "user"}]}, RUNNER,
         ("models.invoke", "hidden", "not_found")),
        ("state.get", {"run_id": "another", "scope": SECRET}, RUNNER, ("state.get", None, "unauthorized")),
        ("state.get", {"run_id": "run", "scope": SECRET}, RUNNER, ("state.get", None, "invalid_argument")),
        ("state.get", {}, "plugin:acme/demo/another", ("state.get", None, "unauthorized")),
        (SECRET, {"run_id": "run"}, RUNNER, ("unknown", None, "invalid_argument")),
    ],
)  # fmt: skip
def test_a_refusal_leaves_its_record_too(action: str, value: Any, caller: str, expected: Any, log: Lines) -> None:
    """RNR-51, RNR-82: the record says who called, not who ought to have."""
    asyncio.run(refused(World().run_api(grant(), caller), action, value))
    [record] = log.records()
    assert (record["action"], record["resource"], record["result"]) == expected
    assert (record["run_id"], record["runner_id"]) == ("run", caller)
    assert SECRET not in "".join(log.lines)


def test_an_interrupted_action_leaves_its_record_too(log: Lines) -> None:
    """RNR-82."""

    async def use() -> None:
        world = World()
        world.gate.clear()
        api = world.run_api(grant())
        calling = asyncio.create_task(api.call("tools.call", {"run_id": "run", **VALID["tools.call"]}))
        await world.arrivals(1)
        calling.cancel()
        await asyncio.gather(calling, return_exceptions=True)

    asyncio.run(use())
    assert [record["result"] for record in log.records()] == ["cancelled"]


SECRETS: dict[str, dict[str, Any]] = {
    "models.invoke": {"model_id": "llm", "messages": [{"role": "user", "content": SECRET}]},
    "models.stream": {"model_id": "llm", "messages": [{"role": "user", "content": SECRET}]},
    "models.rerank": {"model_id": "ranker", "query": SECRET, "documents": [SECRET]},
    "tools.call": {"tool_name": "echo", "parameters": {"text": SECRET}},
    "knowledge.retrieve": {"kb_id": "kb", "query_text": SECRET, "filters": {"author": SECRET}},
    "history.search": {"query": SECRET},
    "state.set": {"scope": "actor", "key": "k", "value": SECRET},
    "platform.request_action": {"action": "message.edit", "payload": {"text": SECRET}},
}


@pytest.mark.parametrize("action", SECRETS)
def test_nothing_of_what_is_said_is_logged(action: str, log: Lines) -> None:
    """RNR-82: neither what is asked nor what is answered."""
    asyncio.run(answer(World(SECRET).run_api(grant()), action, {"run_id": "run", **SECRETS[action]}))
    assert len(log.lines) == 1
    assert SECRET not in log.lines[0]


def test_what_went_wrong_inside_is_logged_and_not_told(log: Lines) -> None:
    """RNR-62, SEC-05: where it was raised and its kind; its words may quote anything."""
    api = World(error=RuntimeError("table yarrow is on fire")).run_api(grant())
    error = asyncio.run(refused(api, "state.get", {"run_id": "run", **VALID["state.get"]}))
    assert "fire" not in error.model_dump_json()
    assert any("raise self.error" in line and "RuntimeError" in line for line in log.lines)
    assert "fire" not in "".join(log.lines)
