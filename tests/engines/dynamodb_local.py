"""Amazon's own DynamoDB Local, in memory, in a process of its own: a second opinion on what the store asks of DynamoDB.

`make dynamodb-local` fetches it. `python -m tests.engines.dynamodb_local` prints its endpoint, which is a value for
`AWS_ENDPOINT_URL_DYNAMODB`, and serves until Ctrl-C. It cannot be told to listen on loopback only.
"""

import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryFile

from tests.support.paths import ROOT

LIBRARY = ROOT / ".cache" / "dynamodb-local"
_QUICKLY = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto")
"""It serves for minutes only: what a compiler that optimises would take is never earned back."""

START_SECONDS = 60
STOP_SECONDS = 10

# Becomes Java, and beside it waits for the end of standard input, that is of whoever started it.
_UNTIL_INPUT_ENDS = 'exec 3<&0; (cat <&3; kill $$) >/dev/null 2>&1 & exec java "$@" </dev/null'


def missing() -> str | None:
    """What it lacks to run here, in one line; None when it can run."""
    if shutil.which("java") is None:
        return "needs Java 17 or newer"
    if not (LIBRARY / ".ready").exists():
        return "needs DynamoDB Local: make dynamodb-local"
    return None


@contextmanager
def running() -> Iterator[str]:
    """Its endpoint, once it takes connections; the process ends with the context or with this process."""
    with socket.create_server(("", 0)) as unused:
        port = unused.getsockname()[1]
    server = ["-cp", f"{LIBRARY}/*", "software.amazon.dynamodb.services.local.main.ServerRunner"]
    options = ["-inMemory", "-sharedDb", "-disableTelemetry", "-port", str(port)]
    with TemporaryFile("w+") as log:
        process = subprocess.Popen(
            ["sh", "-c", _UNTIL_INPUT_ENDS, "sh", *_QUICKLY, f"-Djava.library.path={LIBRARY}", *server, *options],
            stdin=subprocess.PIPE,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        try:
            if not _accepts(port, process):
                log.seek(0)
                raise RuntimeError(f"DynamoDB Local did not start:\n{log.read()}")
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.communicate(timeout=STOP_SECONDS)


def _accepts(port: int, process: subprocess.Popen[bytes]) -> bool:
    deadline = time.monotonic() + START_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.02)
        else:
            return True
    return False


def main() -> None:
    """Serve until Ctrl-C."""
    if reason := missing():
        sys.exit(reason)
    try:
        with running() as endpoint:
            print(endpoint, flush=True)
            signal.pause()
    except KeyboardInterrupt:
        return


if __name__ == "__main__":
    main()
