"""The lines of the page of providers, with a server on loopback in the place of each provider."""

import asyncio
import json
import re
import time
from collections.abc import Callable
from contextlib import aclosing
from importlib.util import find_spec
from typing import NamedTuple

import pytest

from tests.support.models.provider_formats import OpenAI
from tests.support.models.provider_streams import anthropic, gemini
from tests.support.models.server import Answer, ModelServer
from tests.support.paths import ROOT
from yarrow.protocol.runner.api import ModelChunk, ModelMessage, ModelRequest, ModelTool
from yarrow.services.models import parameter
from yarrow.services.models.budget import TokenBudget
from yarrow.services.models.gateway import ModelGateway
from yarrow.services.models.parameter import ModelsError
from yarrow.services.models.provider_model import ProviderModel
from yarrow.settings import settings

PAGE = (ROOT / "docs/providers.md").read_text(encoding="utf-8")
BLOCKS = dict(re.findall(r"^### ([^\n]+)\n\n```sh\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL))
WEATHER = ModelTool(name="weather", parameters={"type": "object", "properties": {"place": {"type": "string"}}})
CALL = ("weather", {"place": "Oslo"})


class Provider(NamedTuple):
    """How a provider streams an answer, the variable of its address that the page leaves out, and its client."""

    answer: Callable[[], Answer]
    address: str = ""
    module: str = "openai"


def chat_completions() -> Answer:
    wire = OpenAI()
    name, arguments = CALL
    calls = wire.calling(("call-1", name, json.dumps(arguments)))
    return wire.streamed(*wire.begun("Let me", " see."), *calls, *wire.ended("calls"))


PROVIDERS = {
    "Ollama": Provider(chat_completions),
    "vLLM": Provider(chat_completions),
    "LM Studio": Provider(chat_completions),
    "Anthropic": Provider(lambda: anthropic("Let me", " see.", call=CALL), "ANTHROPIC_BASE_URL", "anthropic"),
    "Gemini": Provider(lambda: gemini("Let me", " see.", call=CALL), "GOOGLE_GEMINI_BASE_URL", "google.genai"),
}


def variables(block: str) -> dict[str, str]:
    """Return what a block exports, and its MODELS."""
    found = dict(re.findall(r"\b([A-Z_]+)=(?!')(\S+)", block))
    return {name: value.replace("…", "key") for name, value in found.items()} | {"MODELS": models(block)}


def models(block: str) -> str:
    (text,) = re.findall(r"MODELS='(.*?)'", block)
    return str(text)


def is_installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """An environment without variables of providers."""
    for name in {name for block in BLOCKS.values() for name in variables(block)}:
        monkeypatch.delenv(name, raising=False)
    settings.__dict__.clear()
    return monkeypatch


def asked() -> list[ModelChunk]:
    request = ModelRequest(
        run_id="run",
        model_id="chat",
        messages=(ModelMessage(role="user", content="Will it rain?"),),
        tools=(WEATHER,),
    )

    async def ask() -> list[ModelChunk]:
        gateway = ModelGateway(
            deadline_at=time.time() + 30, budget=TokenBudget(10_000), read_artifact=lambda _: (b"", "image/png")
        )
        async with aclosing(gateway) as opened:
            return [chunk async for chunk in opened.stream(request)]

    return asyncio.run(ask())


@pytest.mark.parametrize("name", PROVIDERS)
def test_the_lines_of_a_provider_lead_to_its_model(name: str, server: ModelServer, alone: pytest.MonkeyPatch) -> None:
    """RNR-52: they pass the check of the start, and the model streams a text and calls a tool."""
    provider = PROVIDERS[name]
    if not is_installed(provider.module):
        pytest.skip(f"needs {name}'s client: {BLOCKS[name].splitlines()[0]}")
    given = variables(BLOCKS[name])
    local = {key: re.sub(r"http://127\.0\.0\.1:\d+", server.address, value) for key, value in given.items()}
    if provider.address:
        local[provider.address] = server.address
    for key, value in local.items():
        alone.setenv(key, value)
    server.will(provider.answer())
    parameter.check()
    *pieces, last = asked()
    assert "".join(piece.content or "" for piece in pieces) == "Let me see."
    assert last.reply is not None
    (call,) = last.reply.message.tool_calls
    assert (call.function.name, json.loads(call.function.arguments)) == CALL
    assert last.reply.usage.output_tokens == 7
    wanted = json.loads(given["MODELS"])["chat"].partition(":")[2]
    path, body = server.requests[-1]
    assert body.get("model", path.partition("/models/")[2].partition(":")[0]) == wanted


def test_openrouter_is_reached_at_its_own_address(alone: pytest.MonkeyPatch) -> None:
    for name, value in variables(BLOCKS["OpenRouter"]).items():
        alone.setenv(name, value)
    parameter.check()
    model = ProviderModel(json.loads(models(BLOCKS["OpenRouter"]))["chat"])
    assert str(model._model.base_url).rstrip("/") == "https://openrouter.ai/api/v1"


@pytest.mark.parametrize("name", BLOCKS)
def test_a_line_that_was_forgotten_is_named_at_the_start(name: str, alone: pytest.MonkeyPatch) -> None:
    """RNR-52: rather than in the first run."""
    alone.setattr(parameter, "_is_installed", lambda _: True)
    given = variables(BLOCKS[name])
    alone.setenv("MODELS", given.pop("MODELS"))
    with pytest.raises(ModelsError, match="needs the variable ") as refused:
        parameter.check()
    assert any(variable in str(refused.value) for variable in given)
    for variable, value in given.items():
        alone.setenv(variable, value)
    parameter.check()


def test_every_provider_of_the_page_is_tested() -> None:
    assert BLOCKS.keys() == PROVIDERS.keys() | {"OpenAI", "OpenRouter"}
