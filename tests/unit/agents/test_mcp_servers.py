"""MCP servers in the agents' file (MCP-01)."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from yarrow.agents.deployment_checks import check_tools
from yarrow.agents.descriptors import SystemAgentsError
from yarrow.agents.mcp_servers import tool_name
from yarrow.agents.system_agents import SystemAgent, load

SERVER: dict[str, Any] = {"url": "https://mcp.example.com/mcp", "tools": ["find"]}


def loaded(folder: Path, mcp: Any, **members: Any) -> SystemAgent:
    block = {"runner": "plugin:yarrow/assistant/default", "modes": {"chat": {}}, "mcp": mcp, **members}
    file = folder / "agents.yaml"
    file.write_text(yaml.safe_dump({"agents": {"a": block}}), encoding="utf-8")
    return load(file)["a"]


def test_tools_of_servers_are_tools_of_the_agent(tmp_path: Path) -> None:
    """With their approvals; a mode or a job names them as any other."""
    tools = ["find", {"id": "files/delete", "approval": "always"}]
    agent = loaded(tmp_path, {"docs": {**SERVER, "tools": tools}}, modes={"chat": {"enabled_tools": ["docs_find"]}})
    plain, deleting = agent.resources.tools
    assert (plain.id, plain.approval) == ("docs_find", "never")
    assert deleting.approval == "always"
    assert agent.descriptor("a").tools == tuple(sorted([plain.id, deleting.id]))
    assert agent.runtime_config("chat").enabled_tools == ("docs_find",)


@given(st.from_regex(r"[a-z0-9][a-z0-9-]{0,31}", fullmatch=True), st.text(min_size=1, max_size=128))
def test_a_name_is_one_that_every_provider_takes(server: str, tool: str) -> None:
    name = tool_name(server, tool)
    assert 1 <= len(name) <= 64
    assert name.replace("_", "").replace("-", "").isascii()
    assert name == tool_name(server, tool)


def test_names_that_had_to_be_changed_stay_apart() -> None:
    names = {tool_name("docs", tool) for tool in ("a.b", "a/b", "a_b", "a b", "文件", "文献", "x" * 100, "x" * 101)}
    assert len(names) == 8


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"url": "ftp://example.com"}, "no http"),
        ({"url": "https://user:pass@example.com/"}, "without user"),
        ({"url": "mcp.example.com"}, "no http"),
        ({"tools": []}, "tools"),
        ({"tools": ["find", "find"]}, "twice"),
        ({"tools": [f"t{number}" for number in range(33)]}, "32"),
        ({"headers": {"Authorization": "Bearer eyJhbGciOiJIUzI1NiJ9.e30.c2ln"}}, "looks like a secret"),
        ({"headers": {"X-Api-Key": "plain"}}, "looks like a secret"),
        ({"headers": {"Mcp-Session-Id": "x"}}, "set by the protocol"),
        ({"headers": {"Content-Type": "x"}}, "set by the protocol"),
        ({"headers": {"X-Number": 7}}, "a text or"),
        ({"headers": {"Authorization": "Bearer abc"}}, "looks like a secret"),
        ({"headers": {"X": {"scret": "name"}}}, "a text or"),
        ({"headers": {"X": "a\r\nY: b"}}, "printable"),
        ({"headers": {"X-A": "1", "x-a": "2"}}, "twice"),
        ({"url": "https://mcp.example.com/?api_key=sk-abcdefghijklmnopqrst"}, "looks like a secret"),
        ({"seconds": 51}, "seconds"),
        ({"seconds": 0}, "seconds"),
        ({"retry": "safe"}, "retry"),
    ],
)
def test_a_wrong_block_is_refused_with_its_place(tmp_path: Path, change: dict[str, Any], why: str) -> None:
    with pytest.raises(SystemAgentsError, match=why):
        loaded(tmp_path, {"docs": {**SERVER, **change}})


def test_operations_of_a_tool_are_kept(tmp_path: Path) -> None:
    """One that may only be described is not called."""
    agent = loaded(tmp_path, {"docs": {**SERVER, "tools": [{"id": "find", "operations": ["detail"]}]}})
    assert agent.resources.tools[0].operations == ("detail",)


def test_a_condition_that_is_no_schema_is_refused_at_the_start(tmp_path: Path) -> None:
    tool = {"id": "pay", "approval": {"when": {"amount": {"type": "nmber"}}}}
    agents = {"a": loaded(tmp_path, {"docs": {**SERVER, "tools": [tool]}})}
    with pytest.raises(SystemAgentsError, match=r"agents\.a\.mcp: docs_pay: when\.amount"):
        check_tools(agents, lambda _: None)


def test_a_tool_of_the_host_keeps_its_name(tmp_path: Path) -> None:
    with pytest.raises(SystemAgentsError, match="is the name of a tool of the host"):
        loaded(tmp_path, {"user": {**SERVER, "tools": ["lookup"]}}, resources={"tools": ["user_lookup"]})


def test_a_mode_names_tools_that_there_are(tmp_path: Path) -> None:
    with pytest.raises(SystemAgentsError, match="does not list docs_lose"):
        loaded(tmp_path, {"docs": SERVER}, modes={"chat": {"enabled_tools": ["docs_lose"]}})
