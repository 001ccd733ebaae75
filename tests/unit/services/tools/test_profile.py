"""What a tool tells of the user: what their credential says, and nothing else."""

import asyncio
from typing import Any

import pytest

from yarrow.protocol.runner.tools import TimeZones, ToolContext
from yarrow.services.tools.builtin import TOOLS
from yarrow.store import runs


def lookup(monkeypatch: pytest.MonkeyPatch, device: str | None = None, **claims: Any) -> Any:
    ids = ("key", "alice", "thread", "run-1", "assistant", "chat", "")
    run = runs.Run(*ids, made_session=True, created_at="", **claims)
    monkeypatch.setattr(runs, "must_read", {"key": run}.__getitem__)
    return asyncio.run(TOOLS.call("user_lookup", {}, ToolContext("alice", "thread", "key", TimeZones(device))))


def test_the_claims_of_the_credential_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """SEC-06, FWD-07: the profile's time zone and the device's by their own names."""
    claims = {"locale": "zh-CN", "zoneinfo": "Asia/Shanghai", "user_name": "李雷"}
    assert lookup(monkeypatch, "America/Los_Angeles", **claims) == {
        "name": "李雷",
        "locale": "zh-CN",
        "time_zone": "Asia/Shanghai",
        "device_time_zone": "America/Los_Angeles",
    }


def test_what_is_not_known_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """SEC-06: nor is the user's id told."""
    assert lookup(monkeypatch) == {}
    assert not TOOLS.writes("user_lookup")
