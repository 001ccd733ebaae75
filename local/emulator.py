"""moto in its own process: DynamoDB, S3, Step Functions, SQS and EventBridge Scheduler.

`python -m local.emulator URL` prints its port and serves until its standard input ends, that is until its parent has
ended. State machines invoke functions and report events at URL (`executions`), tables report changes
there (`table_stream`); schedules are fired by `scheduler`. `resources` creates what a stack has by its AWS API.
"""

import gc
import logging
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Mapping
from importlib.util import find_spec, module_from_spec
from types import TracebackType
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIEnvironment

LOOPBACK = "127.0.0.1"

# The service that a request is signed for -> moto's name of it. Presigned requests, which only S3 has, carry no header.
_SERVICES: dict[str, Literal["dynamodb", "s3", "scheduler", "sqs", "stepfunctions"]] = {
    "dynamodb": "dynamodb",
    "s3": "s3",
    "scheduler": "scheduler",
    "sqs": "sqs",
    "states": "stepfunctions",
}
_EXPIRY_SECONDS = 60
"""How often expired items are deleted, and their minimum age after expiry."""

_SIGNED_FOR = re.compile(r"Credential=[^/]+/\d+/[^/]+/([^/]+)/aws4_request")


class Emulator:
    """The emulator's process; leaving its context ends it."""

    def __init__(self, host_url: str, environment: Mapping[str, str]) -> None:
        """Start the process; `host_url` will serve the Lambda API and the event bus."""
        self._process = subprocess.Popen(  # noqa: S603 (our own module)
            [sys.executable, "-m", "local.emulator", host_url],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
        )

    def url(self) -> str:
        """Its address. Requests are accepted at once, and answered when it has loaded."""
        port = self._process.stdout.readline().decode().strip() if self._process.stdout else ""
        if not port:
            raise RuntimeError(f"the emulator ended with exit code {self._process.wait()}")
        return f"http://{LOOPBACK}:{port}"

    def __enter__(self) -> "Emulator":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.terminate()
        self._process.communicate()


def main(host_url: str) -> None:
    """Serve until standard input ends."""
    # Ctrl-C goes to the whole process group; the parent ends this process.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with socket.create_server((LOOPBACK, 0)) as listener:
        port = listener.getsockname()[1]
        print(port, flush=True)  # noqa: T201 (the answer to the one who started it)
        threading.Thread(target=_exit_with_parent, daemon=True).start()
        logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
        logging.getLogger("werkzeug").setLevel(logging.ERROR)
        # It logs failed states at length; `executions` logs one line.
        logging.getLogger("moto.stepfunctions").setLevel(logging.CRITICAL)
        os.environ["MOTO_PORT"] = str(port)
        _serve(listener, host_url)


def _exit_with_parent() -> None:
    sys.stdin.buffer.read()
    os._exit(0)


def _skip_models(package: str) -> None:
    """Make a package's modules importable without what its `__init__` imports."""
    if spec := find_spec(package):
        sys.modules[package] = module_from_spec(spec)


def _serve(listener: socket.socket, host_url: str) -> None:
    from moto.core.config import default_user_config
    from moto.moto_server.werkzeug_app import MotoRequestHandler, create_backend_app
    from werkzeug.serving import make_server

    _skip_models("moto.batch")  # Step Functions wants an enum of it, but the models load EC2
    from local import executions, tables
    from local.table_stream import changes

    default_user_config["stepfunctions"] = {"execute_state_machine": True}
    executions.install(host_url)
    tables.install()
    changes.listen()
    sender = changes.Sender(f"{host_url}/changes")
    services = {name: (threading.Lock(), create_backend_app(moto)) for name, moto in _SERVICES.items()}

    # moto's dispatcher lists all its services' directories, under one lock, for every request.
    def dispatch(environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        signed_for = _SIGNED_FOR.search(environ.get("HTTP_AUTHORIZATION", ""))
        name = signed_for[1] if signed_for else "s3"
        if name not in services:
            logging.error("the emulator has no %s", name)
            start_response("501 Not Implemented", [])
            return []
        one_at_a_time, service = services[name]
        with one_at_a_time:
            response = service(environ, start_response)
            if name == "dynamodb":
                sender.put(changes.take())
            return response

    def expire() -> None:
        while True:
            time.sleep(_EXPIRY_SECONDS)
            with services["dynamodb"][0]:
                tables.delete_expired(time.time() - _EXPIRY_SECONDS)
                sender.put(changes.take())

    threading.Thread(target=expire, daemon=True).start()
    gc.freeze()  # else collections scan all of moto, 0.1 s each
    server = make_server(LOOPBACK, 0, dispatch, threaded=True, request_handler=MotoRequestHandler, fd=listener.fileno())
    server.serve_forever()


if __name__ == "__main__":
    main(sys.argv[1])
