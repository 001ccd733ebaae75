"""A Pydantic AI agent as a runner: its AG-UI adapter is called in the worker's process."""

from pydantic_ai.ui.ag_ui import AGUIAdapter

from tests.e2e.adapters.agui_server import agent
from yarrow.adapters.agui import runner

RUNNER = runner(
    lambda body: AGUIAdapter(agent, body).run_stream(), id="plugin:tests/in-process/default", label="In process"
)
