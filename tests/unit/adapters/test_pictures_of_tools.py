"""AGT-02, MCP-01: pictures that tools return reach the model of each framework, and its clients."""

import base64
import importlib
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest

from tests.support.models import responses_format
from tests.support.models.server import serving
from tests.support.small_pictures import png
from yarrow.protocol.runner.api import AgentAPIException
from yarrow.protocol.runner.models import InstalledRunner
from yarrow.testing import call, fake_model, run
from yarrow.testing.host import MemoryHost

PICTURE = png(2, 2)
ENCODED = base64.b64encode(PICTURE).decode()
TEXT = {"type": "text", "text": "Here it is."}


class Photographer(MemoryHost):
    """A host whose tool `photo` returns a picture that the run may read, if `readable`."""

    readable = True

    async def call(self, action: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        match action:
            case "tools.call":
                picture = {"type": "artifact", "artifact_id": "a1", "mime_type": "image/png"}
                return {"result": {"width": 2}, "contents": [TEXT, picture]}
            case "artifacts.metadata" if self.readable:
                about = {"artifact_id": "a1", "artifact_type": "image", "mime_type": "image/png", "created_at": ""}
                return {**about, "size_bytes": len(PICTURE)}
            case "artifacts.read_range" if self.readable:
                return {
                    "artifact_id": "a1",
                    "content_base64": ENCODED,
                    "offset": 0,
                    "length": len(PICTURE),
                    "has_more": False,
                }
            case "artifacts.metadata":
                raise AgentAPIException("unauthorized", "not granted")
        return await super().call(action, arguments)


def http_client() -> Any:
    """Make a client that keeps no connections, since no agent closes it."""
    import httpx2
    from openai import DefaultAsyncHttpxClient

    return DefaultAsyncHttpxClient(limits=httpx2.Limits(max_keepalive_connections=0))


def client() -> Any:
    from openai import AsyncOpenAI

    return AsyncOpenAI(http_client=http_client())


def pydantic_ai_agent() -> Any:
    from pydantic_ai import Agent
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    return Agent(OpenAIChatModel("model", provider=OpenAIProvider(openai_client=client())))


def pydantic_ai(photo: Callable[[], Any] | None) -> InstalledRunner:
    from pydantic_ai import BinaryContent

    from yarrow.adapters.pydantic_ai import runner

    agent = pydantic_ai_agent()
    if photo:

        @agent.tool_plain(name="photo")
        def taken() -> Any:
            return ["Here it is.", BinaryContent(photo(), media_type="image/png")]

    return runner(agent, id="plugin:tests/pictures/default", label="Pictures")


def openai_agents(photo: Callable[[], Any] | None) -> InstalledRunner:
    from agents import Agent, OpenAIResponsesModel, ToolOutputImage, ToolOutputText, function_tool

    from yarrow.adapters.openai_agents import runner

    @function_tool(name_override="photo")
    def taken() -> list[ToolOutputText | ToolOutputImage]:
        assert photo is not None
        url = f"data:image/png;base64,{base64.b64encode(photo()).decode()}"
        return [ToolOutputText(text="Here it is."), ToolOutputImage(image_url=url)]

    model = OpenAIResponsesModel("model", client())
    agent = Agent(name="Pictures", model=model, tools=[taken] if photo else [])
    return runner(agent, id="plugin:tests/pictures/default", label="Pictures")


def strands(photo: Callable[[], Any] | None) -> InstalledRunner:
    from strands import Agent, tool
    from strands.models.openai import OpenAIModel

    from yarrow.adapters.strands import runner

    @tool(name="photo")
    def taken() -> Any:
        """Take a photo."""
        assert photo is not None
        image = {"image": {"format": "png", "source": {"bytes": photo()}}}
        return {"status": "success", "content": [{"text": "Here it is."}, image]}

    agent = Agent(model=OpenAIModel(client(), model_id="model"), tools=[taken] if photo else [])
    return runner(agent, id="plugin:tests/pictures/default", label="Pictures")


def langgraph(photo: Callable[[], Any] | None) -> InstalledRunner:
    from langchain_core.tools import StructuredTool
    from langchain_openai import ChatOpenAI
    from langgraph.graph import START, MessagesState, StateGraph
    from langgraph.prebuilt import ToolNode, tools_condition

    from yarrow.adapters.langgraph import runner

    def taken() -> list[dict[str, str]]:
        """Take a photo."""
        assert photo is not None
        image = {"type": "image", "base64": base64.b64encode(photo()).decode(), "mime_type": "image/png"}
        return [{"type": "text", "text": "Here it is."}, image]

    tool = StructuredTool.from_function(taken, name="photo")
    model = ChatOpenAI(model="model", use_responses_api=True, http_async_client=http_client()).bind_tools([tool])

    async def answer(state: MessagesState) -> dict[str, Any]:
        return {"messages": [await model.ainvoke(state["messages"])]}

    builder = StateGraph(MessagesState).add_node("answer", answer).add_node("tools", ToolNode([tool]))
    builder.add_edge(START, "answer").add_conditional_edges("answer", tools_condition).add_edge("tools", "answer")
    return runner(builder.compile(), id="plugin:tests/pictures/default", label="Pictures")


def agui(photo: Callable[[], Any] | None) -> InstalledRunner:
    from pydantic_ai.ui.ag_ui import AGUIAdapter

    from yarrow.adapters.agui import runner

    agent = pydantic_ai_agent()
    assert photo is None
    return runner(lambda body: AGUIAdapter(agent, body).run_stream(), id="plugin:tests/pictures/default", label="P")


MAKERS: tuple[Callable[[Callable[[], Any] | None], InstalledRunner], ...] = (pydantic_ai, openai_agents, strands, agui)


@pytest.fixture(params=MAKERS, ids=lambda maker: maker.__name__)
def make(request: pytest.FixtureRequest) -> Callable[[Callable[[], Any] | None], InstalledRunner]:
    pytest.importorskip(
        {"openai_agents": "agents", "strands": "strands", "langgraph": "langgraph"}.get(
            request.param.__name__, "pydantic_ai"
        )
    )
    made: Callable[[Callable[[], Any] | None], InstalledRunner] = request.param
    return made


@contextmanager
def model_of(make: Any) -> Iterator[tuple[str, Callable[[], str]]]:
    """A model that calls `photo`: its address, and what it was asked last. Responses have pictures in outputs of calls,
    which the SDK leaves out of chat completions.
    """
    if make in (langgraph, openai_agents):
        with serving() as provider:
            provider.will(responses_format.called(("call_1", "photo", "{}")), responses_format.said("Seen."))
            yield f"{provider.address}/v1", lambda: json.dumps(provider.last_body)
    else:
        with fake_model(call("photo"), "Seen.") as model:
            yield model.url, lambda: json.dumps(model.requests[-1])


def asked(make: Any, monkeypatch: pytest.MonkeyPatch, photo: Any) -> tuple[dict[str, Any], str]:
    """The result as clients get it, and what the model is asked with it. Without a `photo`, the host has the tool."""
    monkeypatch.setattr(importlib.import_module("yarrow.testing.run"), "MemoryHost", Photographer)
    with model_of(make) as (url, request):
        monkeypatch.setenv("OPENAI_BASE_URL", url)
        monkeypatch.setenv("OPENAI_API_KEY", "key")
        ran = run(make(photo), "Take a photo.", tools={} if photo else {"photo": lambda: None})
        assert (ran.failure, ran.text) == (None, "Seen.")
        (shown,) = (result.data for result in ran.results if result.type == "tool.call.completed")
        return shown, request()


def test_a_picture_of_the_hosts_tool(make: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The model gets its bytes, clients its handle."""
    shown, request = asked(make, monkeypatch, None)
    source = {"type": "file", "value": "a1", "provider": "yarrow", "mimeType": "image/png"}
    assert (shown["result"], shown["content"]) == ({"width": 2}, [TEXT, {"type": "image", "source": source}])
    assert request.count(ENCODED) == 1
    assert "Here it is." in request


def test_a_picture_that_the_run_may_not_read_is_named(make: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Photographer, "readable", False)
    _, request = asked(make, monkeypatch, None)
    assert ENCODED not in request
    assert "(image left out, for it cannot be opened here)" in request


@pytest.mark.parametrize("make", [pydantic_ai, langgraph, openai_agents, strands], indirect=True)
def test_a_picture_of_the_agents_own_tool(make: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    shown, request = asked(make, monkeypatch, lambda: PICTURE)
    source = {"type": "data", "mimeType": "image/png", "value": ENCODED}
    assert shown["content"] == [TEXT, {"type": "image", "source": source}]
    assert request.count(ENCODED) == 1
