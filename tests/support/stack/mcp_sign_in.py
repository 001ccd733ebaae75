"""A local stack with an agent whose MCP server wants each user's own token."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from tests.support.mcp_servers import McpServerFake
from tests.support.oauth_servers import OAuthServerFake, listening
from tests.support.stack.process import running

AGENTS = """
agents:
  helper:
    runner: plugin:yarrow/assistant/default
    input: assistant
    modes: {{ chat: {{}} }}
    resources: {{ models: [chat] }}
    config: {{ model: chat }}
    mcp:
      calc: {{ url: "{url}", oauth: {{}}, tools: [add, {{ id: say.hello, approval: always }}] }}
"""


class SignInStack(NamedTuple):
    url: str
    fake: OAuthServerFake


@contextmanager
def sign_in_stack() -> Iterator[SignInStack]:
    """The stack, whose agent `helper` has the tool `calc_add`, and its authorization server."""
    fake = OAuthServerFake()
    fake.tools = McpServerFake()
    with TemporaryDirectory() as folder, listening(fake) as server:
        file = Path(folder, "agents.yaml")
        file.write_text(AGENTS.format(url=server), encoding="utf-8")
        with running(environment={"SYSTEM_AGENTS": str(file), "DEFAULT_AGENT": "helper"}) as url:
            yield SignInStack(url, fake)
