"""`python -m yarrow.testing COMMAND …`: runs a command whose OpenAI client finds a fake model on loopback.

A new agent can so be tried without a key. The model says that it is none.
"""

import signal
import subprocess
import sys
from collections.abc import Sequence
from typing import Final

from yarrow.testing.model import fake_model

ANSWER: Final = "This is a model on loopback that says nothing else. Set OPENAI_API_KEY to talk with one."


def main(command: Sequence[str]) -> int:
    """Run the command and return its exit code. Signals that end it are its own matter, so it ends first."""
    if not command:
        sys.stderr.write("python -m yarrow.testing COMMAND …\n")
        return 2
    with fake_model(ANSWER) as model:
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
