"""The local stack with agents that do not come with Yarrow: an SDK's runner, a function's, one that blocks, and
two that take messages while they work.

The stack finds them as a deployment does: by entry points of a package, by templates of functions, and by a file that
lists the agents.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.paths import ROOT
from tests.support.stack.entry_points import python_path
from tests.support.stack.process import running
from yarrow.agents import descriptors

HERE = Path(__file__).parent
EXAMPLE = ROOT / "examples/remote_runner"
FUNCTIONS = (EXAMPLE / "template.yaml", HERE / "telling_function/template.yaml")
PIPES = ("gate", "heard", "next_step")
AGENTS = (descriptors.FILE, EXAMPLE / "agent.yaml", HERE / "agents.yaml")


@pytest.fixture(scope="package")
def pipes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the pipes by which runners and their tests wait for each other."""
    folder = tmp_path_factory.mktemp("pipes")
    for name in PIPES:
        os.mkfifo(folder / name)
    return folder


@pytest.fixture(scope="package")
def stack(tmp_path_factory: pytest.TempPathFactory, pipes: Path) -> Iterator[str]:
    """The local stack with these runners, and the agents that come with Yarrow beside theirs."""
    site = tmp_path_factory.mktemp("site")
    listed = "".join(agent.read_text(encoding="utf-8") for agent in AGENTS)
    for name in PIPES:
        listed = listed.replace(name.upper(), str(pipes / name))
    agents = site / "system_agents.yaml"
    agents.write_text(listed, encoding="utf-8")
    environment = {
        "PYTHONPATH": python_path(site, HERE),
        "SYSTEM_AGENTS": str(agents),
        "EXTRA_TEMPLATES": ",".join(map(str, FUNCTIONS)),
    }
    with running(environment=environment) as url:
        yield url
