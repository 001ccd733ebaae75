"""`python -m local`: start everything, serve until Ctrl-C or SIGTERM.

`PORT` is the port on 127.0.0.1 (default 3000; 0 for any), `INTERNAL_PORT` that of endpoints for tests only, such as
the scheduler's clock (default: any). `DATA` is the data folder; without it, data is in memory.
`EXTRA_TEMPLATES` lists templates, separated by commas, whose functions hold
runners to install (`examples/remote_runner`), `AGENT` a file with one (`examples/minimal_agent`), `AGENT_CONFIG` its
config as JSON.
Standard output has one line, `ready http://127.0.0.1:PORT`; logs go to standard error.

For a fast start, the emulator loads while the template is read and functions are imported.
"""

import argparse
import gc
import logging
import os
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from local import log
from local.data.folder import DataError, DataFolder
from local.emulator.process import LOOPBACK, Emulator, EmulatorError
from local.environment import isolated, of_functions
from local.stack import Function, TemplateError

if TYPE_CHECKING:
    from starlette.types import ASGIApp

TEMPLATE = Path(__file__).parent.parent / "template.yaml"
DEFAULT_PORT = "3000"

FROM_ENVIRONMENT = {
    "MODELS": "Models",
    "OPENAI_API_KEY": "OpenAiApiKey",
    "OPENAI_BASE_URL": "OpenAiBaseUrl",
    "ANTHROPIC_API_KEY": "AnthropicApiKey",
    "GOOGLE_API_KEY": "GoogleApiKey",
    "KNOWLEDGE_BASES": "KnowledgeBases",
    "HELP_LINES": "HelpLines",
    "DEFAULT_AGENT": "DefaultAgent",
    "AGUI_AGENT": "AguiAgent",
    "DEFAULT_LOCALE": "DefaultLocale",
    "CORS_ORIGIN": "CorsOrigin",
    "CORS_HEADERS": "CorsHeaders",
    "CONSOLE_URL": "ConsoleUrl",
    "RUN_CONCURRENCY": "RunConcurrency",
    "JOB_SPREAD_MINUTES": "JobSpreadMinutes",
    "LONG_POLL_SECONDS": "LongPollSeconds",
}
"""Template parameters by the variable of `make run` that sets them."""


class StartError(Exception):
    """The stack cannot start; the message says why in one line."""


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
            _listen(os.environ.get("PORT", DEFAULT_PORT)) as public,
            _listen(os.environ.get("INTERNAL_PORT", "0")) as internal,
        ):
            data = DataFolder.open(Path(folder)) if (folder := os.environ.get("DATA")) else None
            return _run(template, public, internal, data, ready)
    except (StartError, TemplateError, DataError, EmulatorError) as error:
        print(f"cannot start: {error}", file=sys.stderr)  # noqa: T201
        return 1
    except KeyboardInterrupt:
        return 130


def _listen(port: str) -> socket.socket:
    if not port.isascii() or not port.isdigit() or int(port) > 65535:
        raise StartError(f"PORT must be a number from 0 to 65535, not {port!r}")
    try:
        listener = socket.create_server((LOOPBACK, int(port)))
    except OSError as error:
        raise StartError(
            f"port {port} on {LOOPBACK}: {os.strerror(error.errno or 0)}; choose another with PORT"
        ) from None
    # Connections inherit it; asyncio sets it only on sockets with an explicit protocol.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


def _url(listener: socket.socket) -> str:
    return f"http://{LOOPBACK}:{listener.getsockname()[1]}"


