"""AGT-03: the assistant searches the knowledge bases that its block names."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from tests.support.runners.assistant import Host, ask, backend, context, frontend, of_type, results, say, types
from yarrow.protocol.runner.api import AgentAPIException
from yarrow.protocol.runner.models import AgentResources, AgentRunContext
from yarrow.protocol.runner.resources import KnowledgeBaseResource, ModelResource, ToolResource

TIDES = [("high", 0.9, {"topic": "tides"}), ("neap", 0.4, {})]
STARS: list[tuple[str, float, dict[str, Any]]] = [("pole", 0.7, {})]


class Library(Host):
    """A host with knowledge bases. `queries` are the searches: base, query and number of passages."""

    def __init__(self, *scripts: Any, **bases: Any) -> None:
        super().__init__(*scripts, look="seen")
        self.queries: list[tuple[str, str, int]] = []
        self._bases = bases

    async def call(self, action: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        if action != "knowledge.retrieve":
            return await super().call(action, arguments)
        kb_id = arguments["kb_id"]
        self.queries.append((kb_id, arguments["query_text"], arguments["top_k"]))
        if isinstance(self._bases[kb_id], Exception):
            raise self._bases[kb_id]
        return {
            "results": [
                {"document_id": name, "content": f"About {name}.", "score": score, "metadata": metadata}
                for name, score, metadata in self._bases[kb_id]
            ]
        }


def granted(*bases: str, tools: tuple[ToolResource, ...] = ()) -> AgentRunContext:
    resources = AgentResources(
        models=(ModelResource(model_id="chat"),),
        tools=tools,
        knowledge_bases=tuple(KnowledgeBaseResource(kb_id=name) for name in bases),
    )
    return context("When is high tide?", resources=resources)


def search(**arguments: Any) -> Any:
    return ask("search_knowledge", json.dumps(arguments))


def read(host: Host) -> Any:
    """What the model reads as the result."""
    return json.loads(host.messages()[-1]["content"])


def test_the_model_searches_and_answers_in_the_same_run() -> None:
    """AGT-03."""
    host = Library(say(calls=[search(query="high tide")]), say("At noon."), tides=TIDES)
    events = results(host, granted("tides"))
    assert types(events) == "call.started call.completed delta completed run.completed"
    assert host.offered(0) == ["search_knowledge"]
    assert host.queries == [("tides", "high tide", 5)]
    assert read(host) == {
        "passages": [
            {"knowledge_base": "tides", "id": "high", "content": "About high.", "metadata": {"topic": "tides"}},
            {"knowledge_base": "tides", "id": "neap", "content": "About neap."},
        ]
    }


def test_all_bases_are_searched_and_the_closest_passages_come_first() -> None:
    host = Library(say(calls=[search(query="q")]), say("done"), tides=TIDES, stars=STARS)
    results(host, granted("tides", "stars"))
    assert [passage["id"] for passage in read(host)["passages"]] == ["high", "pole", "neap"]


def test_the_model_may_name_one_of_several_bases() -> None:
    host = Library(say(calls=[search(query="q", knowledge_base="stars")]), say("done"), tides=TIDES, stars=STARS)
    results(host, granted("tides", "stars"))
    assert [kb_id for kb_id, _, _ in host.queries] == ["stars"]
    (tool,) = host.requests[0]["tools"]
    assert tool["parameters"]["properties"]["knowledge_base"]["enum"] == ["tides", "stars"]


@pytest.mark.parametrize(
    "arguments",
    [{}, {"query": ""}, {"query": "  "}, {"query": 7}, {"query": "q" * 1_001}, {"query": "q", "knowledge_base": "x"}],
)
def test_wrong_arguments_are_answered_to_the_model(arguments: dict[str, Any]) -> None:
    host = Library(say(calls=[search(**arguments)]), say("done"), tides=TIDES, stars=STARS)
    results(host, granted("tides", "stars"))
    assert host.queries == []
    assert "error" in read(host)


def test_a_base_that_cannot_be_searched_is_an_answer() -> None:
    host = Library(
        say(calls=[search(query="q")]), say("done"), tides=AgentAPIException("runtime_error", "it is out of order")
    )
    events = results(host, granted("tides"))
    assert read(host) == {"error": "it is out of order"}
    assert of_type(events, "run.completed")


def test_searches_and_tools_of_one_answer_are_made_side_by_side() -> None:
    host = Library(say(calls=[ask("look"), search(query="q")]), say("done"), tides=TIDES)
    events = results(host, granted("tides", tools=(backend("look"),)))
    assert len(of_type(events, "tool.call.completed")) == 2


def test_without_a_base_nothing_is_offered_and_a_clients_tool_of_the_name_goes_first() -> None:
    host = Library(say("hello"))
    results(host, granted())
    assert host.offered(0) == []
    host = Library(say("hello"), tides=TIDES)
    results(host, granted("tides", tools=(frontend("search_knowledge"),)))
    assert host.offered(0) == ["search_knowledge"]
    assert host.requests[0]["tools"][0]["description"] == "asks search_knowledge"
