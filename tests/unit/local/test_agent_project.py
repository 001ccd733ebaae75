"""`AGENT=folder`: a project's entry points and blocks, and what it says of those that cannot be used."""

import importlib.metadata
import re
import sys
from pathlib import Path

import pytest
import yaml

from local.agent_project import install
from tests.support.paths import ROOT

BUNDLED = ROOT / "layers/core/system_agents.yaml"
RUNNER = (ROOT / "examples/plain_agent/plain_agent.py").read_text(encoding="utf-8")
PACKAGE = '[project]\nname = "acme-notes"\nversion = "2.0"\n[project.entry-points."yarrow.runners"]\nnotes = "{}"\n'
BLOCK = (
    "  notes:\n    runner: plugin:example/plain_agent/default\n    modes: { chat: {} }\n    config: { a: 1, b: 1 }\n"
)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project whose module has a name of its own, so that no other test has imported it."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "acme_notes_of_a_test.py").write_text(RUNNER, encoding="utf-8")
    (folder / "pyproject.toml").write_text(PACKAGE.format("acme_notes_of_a_test:RUNNER"), encoding="utf-8")
    (folder / "agent.yaml").write_text(BLOCK, encoding="utf-8")
    return folder


def installed(project: Path, agents: Path | None = None, **config: object) -> Path:
    into = project.parent / "into"
    into.mkdir()
    return install(project, agents, into, config)


def test_its_entry_points_are_found_and_its_block_stands_beside_the_bundled_ones(project: Path) -> None:
    """The block is the deployment's, but for the members of `AGENT_CONFIG`."""
    agents = yaml.safe_load(installed(project, BUNDLED, b=2).read_text(encoding="utf-8"))["agents"]
    assert agents.keys() > {"assistant", "notes"}
    assert agents["notes"]["config"] == {"a": 1, "b": 2}
    (point,) = (point for point in importlib.metadata.entry_points(group="yarrow.runners") if point.name == "notes")
    assert point.dist is not None
    assert (point.value, point.dist.version) == ("acme_notes_of_a_test:RUNNER", "2.0")


@pytest.mark.parametrize(
    ("file", "text", "reason"),
    [
        ("agent.yaml", None, "agent.yaml: No such file or directory"),
        ("agent.yaml", "  notes: [\n", "agent.yaml: line 3"),
        ("agent.yaml", "  notes:\n    runner: plugin:a/b/c\n", "agent.yaml: agents.notes.modes: Field required"),
        ("agent.yaml", BLOCK.replace("notes", "assistant"), "assistant is already the name of an agent"),
        ("pyproject.toml", None, "pyproject.toml: No such file or directory"),
        ("pyproject.toml", "[project", "pyproject.toml: "),
        ("pyproject.toml", "[tool.x]", "pyproject.toml has no 'project'"),
        ("pyproject.toml", PACKAGE.format("missing_module:RUNNER"), "missing_module:RUNNER: ModuleNotFoundError"),
        ("pyproject.toml", PACKAGE.format("json:dumps"), "json:dumps: TypeError: not an InstalledRunner"),
    ],
)
def test_what_cannot_be_used_is_told_in_one_line(project: Path, file: str, text: str | None, reason: str) -> None:
    (project / file).unlink() if text is None else (project / file).write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=rf"\A{re.escape(reason)}.*\Z"):
        installed(project, BUNDLED)
