"""What AG-UI clients may know of an agent: from its manifest, its own words, its block and the host."""

import dataclasses
import json
from collections.abc import Callable, Mapping
from typing import Any

import ag_ui.core
import pytest
from pydantic import ValidationError

from tests.support.log_lines import LogLines
from tests.support.system_agents import RUNNER, agent
from yarrow.agents.capabilities import capabilities_of
from yarrow.agents.system_agents import SystemAgent
from yarrow.protocol.response_body import to_json
from yarrow.protocol.runner.manifest import AgentRunnerCapabilities, AgentRunnerManifest, AgentRunnerPermissions
from yarrow.protocol.runner.models import InstalledRunner
from yarrow.runners import discovery
from yarrow.runners.discovery import Candidate
from yarrow.runs.get_capabilities import get_capabilities
from yarrow.services.tools import details
from yarrow.services.tools.builtin import TOOLS
from yarrow.settings import settings

Document = dict[str, Any]
Install = Callable[[InstalledRunner], None]

ORACLE = InstalledRunner(
    AgentRunnerManifest(
        id=RUNNER,
        name="default",
        label={"en_US": "Oracle", "zh_Hans": "神谕", "zh_Hant": "神諭"},
        description={"en_US": "Knows."},
        capabilities=AgentRunnerCapabilities(tool_calling=True, multimodal_input=True),
        permissions=AgentRunnerPermissions(tools=("call", "detail")),
    ),
    create=lambda: pytest.fail("nobody runs it"),
)


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Install:
    """Install a runner, as the only one beside the bundled ones."""

    def as_candidate(runner: InstalledRunner) -> None:
        monkeypatch.setattr(discovery, "entry_points", lambda: iter([Candidate("oracle", lambda: runner, "oracle")]))

    return as_candidate


def told(block: SystemAgent, locale: str = "en") -> Document:
    """Return the capabilities as clients read them, which the SDK has to know."""
    document: Document = json.loads(to_json(capabilities_of("oracle", block, details.find, locale)))
    return known(document)


def known(document: Document) -> Document:
    """Return the document if AG-UI's SDK has all of its members."""
    read = ag_ui.core.AgentCapabilities.model_validate(document)
    assert read.model_dump(by_alias=True, mode="json") == document
    extras = [part.model_extra for part in vars(read).values() if hasattr(part, "model_extra")]
    assert not any(extras)
    assert not read.model_extra
    return document


def speaking(**says: Any) -> InstalledRunner:
    return dataclasses.replace(ORACLE, capabilities=lambda _: says)


@pytest.mark.parametrize("name", ["assistant", "divination", "cast"])
def test_the_bundled_agents_are_told_in_the_words_of_the_sdk(name: str) -> None:
    """EVT-36."""
    found = known(json.loads(to_json(get_capabilities(name, "en"))))
    assert found["identity"]["metadata"]["agent"] == name
    assert found["humanInTheLoop"]["interrupts"]
    assert {item["name"] for item in found["tools"]["items"]} <= TOOLS.names


def test_the_assistant_lists_its_tools_as_models_get_them() -> None:
    """EVT-36: for a client to show what it can do."""
    found = json.loads(to_json(get_capabilities("assistant", "en")))
    (read,) = [item for item in found["tools"]["items"] if item["name"] == "calendar_read"]
    detail = TOOLS.detail("calendar_read")
    assert detail is not None
    assert (read["description"], read["parameters"]) == (detail.description, detail.parameters)
    assert found["state"] == {"snapshots": True, "deltas": True, "memory": True, "persistentState": True}
    assert found["reasoning"] == {"supported": False, "streaming": False, "encrypted": False}
    assert found["execution"] == {"maxIterations": 16, "maxExecutionTime": 300_000}


def test_without_a_name_it_is_the_agent_of_send_message(monkeypatch: pytest.MonkeyPatch) -> None:
    """EVT-36, C36."""
    monkeypatch.setitem(settings.__dict__, "agui_agent", "divination")
    assert json.loads(to_json(get_capabilities(None, "en")))["identity"]["metadata"]["agent"] == "divination"
    monkeypatch.setitem(settings.__dict__, "agui_agent", "gone")
    monkeypatch.setitem(settings.__dict__, "default_agent", "cast")
    assert json.loads(to_json(get_capabilities(None, "en")))["identity"]["metadata"]["agent"] == "cast"


@pytest.mark.parametrize(
    ("locale", "name"),
    [("en-GB", "Oracle"), ("zh-CN", "神谕"), ("zh-Hant-HK", "神諭"), ("zh_TW", "神諭"), ("fr", "Oracle")],
)
def test_its_name_is_in_the_language_of_the_caller(install: Install, locale: str, name: str) -> None:
    """EVT-36."""
    install(ORACLE)
    assert told(agent(), locale)["identity"]["name"] == name


def test_the_manifest_says_what_the_runner_takes(install: Install) -> None:
    """EVT-36."""
    install(ORACLE)
    found = told(agent())
    assert found["tools"] == {"supported": True, "clientProvided": True, "items": []}
    assert found["multimodal"]["input"]["image"]


