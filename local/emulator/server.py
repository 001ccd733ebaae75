"""Serves AWS until standard input ends, which means that the parent process has ended."""

import gc
import logging
import os
import re
import signal
import socket
import sys
import threading
import time
from contextlib import nullcontext
from importlib import import_module
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from local import log
from local.emulator.process import CORS_PATH, MAPPINGS_PATH, READY

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

# The service in a request's signature -> moto's name of it. Presigned requests have no such header; only S3 uses them.
_MOTO: dict[str, Literal["s3", "scheduler", "sqs", "stepfunctions"]] = {
    "s3": "s3",
    "scheduler": "scheduler",
    "sqs": "sqs",
    "states": "stepfunctions",
}
_EXPIRY_SECONDS = 60
"""How often expired items are deleted, and their minimum age after expiry."""

KEEP_ALIVE_SECONDS = 3600
"""A client that uses a connection while it is closed would fail."""

_SIGNED_FOR = re.compile(r"Credential=[^/]+/\d+/[^/]+/([^/]+)/aws4_request")


def main(host_url: str, listener: socket.socket, folder: Path | None = None) -> None:
    """Serve until standard input ends; writes `READY` to standard output when it can answer.

    Keeps everything in a folder, or in memory.
    """
    # Ctrl-C goes to the whole process group; the parent ends this process.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_exit_with_parent, daemon=True).start()
    log.configure()
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    # moto logs failed states at length; `executions` logs one line.
    logging.getLogger("moto.stepfunctions").setLevel(logging.CRITICAL)
    os.environ["MOTO_PORT"] = str(listener.getsockname()[1])
    load()
    _serve(listener, host_url, folder)


def load() -> None:
    """Import what serving takes, which does not depend on the environment."""
    os.environ["MOTO_DISABLE_GLOBAL_CORS"] = "true"  # moto reads it as it is imported
    _skip_models("moto.batch")  # Step Functions needs an enum of it, but its models load EC2
    for name in ("local.dynamodb.service", "local.emulator.state", "moto.moto_server.werkzeug_app", "uvicorn"):
        import_module(name)
    for service in _MOTO.values():
        import_module(f"moto.{service}.urls")


def _exit_with_parent() -> None:
    sys.stdin.buffer.read()
    os._exit(0)


def _skip_models(package: str) -> None:
    """Make a package's modules importable without running its `__init__`."""
    if spec := find_spec(package):
        sys.modules[package] = module_from_spec(spec)


def _serve(listener: socket.socket, host_url: str, folder: Path | None) -> None:
    import uvicorn
    from moto.core.config import default_user_config
    from moto.moto_server.werkzeug_app import create_backend_app
    from starlette.requests import Request
    from starlette.responses import Response

    from local.dynamodb import service
    from local.emulator import wsgi
    from local.emulator.cors import BucketCors
    from local.emulator.keys import StandInKey
    from local.emulator.state import EmulatorState

    default_user_config["stepfunctions"] = {"execute_state_machine": True}
    state = EmulatorState(host_url, folder)
    database, sender = state.database, state.sender
    moto = {name: wsgi.as_asgi(create_backend_app(backend), state.before_answer) for name, backend in _MOTO.items()}
    storage = BucketCors(moto["s3"])
    key = StandInKey(folder)
    expired_at = time.monotonic()

    async def app(scope: "Scope", receive: "Receive", send: "Send") -> None:
        nonlocal expired_at
        if scope["path"] == MAPPINGS_PATH:
            sender.wanted = await Request(scope, receive).json()
            await Response(status_code=204)(scope, receive, send)
            return
        if scope["path"] == CORS_PATH:
            storage.rules = await Request(scope, receive).json()
            await Response(status_code=204)(scope, receive, send)
            return
        name = _service(scope)
        if name == "dynamodb":
            if time.monotonic() - expired_at >= _EXPIRY_SECONDS:
                database.delete_expired(time.time() - _EXPIRY_SECONDS)
                expired_at = time.monotonic()
            await service.serve(database, scope, receive, send)
        elif name == "s3":
            await storage(scope, receive, send)
        elif name == "kms":
            await key(scope, receive, send)
        elif name in moto:
            await moto[name](scope, receive, send)
        else:
            logging.error("the emulator has no %s", name)
            await Response(status_code=501)(scope, receive, send)

    print(READY, flush=True)  # noqa: T201 (the parent reads it)
    gc.freeze()  # a collection would scan all of moto, which takes 0.1 s
    config = uvicorn.Config(
        app,
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        date_header=False,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
    )
    server = uvicorn.Server(config)
    server.capture_signals = nullcontext  # type: ignore[assignment]  # `main` handles signals
    server.run([listener])


def _service(scope: "Scope") -> str:
    for name, value in scope["headers"]:
        if name == b"authorization" and (signed_for := _SIGNED_FOR.search(value.decode())):
            return signed_for[1]
    return "s3"
