"""The servers that `bench_runs` measures, each started on loopback and ended with its context.

Ours is the local stack as `make run` starts it. The peers are what `make bench-peers`
has installed: Aegra, with a PostgreSQL of its own, and `langgraph dev`. All have the same agent.
"""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType

import httpx

from tests.support.paths import ROOT

PEERS = ROOT / ".cache" / "bench-peers"
GRAPHS = {"deltas": f"{Path(__file__).with_name('delta_graph.py')}:graph"}
LOOPBACK = "127.0.0.1"
START_SECONDS = 90
STOP_SECONDS = 20


class NotHereError(Exception):
    """A server cannot run on this machine; the message says what it lacks."""


@contextmanager
def make_run(environment: Mapping[str, str] = MappingProxyType({})) -> Iterator[str]:
    """The base URL of our local stack as `make run` starts it."""
    port = _unused_port()
    url = f"http://{LOOPBACK}:{port}"
    command = [sys.executable, "-m", "tests.bench.delta_stack"]
    with _process(command, ROOT, {"PORT": port, **environment}, _answers(f"{url}/local/.well-known/jwks.json")):
        yield url


@contextmanager
def aegra() -> Iterator[str]:
    """The base URL of Aegra as its README starts it: one process, events in memory. Raises NotHereError."""
    uvicorn = _installed("aegra", "uvicorn")
    with _postgresql() as database, TemporaryDirectory() as folder:
        config, port = Path(folder, "aegra.json"), _unused_port()
        config.write_text(json.dumps({"graphs": GRAPHS}), encoding="utf-8")
        environment = {"DATABASE_URL": database, "AEGRA_CONFIG": str(config), "LOG_LEVEL": "WARNING"}
        url = f"http://{LOOPBACK}:{port}"
        command = [uvicorn, "aegra_api.main:app", "--host", LOOPBACK, "--port", port, "--log-level", "warning"]
        with _process(command, Path(folder), environment, _answers(f"{url}/health")):
            yield url


@contextmanager
def langgraph_dev() -> Iterator[str]:
    """Yield the base URL of `langgraph dev`, without its watch for changed files. Raises NotHereError."""
    langgraph = _installed("langgraph-dev", "langgraph")
    with TemporaryDirectory() as folder:
        port = _unused_port()
        config = json.dumps({"dependencies": ["."], "graphs": GRAPHS})
        Path(folder, "langgraph.json").write_text(config, encoding="utf-8")
        environment = {"LANGSMITH_TRACING": "false", "LANGGRAPH_CLI_NO_ANALYTICS": "1"}
        url = f"http://{LOOPBACK}:{port}"
        command = [langgraph, "dev", "--host", LOOPBACK, "--port", port, "--no-browser", "--no-reload"]
        command += ["--server-log-level", "warning"]
        with _process(command, Path(folder), environment, _answers(f"{url}/ok")):
            yield url


def version(peer: str, package: str) -> str:
    """The version of a package in a peer's environment; empty where it is not."""
    found = PEERS.glob(f"{peer}/lib/*/site-packages/{package}-*.dist-info")
    return next((path.stem.partition("-")[2] for path in found), "")


def _installed(peer: str, program: str) -> str:
    path = PEERS / peer / "bin" / program
    if not path.exists():
        raise NotHereError("not installed: make bench-peers")
    return str(path)


@contextmanager
def _postgresql() -> Iterator[str]:
    """The URL of a fresh PostgreSQL with its default settings; root, as whom it refuses to run, runs it as postgres."""
    debian = sorted(map(str, Path("/usr/lib/postgresql").glob("*/bin")), reverse=True)
    initdb = shutil.which("initdb", path=os.pathsep.join([*debian, os.environ["PATH"]]))
    if initdb is None:
        raise NotHereError("needs PostgreSQL: apt-get install postgresql")
    user = "postgres" if os.geteuid() == 0 else None
    with TemporaryDirectory() as folder:
        if user is not None:
            shutil.chown(folder, user)
        data, port = f"{folder}/data", _unused_port()
        make = [initdb, "--pgdata", data, "--username", "aegra", "--auth", "trust", "--encoding", "UTF8"]
        subprocess.run(make, check=True, capture_output=True, user=user, cwd=folder)
        command = [str(Path(initdb).with_name("postgres")), "-D", data, "-p", port]
        command += ["-c", f"listen_addresses={LOOPBACK}", "-c", "unix_socket_directories="]

        def accepts() -> None:
            socket.create_connection((LOOPBACK, int(port)), timeout=1).close()

        with _process(command, Path(folder), {}, accepts, user=user):
            yield f"postgresql://aegra@{LOOPBACK}:{port}/postgres"


def _unused_port() -> str:
    with socket.create_server((LOOPBACK, 0)) as unused:
        return str(unused.getsockname()[1])


def _answers(url: str) -> Callable[[], object]:
    return lambda: httpx.get(url, timeout=START_SECONDS, trust_env=False).raise_for_status()


@contextmanager
def _process(
    command: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    check: Callable[[], object],
    user: str | None = None,
) -> Iterator[None]:
    """Run a server until the context ends, from when `check` raises no more. It and what it started end together."""
    with TemporaryDirectory() as logs, Path(logs, "log").open("w+", encoding="utf-8") as log:
        process = subprocess.Popen(
            command, cwd=folder, env=os.environ | environment, user=user, stdout=log, stderr=log, start_new_session=True
        )
        try:
            _wait(process, check, log.name)
            yield
        finally:
            with suppress(ProcessLookupError):  # it ended by itself
                os.killpg(process.pid, signal.SIGTERM)
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def _wait(process: subprocess.Popen[bytes], check: Callable[[], object], log: str) -> None:
    deadline = time.monotonic() + START_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        try:
            check()
        except (OSError, httpx.HTTPError):
            time.sleep(0.05)
        else:
            return
    raise RuntimeError(f"{process.args!r} did not start:\n{Path(log).read_text(encoding='utf-8')}")