def _run(
    path: Path, public: socket.socket, internal: socket.socket, data: DataFolder | None, ready: Callable[[str], None]
) -> int:
    os.environ |= isolated(os.environ)
    with (
        Emulator(_url(internal), os.environ, data) as emulator,
        TemporaryDirectory(prefix="yarrow-") as folder,
        ExitStack() as ending,
    ):
        from local.api_gateway.connections import connections_api
        from local.api_gateway.gateway import Gateway
        from local.api_gateway.websocket import WebSocketGateway
        from local.data.folder import KEY, STACK
        from local.data.sqlite import Sqlite
        from local.events import EventBus
        from local.functions import LambdaHost
        from local.identity import AUDIENCE, Issuer, new_key
        from local.lambda_api import lambda_api
        from local.oidc import grants
        from local.resources import create
        from local.sandboxes.fork_server import Closable
        from local.sandboxes.kill import kill_route
        from local.sandboxes.preparation import import_runners, make_clients
        from local.scheduler import progress
        from local.scheduler.scheduler import Scheduler
        from local.server import WORKSPACE_PATH, Closing, by_port, serve
        from local.table_stream.streams import TableStreams
        from local.template import load, load_functions
        from yarrow.agents import descriptors
        from yarrow.services.models.parameter import ModelsError

        issuer_url = f"{_url(public)}/local"
        runners: dict[str, Function] = {}
        for extra in filter(None, os.environ.get("EXTRA_TEMPLATES", "").split(",")):
            runners |= load_functions(Path(extra), {"CoreLayer": "local", "RunnerApi": "local"})
        settings = {parameter: os.environ[name] for name, parameter in FROM_ENVIRONMENT.items() if os.environ.get(name)}
        if "JobSpreadMinutes:" in path.read_text(encoding="utf-8"):
            # A spread would only delay jobs of tests that move the clock to a job's time.
            settings = {"JobSpreadMinutes": "0"} | settings
        if settings.get("CorsOrigin", "*") != "*":
            settings = {"ConsoleUrl": f"{_url(public)}/"} | settings  # the authorizer checks the origin of workspaces
        parameters = settings | {"OidcIssuer": issuer_url, "OidcAudience": AUDIENCE}
        stack = load(path, parameters | ({"RemoteRunners": ",".join(runners)} if runners else {}))
        emulator.wait()
        emulator.report_only(stack.stream_mappings)
        emulator.allow_origins(stack.bucket_cors)
        functions = {**stack.functions, **runners}
        os.environ |= of_functions(functions.values()) | {
            "AWS_ENDPOINT_URL": emulator.url,
            "AWS_ENDPOINT_URL_LAMBDA": _url(internal),
            "RUNNER_API_URL": _url(internal),
            "WORKSPACE_ENDPOINT": f"{_url(internal)}/live",
            "WORKSPACE_URL": f"ws{_url(public).removeprefix('http')}{WORKSPACE_PATH}",
            "TRANSCRIBER": "embedded",
            "RUNNER_SECRETS": "",  # credentials come from the environment
            "RUNNER_EXCEPTIONS": "shown",  # the author of an agent reads it in the stream
        }
        if agent := os.environ.get("AGENT"):
            bundled = descriptors.FILE if descriptors.FILE.is_file() else None
            listed = Path(os.environ["SYSTEM_AGENTS"]) if os.environ.get("SYSTEM_AGENTS") else bundled
            os.environ["SYSTEM_AGENTS"] = str(_installed(Path(agent), listed, Path(folder)))
        try:
            host = LambdaHost(functions)
        except (descriptors.SystemAgentsError, ModelsError) as error:
            raise StartError(str(error)) from None
        # Before any thread starts.
        inherited: list[Closable] = [public, internal, *emulator.pipes, *([data] if data else [])]
        sandboxes = host.isolate([*stack.background, *runners], inherited, (make_clients, import_runners))
        ending.enter_context(sandboxes)
        gateway = Gateway(stack.api, host)
        bus = EventBus(stack.rules, host)
        streams = TableStreams(stack, host)
        ended: list[EmulatorError] = []

        def emulator_ended(error: EmulatorError) -> None:
            ended.append(error)
            os.kill(os.getpid(), signal.SIGTERM)

        emulator.watch(emulator_ended)
        create(stack)
        store = Sqlite(data.path / STACK if data else None, grants.SCHEMA + progress.SCHEMA)
        issuer = Issuer(issuer_url, key=data.secret(KEY, new_key()) if data else None, store=store)
        scheduler = Scheduler(host, progress.SchedulerProgress(store))
        inside = lambda_api(host, bus, streams, scheduler)
        if stack.internal_api is not None:
            inside.mount("/", Gateway(stack.internal_api, host))
        within: ASGIApp = inside
        web_socket = WebSocketGateway(stack.web_socket_api, host) if stack.web_socket_api is not None else None
        if web_socket is not None:
            within = connections_api(web_socket, inside)
        app = by_port(
            internal.getsockname()[1], within, issuer.app(kill_route(host.kill, issuer.origins)), gateway, web_socket
        )
        gc.freeze()  # loaded modules stay, as in a Lambda sandbox

        async def started() -> None:
            await sandboxes.start()
            if endpoint := os.environ.get("AWS_ENDPOINT_URL_DYNAMODB"):
                streams.poll(endpoint)
            scheduler.start()
            ready(_url(public))

        closing: list[Closing] = [gateway, streams, scheduler]
        if web_socket is not None:
            closing.append(web_socket)
        code = serve(app, closing, [public, internal], started)
        if ended:
            print(f"stopped: {ended[0]}", file=sys.stderr)  # noqa: T201
            return 1
        if sandboxes.lost:
            print("stopped: the process that starts functions was killed", file=sys.stderr)  # noqa: T201
            return 1
        return code


def _installed(file: Path, agents: Path | None, folder: Path) -> Path:
    from local.agent_file import config_of, install

    if not file.is_file():
        raise StartError(f"AGENT: {file} is not a file")
    try:
        return install(file, agents, folder, config_of(os.environ.get("AGENT_CONFIG", "")))
    except (TypeError, ValueError) as error:
        raise StartError(f"AGENT: {file}: {error}") from error


if __name__ == "__main__":
    code = main()
    sys.stderr.flush()
    # Python would wait for functions that still run in threads.
    os._exit(code)
