"""The agents of a deployment, as clients list them."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from yarrow.agents import bindings
from yarrow.protocol.response_body import to_json
from yarrow.protocol.runner.models import InstalledRunner
from yarrow.runners import discovery
from yarrow.runs.list_agents import list_agents
from yarrow.settings import settings

FILE = """
agents:
  ours:
    runner: plugin:acme/ours/default
    modes: { chat: {}, automation: {} }
  nightly:
    runner: plugin:yarrow/assistant/default
    modes: { automation: {} }
"""


def listed(locale: str | None = None) -> list[Mapping[str, object]]:
    found: list[Mapping[str, object]] = json.loads(to_json(list_agents(locale)))["agents"]
    return found


def test_the_bundled_agents_are_listed_in_the_callers_language(monkeypatch: pytest.MonkeyPatch) -> None:
    """EVB-06: with what a picker needs, and in the order of the file."""
    monkeypatch.setattr(settings, "default_agent", "divination")
    english, chinese = ({item["name"]: item for item in listed(locale)} for locale in ("en-GB", "zh-CN"))
    assert list(english) == list(bindings.deployed())
    assert english["divination"]["label"] != chinese["divination"]["label"]
    assert english["divination"]["input"] == "divination"
    assert [name for name, item in english.items() if "input" in item] == ["divination"]
    assert english["cast"]["surfaces"] == ["agui", "workspace"]
    assert english["cast"]["taskName"] == "cast"
    assert "taskName" not in english["divination"]
    assert "automation" in str(english["assistant"]["surfaces"])
    assert [name for name, item in english.items() if item["isDefault"]] == ["divination"]


def test_an_agent_is_listed_with_whether_its_runs_take_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    """EVB-06, RNR-87: as the manifest of its runner says."""
    bundled = discovery.find

    def find(runner_id: str) -> InstalledRunner | None:
        found = bundled(runner_id)
        if found is None or "assistant" not in runner_id:
            return found
        capabilities = found.manifest.capabilities.model_copy(update={"steering": True})
        return replace(found, manifest=found.manifest.model_copy(update={"capabilities": capabilities}))

    monkeypatch.setattr(discovery, "find", find)
    assert [item["name"] for item in listed() if item["isSteerable"]] == ["assistant"]


def test_agents_of_a_file_of_their_own_are_listed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """EVB-06: one whose runner is not here has its name as its label."""
    file = tmp_path / "system_agents.yaml"
    file.write_text(FILE, encoding="utf-8")
    monkeypatch.setattr(settings, "system_agents", file)
    monkeypatch.setattr(settings, "default_agent", "ours")
    for cached in (bindings.deployed, bindings._policies):
        cached.cache_clear()
    try:
        ours, nightly = listed("en")
    finally:
        for cached in (bindings.deployed, bindings._policies):
            cached.cache_clear()
    assert ours == {
        "name": "ours",
        "label": "ours",
        "modes": ["chat", "automation"],
        "surfaces": ["agui", "automation"],
        "isDefault": True,
        "isSteerable": False,
    }
    assert (nightly["surfaces"], nightly["isDefault"]) == (["automation"], False)