def test_the_runner_speaks_of_itself_by_its_config(install: Install) -> None:
    """EVT-36: the config is that of the mode in which clients talk with it."""

    def of_config(config: Mapping[str, Any]) -> Document:
        return {"reasoning": {"supported": config["thinks"]}, "custom": {"acme.depth": config["depth"]}}

    install(dataclasses.replace(ORACLE, capabilities=of_config))
    modes = {"follow_up": {"config": {"thinks": False}}, "chat": {"config": {"thinks": True}}}
    found = told(agent(modes=modes, config={"depth": 3}))
    assert (found["reasoning"], found["custom"]) == ({"supported": True}, {"acme.depth": 3})


def test_the_block_has_the_word_over_the_runner_and_the_host_over_both(install: Install) -> None:
    """EVT-36: nobody can promise what the host does not do."""
    install(speaking(reasoning={"supported": True, "streaming": True}, transport={"websocket": True}))
    said = {
        "reasoning": {"streaming": False},
        "transport": {"httpBinary": True},
        "humanInTheLoop": {"interrupts": False, "feedback": True},
    }
    found = told(agent(delivery={"capabilities": said}))
    assert found["reasoning"] == {"supported": True, "streaming": False}
    assert (found["transport"]["websocket"], found["transport"]["httpBinary"]) == (False, False)
    assert (found["humanInTheLoop"]["interrupts"], found["humanInTheLoop"]["feedback"]) == (True, True)


def test_approvals_are_those_of_the_tools_that_the_block_lists(install: Install) -> None:
    """EVT-36, ASK-06."""
    install(ORACLE)
    tools: list[Any] = ["calendar_read"]
    both = ("approvals", "approveWithEdits")
    assert [told(agent(resources={"tools": tools}))["humanInTheLoop"][name] for name in both] == [False, False]
    tools.append({"id": "calendar_write", "approval": "once_per_session"})
    assert [told(agent(resources={"tools": tools}))["humanInTheLoop"][name] for name in both] == [True, False]
    tools.append({"id": "calendar_delete", "approval": "always", "allow_edit": True})
    assert [told(agent(resources={"tools": tools}))["humanInTheLoop"][name] for name in both] == [True, True]


def test_only_tools_that_a_chat_may_call_are_listed(install: Install) -> None:
    """EVT-36: by the mode, by the operations, and by what the runner may ask for."""
    install(ORACLE)
    tools = ["calendar_read", "calendar_write", {"id": "user_lookup", "operations": ["detail"]}]
    block = agent(modes={"chat": {"enabled_tools": ["calendar_read", "user_lookup"]}}, resources={"tools": tools})
    assert [item["name"] for item in told(block)["tools"]["items"]] == ["calendar_read"]
    silent = ORACLE.manifest.model_copy(update={"permissions": AgentRunnerPermissions()})
    install(dataclasses.replace(ORACLE, manifest=silent))
    assert told(block)["tools"]["items"] == []


def test_tools_of_mcp_servers_are_left_out(install: Install) -> None:
    """EVT-36, MCP-01: their servers are asked when a run begins."""
    install(ORACLE)
    block = agent(mcp={"docs": {"url": "https://mcp.example.com/mcp", "tools": ["find"]}}).with_mcp_tools()
    assert told(block)["tools"]["items"] == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"reasoning": {"supported": "yes"}},
        {"thinking": {}},
        {"tools": {"items": [{"name": "a"}]}},
        {"state": {"deltas": True, "versions": 3}},
    ],
)
def test_capabilities_that_agui_does_not_have_are_refused_in_a_block(wrong: Document) -> None:
    """EVT-36, AUT-05."""
    with pytest.raises(ValidationError, match="capabilities"):
        agent(delivery={"capabilities": wrong})


@pytest.mark.parametrize("fault", [{"thinking": True}, {"reasoning": 7}, ValueError("no")])
def test_a_runner_that_says_nonsense_is_not_heard(install: Install, fault: Any) -> None:
    """EVT-36: what the others say stays."""

    def say(_: Mapping[str, Any]) -> Document:
        if isinstance(fault, Exception):
            raise fault
        return dict(fault)

    install(dataclasses.replace(ORACLE, capabilities=say))
    with LogLines.captured() as log:
        assert told(agent())["identity"]["name"] == "Oracle"
    (line,) = log.records
    assert (line["message"], line["runner"]) == ("a runner's capabilities were ignored", RUNNER)


def test_of_a_runner_that_is_not_here_the_block_and_the_host_speak() -> None:
    """EVT-36: a remote runner is not called for this."""
    block = agent(delivery={"capabilities": {"identity": {"name": "Far away"}}}, resources={"tools": ["calendar_read"]})
    found = told(block)
    assert found["identity"]["name"] == "Far away"
    assert [item["name"] for item in found["tools"]["items"]] == ["calendar_read"]
    assert "multimodal" not in found
