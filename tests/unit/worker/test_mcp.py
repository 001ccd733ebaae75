"""What tools of MCP servers a run is granted (MCP-01)."""

import json
from types import SimpleNamespace
from typing import Any, cast

import pytest

from yarrow.agents.grants import GrantedMcpTool
from yarrow.services.mcp import catalog
from yarrow.services.mcp.wire import Server
from yarrow.store.runner import grants
from yarrow.store.runner.grants import StoredGrant
from yarrow.worker import mcp

FIRST = GrantedMcpTool(server="bank", name="pay", description="as it was", parameters={"type": "object"})
FOUND = {"bank": Server("https://bank.example/mcp", {}, private=False, seconds=1)}
STORED: dict[str, Any] = {
    **dict.fromkeys(("run_id", "runner_id", "binding_id", "user_id", "thread_id", "event_id"), "x"),
    "deadline_at": 0,
    "permissions": {},
    "resources": {},
    "mcp_tools": {"bank_pay": FIRST.model_dump(), "bank_close": FIRST.model_dump()},
}


@pytest.fixture(autouse=True)
def listed(monkeypatch: pytest.MonkeyPatch) -> None:
    async def granted(*_: object) -> dict[str, GrantedMcpTool]:
        return {"bank_pay": FIRST.model_copy(update={"description": "as it is now"})}

    monkeypatch.setattr(catalog, "granted", granted)


def tools(*earlier: str) -> dict[str, str]:
    """The descriptions of the tools that a run is granted, which continues others."""
    run = SimpleNamespace(key="run", earlier=earlier, log_key=earlier[0] if earlier else "run")
    policy = SimpleNamespace(mcp={})
    granted = mcp.granted(cast("Any", run), cast("Any", policy), FOUND, {"bank_pay"})
    return {name: tool.description for name, tool in granted.items()}


def test_a_run_that_goes_on_has_the_tools_that_it_began_with(monkeypatch: pytest.MonkeyPatch) -> None:
    """STP-06, ASK-01: else its models would be asked again about other tools. What is no longer enabled is left out."""
    monkeypatch.setattr(grants, "read", {"first": StoredGrant(json.dumps(STORED), 1)}.get)
    assert tools() == {"bank_pay": "as it is now"}
    assert tools("first", "second") == {"bank_pay": "as it was"}


def test_one_whose_first_grant_is_gone_asks_the_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grants, "read", lambda _: None)
    assert tools("first") == {"bank_pay": "as it is now"}
