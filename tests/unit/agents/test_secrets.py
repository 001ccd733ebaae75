"""Secrets that an agent's config names: what a reference is, and what is refused."""

from typing import Any

import pytest

from yarrow.agents import secrets
from yarrow.agents.system_agents import SystemAgent

NAMED = {
    "api-key": {"secret": "coze/api-key"},
    "servers": [{"url": "https://a", "auth": {"basic-password": {"secret": "n8n.password"}}}, "plain"],
    "depth": 1,
}


def agent(config: dict[str, Any], modes: Any = None) -> SystemAgent:
    block = {"runner": "plugin:acme/echo/default", "modes": modes or {"chat": {}}, "config": config}
    return SystemAgent.model_validate(block)


def test_references_are_found_and_filled_wherever_they_are() -> None:
    """RNR-26: and nothing else is changed, the config itself included."""
    assert secrets.names(NAMED) == {"coze/api-key", "n8n.password"}
    assert secrets.filled(NAMED, {"coze/api-key": "one", "n8n.password": "two"}) == {
        "api-key": "one",
        "servers": [{"url": "https://a", "auth": {"basic-password": "two"}}, "plain"],
        "depth": 1,
    }
    assert NAMED["api-key"] == {"secret": "coze/api-key"}


def test_an_agent_may_name_secrets_in_its_config_and_its_modes() -> None:
    """RNR-26."""
    modes = {"chat": {"config": {"jwt-secret": {"secret": "jwt"}}}}
    assert secrets.names(agent(NAMED, modes).config_in("chat")) == {"coze/api-key", "n8n.password", "jwt"}


@pytest.mark.parametrize("name", ["", "/a", "a/", "a b", "a*", "../a", "a" * 65, "${a}", "arn:aws:x", 7, None, ["a"]])
def test_what_is_no_name_is_refused(name: Any) -> None:
    """SEC-07: it is a part of what IAM is asked for."""
    with pytest.raises(ValueError, match=r"config\.api-key: the name of a secret must"):
        agent({"api-key": {"secret": name}})


@pytest.mark.parametrize(
    ("config", "member"),
    [
        ({"api-key": "x"}, "api-key"),
        ({"secret": "x"}, "secret"),
        ({"auth": {"secret": "x", "id": 1}}, "secret"),
        ({"a": [{"b": {"basic-password": "x"}}]}, "basic-password"),
        ({"key": "sk-" + "a1" * 12}, "key"),
        ({"headers": [{"X-Auth": "Bearer eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln"}]}, "X-Auth"),
        ({"endpoints": ["https://n8n:hunter2@flows.example/hook"]}, "0"),
        ({"aws": "AKIA" + "ABCD" * 4}, "aws"),
        ({"pem": "-----BEGIN RSA PRIVATE KEY-----\nMII"}, "pem"),
    ],
)
def test_a_plain_value_is_refused_and_the_way_is_named(config: dict[str, Any], member: str) -> None:
    """SEC-05, RNR-26."""
    with pytest.raises(ValueError, match=rf"config\.{member} looks like a secret: .*\{{secret: NAME\}}"):
        agent(config)


@pytest.mark.parametrize(
    "text",
    [
        "https://api.example:8443/v1?at=a@b",
        "Ask for sk-tasks, never for a bearer of keys.",
        "eyJust.a.word",
        "risk-" * 9,
    ],
)
def test_what_only_resembles_a_secret_is_a_plain_value(text: str) -> None:
    assert agent({"prompt": text}).config == {"prompt": text}
