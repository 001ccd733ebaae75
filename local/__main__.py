"""`python -m local`: start everything, serve until Ctrl-C or SIGTERM.

`PORT` is the port on 127.0.0.1 (default 3000; 0 for any), `INTERNAL_PORT` that of endpoints for tests only, such as
the scheduler's clock (default: any). `DATA` is the data folder; without it, data is in memory.
`EXTRA_TEMPLATES` lists templates, separated by commas, whose functions hold
runners to install (`examples/remote_runner`), `AGENT` a file with one (`examples/minimal_agent`) or the folder of a
project (`examples/plain_agent`), `AGENT_CONFIG` its config as JSON.
Standard output has one line, `ready http://127.0.0.1:PORT`; logs go to standard error.

For a fast start, the emulator loads while the template is read and functions are imported.
"""

import argparse
import logging
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

from local import log
from local.data.folder import DataError, DataFolder
from local.emulator.process import Emulator, EmulatorError
from local.environment import isolated
from local.listening import Listeners, StartError, listen
from local.stack import TemplateError

TEMPLATE = Path(__file__).parent.parent / "template.yaml"
DEFAULT_PORT = "3000"


def main() -> int:
    """Run the stack; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m local", description="Serve the whole stack on this machine.")
    parser.add_argument("--template", type=Path, default=TEMPLATE, help="the SAM template (default: %(default)s)")
    template = parser.parse_args().template
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    # Standard output is for the ready line; functions print to their log.
    output, sys.stdout = sys.stdout, sys.stderr
    log.configure()
    logging.getLogger("local").setLevel(logging.INFO)

    def ready(url: str) -> None:
        print(f"ready {url}", file=output, flush=True)

    try:
        with (
            listen(os.environ.get("PORT", DEFAULT_PORT)) as public,
            listen(os.environ.get("INTERNAL_PORT", "0")) as internal,
        ):
            data = DataFolder.open(Path(folder)) if (folder := os.environ.get("DATA")) else None
            return _run(template, Listeners(public, internal), data, ready)
    except (StartError, TemplateError, DataError, EmulatorError) as error:
        print(f"cannot start: {error}", file=sys.stderr)  # noqa: T201
        return 1
    except KeyboardInterrupt:
        return 130


def _run(template: Path, listeners: Listeners, data: DataFolder | None, ready: Callable[[str], None]) -> int:
    os.environ |= isolated(os.environ)
    with Emulator(listeners.internal_url, os.environ, data) as emulator:
        from local.assembly import run_stack  # it imports every function, while the emulator starts

        return run_stack(template, emulator, listeners, data, ready)


if __name__ == "__main__":
    code = main()
    sys.stderr.flush()
    # Python would wait for functions that still run in threads.
    os._exit(code)
