"""RNR-08, AGT-02: runners of all frameworks ask for the same, and their block says how much of it they get."""

import importlib
from typing import Any

import pytest

from yarrow.agents.permissions import RunScope, grant
from yarrow.agents.system_agents import SystemAgent
from yarrow.protocol.runner.manifest import AgentRunnerManifest

NAMED = {"id": "plugin:tests/models/default", "label": "Models"}
SCOPE = RunScope("key", "user", "thread", "event", 1.0, frozenset(), ())


def pydantic_ai() -> Any:
    return importlib.import_module("pydantic_ai").Agent("test")


def langgraph() -> Any:
    graph = importlib.import_module("langgraph.graph")
    builder = graph.StateGraph(graph.MessagesState)
    builder.add_node("answer", lambda _state: {})
    return builder.add_edge("__start__", "answer").compile()


def openai_agents() -> Any:
    return importlib.import_module("agents").Agent(name="Models")


def strands() -> Any:
    return lambda _context, _api: None


@pytest.fixture(params=(pydantic_ai, langgraph, openai_agents, strands), ids=lambda make: make.__name__)
def manifest(request: pytest.FixtureRequest) -> AgentRunnerManifest:
    make = request.param
    pytest.importorskip({"openai_agents": "agents"}.get(make.__name__, make.__name__))
    runner = importlib.import_module(f"yarrow.adapters.{make.__name__}").runner
    asked: AgentRunnerManifest = runner(make(), **NAMED).manifest
    return asked


@pytest.mark.parametrize(
    ("resources", "models"),
    [({"models": ["chat"]}, [("chat", ("invoke", "stream"))]), ({}, []), ({"tools": ["get_current_time"]}, [])],
)
def test_a_block_lists_the_models_that_an_agent_may_ask(
    manifest: AgentRunnerManifest, resources: dict[str, Any], models: list[tuple[str, tuple[str, ...]]]
) -> None:
    block = {"runner": manifest.id, "modes": {"chat": {}}, "resources": resources}
    granted = grant(manifest, "models", SystemAgent.model_validate(block), SCOPE, lambda _: None)
    assert [(model.model_id, model.operations) for model in granted.resources.models] == models
