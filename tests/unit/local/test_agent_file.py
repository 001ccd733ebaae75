"""`AGENT=file`: what an agent of one file is granted, and what it says of a declaration that cannot be used."""

import itertools
import logging
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from local.agent_file import install

FILE = """
from yarrow.protocol.runner.manifest import AgentRunnerManifest, AgentRunnerPermissions
from yarrow.protocol.runner.models import InstalledRunner

PERMISSIONS = AgentRunnerPermissions(models=("stream",), tools=("call",), history=("page",), storage=("plugin",))
RUNNER = InstalledRunner(
    AgentRunnerManifest(id="plugin:tests/one/default", name="default", label={"en_US": "One"}, permissions=PERMISSIONS),
    object,
)
"""
_NAMES = map("agent_of_one_file_{}".format, itertools.count())

Installed = Callable[[str], dict[str, Any]]


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Installed]:
    """Return the resources of the block of a file with these lines more."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    name = next(_NAMES)

    def resources(more: str) -> dict[str, Any]:
        file = tmp_path / f"{name}.py"
        file.write_text(FILE + more, encoding="utf-8")
        into = tmp_path / "into"
        into.mkdir()
        block = yaml.safe_load(install(file, None, into).read_text(encoding="utf-8"))["agents"][name]
        listed: dict[str, Any] = block["resources"]
        return listed

    yield resources
    sys.modules.pop(name, None)


def test_a_file_without_a_declaration_gets_what_it_asks_for_and_no_tools(
    installed: Installed, caplog: pytest.LogCaptureFixture
) -> None:
    """RNR-08."""
    with caplog.at_level(logging.INFO):
        assert installed("") == {"models": ["chat"], "history": ["page"], "storage": ["plugin"]}
    assert "is granted no tools of the host: RESOURCES" in caplog.text


def test_what_a_file_declares_takes_the_place_of_what_it_would_get(
    installed: Installed, caplog: pytest.LogCaptureFixture
) -> None:
    """RNR-08: kind by kind, in a block's words."""
    declared = 'RESOURCES = {"tools": ["get_current_time", {"id": "memory_save", "approval": "always"}], "storage": ()}'
    with caplog.at_level(logging.INFO):
        granted = installed(declared)
    assert granted.pop("tools") == ["get_current_time", {"id": "memory_save", "approval": "always"}]
    assert granted == {"models": ["chat"], "history": ["page"]}
    assert "no tools" not in caplog.text


@pytest.mark.parametrize(
    ("declared", "told"),
    [
        ('["get_current_time"]', r"RESOURCES: Input should be"),
        ('{"tool": ["get_current_time"]}', r"RESOURCES: tool: Extra inputs"),
        ('{"tools": ["get_the_time"]}', r"RESOURCES: tools: the host has no get_the_time, but calendar_delete, "),
        ('{"tools": ["user_lookup", "user_lookup"]}', r"RESOURCES: .*user_lookup"),
    ],
)
def test_a_declaration_that_cannot_be_used_is_told(installed: Installed, declared: str, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        installed(f"RESOURCES = {declared}")
