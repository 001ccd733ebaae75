"""CUSTOM events under names of others, such as those that CopilotKit knows (EVT-35)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from pydantic import ValidationError

from tests.support.divination_runs import execute, submit
from tests.support.journals import stored
from tests.support.runners.scripted import DONE, Scripted, install
from yarrow.agents import bindings
from yarrow.agents.policies import DeliveryPolicy
from yarrow.worker import execute_run

pytestmark = [pytest.mark.usefixtures("aws"), pytest.mark.memory]

PREDICTS: Mapping[str, Any] = {
    "name": "PredictState",
    "value": [{"state_key": "recipe", "tool": "write_recipe", "tool_argument": "recipe"}],
}


def _allow(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    agents = bindings.deployed()
    policy = agents["divination"].policy
    delivery = policy.delivery.model_copy(update={"custom_events": names})
    allowed = replace(agents["divination"], _policy=policy.model_copy(update={"delivery": delivery}))
    monkeypatch.setitem(agents, "divination", allowed)


def _customs(run_key: str) -> list[dict[str, Any]]:
    return [{"name": event["name"], "value": event["value"]} for event in stored(run_key) if event["type"] == "CUSTOM"]


def test_a_name_that_the_block_allows_is_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """EVT-35: others are left out, and the run goes on."""
    _allow(monkeypatch, "PredictState")
    results = (("custom", dict(PREDICTS)), ("custom", {"name": "on_interrupt", "value": 1}), ("custom", {"value": 1}))
    install(monkeypatch, lambda: Scripted(*results, DONE))
    run_key = submit().task_id
    execute(run_key)
    assert _customs(run_key) == [PREDICTS]
    assert stored(run_key)[-1]["type"] == "RUN_FINISHED"


def test_none_is_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    """EVT-35."""
    install(monkeypatch, lambda: Scripted(("custom", dict(PREDICTS)), DONE))
    run_key = submit().task_id
    execute(run_key)
    assert _customs(run_key) == []


@pytest.mark.usefixtures("unbuffered")
def test_a_worker_that_takes_over_repeats_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """EVT-35, CMP-11."""
    _allow(monkeypatch, "PredictState")
    install(monkeypatch, lambda: Scripted(("custom", dict(PREDICTS)), KeyboardInterrupt()))
    run_key = submit().task_id
    with pytest.raises(KeyboardInterrupt):
        execute_run.work(run_key)
    install(monkeypatch, lambda: Scripted(("custom", dict(PREDICTS)), DONE))
    execute_run.work(run_key)
    assert _customs(run_key) == [PREDICTS]


@pytest.mark.parametrize("name", ["yarrow.divination-derived", "workspace.prompt", "artifact.created", "a b", ""])
def test_names_of_the_host_cannot_be_allowed(name: str) -> None:
    """EVT-35: nobody else sends these."""
    with pytest.raises(ValidationError):
        DeliveryPolicy.model_validate({"custom_events": [name]})
