"""`python -m yarrow.testing COMMAND …`: runs a command whose OpenAI client finds a scripted model on loopback.

A new agent can so be tried without a key. The model says that it is none, and calls a tool if it is told to.
"""

import json
import re
import signal
import subprocess
import sys
from collections.abc import Sequence
from typing import Any, Final

from yarrow.testing.model import Call, FakeModel, served

ANSWER: Final = (
    "This is a script, not a model: set OPENAI_API_KEY to talk with one. "
    "A message of /call, a tool's name and its arguments as JSON calls that tool of the agent."
)
_CALL: Final = re.compile(r"/call (\S+)\s*(\{.*\})?", re.DOTALL)


class Script(FakeModel):
    """Calls the tool that the user names, and says what it returned."""

    def __init__(self) -> None:
        super().__init__([ANSWER])

    def next(self, request: dict[str, Any]) -> str | Call:
        """Answer the last message of a request."""
        answer = super().next(request)
        last = request["messages"][-1]
        text = _text(last.get("content"))
        if last.get("role") == "tool":
            return f"The tool returned: {text}"
        if (found := _CALL.search(text)) is None:
            return answer
        if found[1] not in _tools(request):
            return f"The agent offers the model no tool {found[1]}."
        try:
            return Call(found[1], json.loads(found[2] or "{}"))
        except ValueError as error:
            return f"The arguments are not JSON: {error}"


def _tools(request: dict[str, Any]) -> set[str]:
    return {tool["function"]["name"] for tool in request.get("tools") or () if "function" in tool}


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "".join(part.get("text", "") for part in content)
    return str(content or "")


def main(command: Sequence[str]) -> int:
    """Run the command and return its exit code. Signals that end it are its own matter, so it ends first."""
    if not command:
        sys.stderr.write("python -m yarrow.testing COMMAND …\n")
        return 2
    with served(Script()) as model:
        variables = [f"OPENAI_BASE_URL={model.url}", "OPENAI_API_KEY=none"]
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        process = subprocess.Popen(  # noqa: S603 (whoever calls this names the command)
            ["/usr/bin/env", *variables, *command], preexec_fn=_interruptible
        )
        signal.signal(signal.SIGTERM, lambda *_: process.terminate())
        return process.wait()


def _interruptible() -> None:
    """Let the command have Ctrl-C, which its parent ignores."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
