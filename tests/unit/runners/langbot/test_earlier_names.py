"""Names by which plugins that were published before SDK 0.6 import it."""

import importlib
import subprocess
import sys

import pytest

pytest.importorskip("langbot_plugin", reason="the SDK langbot-plugin is not installed")

PLUGIN = """
from yarrow.runners.langbot import earlier_names

earlier_names.install()
earlier_names.install()

from langbot_plugin.api.definition.components.agent_runner.runner import AgentRunner
from langbot_plugin.api.entities.builtin.agent_runner import AgentInput, AgentRunContext, AgentRunResult
from langbot_plugin.api.entities.builtin.agent_runner.result import AgentRunResultType
from langbot_plugin.api.entities.builtin.agent_runner.state import AgentRunState
from langbot_plugin.api.proxies.agent_run import AgentRunAPIProxy, PermissionDeniedError
import langbot_plugin.api.entities.builtin.agent_runner.context as context

for model in (AgentRunner, AgentInput, AgentRunContext, AgentRunResult, AgentRunResultType, AgentRunState):
    print(model.__module__, model.__name__)
assert context.AgentRunContext is AgentRunContext
try:
    from langbot_plugin.api.entities.builtin.agent_runner import AgentRunNothing
except ImportError:
    print("nothing")
try:
    import langbot_plugin.api.proxies.agent_run.nothing
except ModuleNotFoundError as error:
    print(error.name)
"""


def test_a_published_plugin_finds_the_sdks_classes_by_their_earlier_names() -> None:
    """CMP-02: in a process where nothing else has imported the SDK."""
    done = subprocess.run([sys.executable, "-c", PLUGIN], capture_output=True, text=True, check=False)
    builtin = "langbot_plugin.api.entities.builtin.runner"
    assert done.stdout.splitlines() == [
        "langbot_plugin.api.definition.components.runner.runner Runner",
        f"{builtin}.input AgentInput",
        f"{builtin}.context RunnerContext",
        f"{builtin}.result RunnerResult",
        f"{builtin}.result RunnerResultType",
        f"{builtin}.state AgentRunState",
        "nothing",
        "langbot_plugin.api.proxies.runner.nothing",
    ], done.stderr


def test_the_sdks_own_modules_stay_what_they_are() -> None:
    """CMP-02."""
    from yarrow.runners.langbot import earlier_names

    earlier_names.install()
    name = "langbot_plugin.api.entities.builtin.runner"
    assert importlib.import_module(name).__spec__.origin.endswith("__init__.py")  # type: ignore[union-attr]
