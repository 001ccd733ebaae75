"""The examples of frameworks are what `yarrow new` writes, and short."""

import ast
from pathlib import Path

import pytest
import yaml

from tests.support.paths import ROOT
from tools.make_examples import name_of
from yarrow.agents import system_agents
from yarrow_client.starter import FRAMEWORKS, files

EXAMPLES = ROOT / "examples"
LINES = 15
"""The most lines of code that an agent takes."""


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_an_example_is_what_the_command_writes(framework: str) -> None:
    """`python -m tools.make_examples` writes them again."""
    folder = EXAMPLES / name_of(framework)
    texts = files(name_of(framework), framework, "../..")
    assert {path: (folder / path).read_text(encoding="utf-8") for path in texts} == texts
    assert not any("{{" in text for text in texts.values())


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_an_agent_takes_few_lines(framework: str) -> None:
    module = ast.parse(files("my_agent", framework)["my_agent.py"])
    lines: set[int] = set()
    for node in ast.walk(ast.Module(module.body[1:], [])):
        docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if isinstance(node, ast.stmt) and not docstring:
            lines.add(node.lineno)
    assert len(lines) <= LINES


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_its_block_is_that_of_a_deployment(framework: str, tmp_path: Path) -> None:
    """It stands below those of the bundled agents, where they are concatenated."""
    bundled = (ROOT / "layers/core/system_agents.yaml").read_text(encoding="utf-8")
    together = tmp_path / "system_agents.yaml"
    together.write_text(bundled + files("my_agent", framework)["agent.yaml"], encoding="utf-8")
    agents = system_agents.load(together)
    assert agents["my_agent"].runner == "plugin:example/my_agent/default"
    assert yaml.safe_load(bundled)["agents"].keys() == agents.keys() - {"my_agent"}
