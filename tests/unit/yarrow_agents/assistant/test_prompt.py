"""What the assistant tells its model of itself and of the user, and which model that is."""

import time
from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.runners.assistant import Host, context, results, say
from yarrow.protocol.runner.models import AdapterContext, AgentInput, AgentResources
from yarrow.protocol.runner.resources import ModelResource
from yarrow.worker.invocation.registry import registry
from yarrow_agents.assistant.configuration import FORM, Configuration
from yarrow_agents.assistant.runner import RUNNER


@pytest.fixture(params=["America/Los_Angeles", "Asia/Kolkata"])
def server(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def prompt(**members: Any) -> str:
    host = Host(say("hi"))
    results(host, context(**members))
    return host.prompt()


@pytest.mark.parametrize(
    ("locale", "beginning", "named"),
    [
        ("en-GB", "You are a helpful assistant", "en-GB"),
        ("fr", "You are a helpful assistant", "fr"),
        ("zh-CN", "你是一个乐于助人的助手", "zh-CN"),
        ("zh_TW", "你是一个乐于助人的助手", "zh_TW"),
        (None, "你是一个乐于助人的助手", "zh-CN"),
    ],
)
def test_the_prompt_is_in_the_user_s_language(locale: str | None, beginning: str, named: str) -> None:
    """RNR-23: and names it, for the answer."""
    text = prompt(locale=locale)
    assert text.startswith(beginning)
    assert named in text


@pytest.mark.usefixtures("server")
def test_the_model_knows_where_and_when_the_user_is() -> None:
    """FWD-07, FWD-09: as the user's clocks show it, wherever the server stands."""
    assert "2026-03-16T17:12+08:00 there, a Monday" in prompt()
    assert "2026-03-16T02:12-07:00，星期一" in prompt(locale="zh", timezone="America/Los_Angeles")
    assert "UTC" in prompt(timezone="Mars/Olympus")


def test_an_agent_may_have_instructions_of_its_own() -> None:
    """RNR-26: They replace the assistant's; the facts of the run stay."""
    text = prompt(config={"instructions": "You are a pirate."})
    assert text.startswith("You are a pirate.\n")
    assert "helpful" not in text
    assert "Asia/Shanghai" in text


def test_what_the_client_says_of_its_surroundings_is_told_within_measure() -> None:
    """TOOL-02: It is marked as information."""
    entries = [{"description": "page", "value": "/home"}, {"description": "long", "value": "x" * 100_000}]
    text = prompt(adapter=AdapterContext(extra={"context": entries}))
    assert "- page: /home\n- long: xxx" in text
    assert len(text) < 10_000


def test_a_picture_is_shown_to_the_model_by_reference() -> None:
    """RNR-19, MSG-02."""
    parts = ({"type": "text", "text": "what is this?"}, {"type": "artifact", "artifact_id": "art-1"})
    host = Host(say("a cat"))
    results(host, context(input=AgentInput(text="what is this?", contents=parts)))
    assert host.messages()[0]["content"] == list(parts)


@pytest.mark.parametrize(
    ("config", "models", "question"),
    [
        ({}, ["chat", "other"], "chat"),
        ({"model": "other"}, ["chat", "other"], "other"),
        ({"model": "another"}, ["chat"], None),
        ({}, [], None),
    ],
)
def test_the_model_is_the_one_the_agent_names(config: dict[str, Any], models: list[str], question: str | None) -> None:
    """RNR-25, RNR-26: of those that were granted."""
    ranker = ModelResource(model_id="ranker", model_type="rerank")
    resources = AgentResources(models=(ranker, *(ModelResource(model_id=model) for model in models)))
    host = Host(say("hi"))
    events = results(host, context(config=config, resources=resources))
    if question is None:
        assert events[-1][1]["code"] == "runner.no_model"
        assert host.requests == []
    else:
        assert [request["model_id"] for request in host.requests] == [question]


@pytest.mark.parametrize("config", [{"context_tokens": 1}, {"context_tokens": "many"}, {"model": 1}])
def test_a_config_that_is_none_ends_the_run(config: dict[str, Any]) -> None:
    """RNR-40: without a word of what it is."""
    assert results(Host(say("hi")), context(config=config))[-1] == (
        "run.failed",
        {"code": "runner.misconfigured", "message": "the assistant is misconfigured", "retryable": False},
    )


def test_the_form_is_the_config() -> None:
    """RNR-04."""
    assert [item.name for item in FORM] == list(Configuration.model_fields)


def test_the_assistant_is_a_runner_like_any_other() -> None:
    """RNR-01, RNR-02, RNR-07."""
    assert registry.find("plugin:yarrow/assistant/default").manifest == RUNNER.manifest
