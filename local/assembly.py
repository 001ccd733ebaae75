"""Builds the local stack of a template around a running emulator, and serves it until it ends."""

import gc
import os
import signal
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from starlette.types import ASGIApp

from local import agent_file, agent_project
from local.api_gateway.connections import connections_api
from local.api_gateway.gateway import Gateway
from local.api_gateway.websocket import WebSocketGateway
from local.data.folder import KEY, STACK, DataFolder
from local.data.sqlite import Sqlite
from local.emulator.process import Emulator, EmulatorError
from local.environment import of_functions
from local.events import EventBus
from local.functions import LambdaHost
from local.identity import AUDIENCE, Issuer, new_key
from local.lambda_api import lambda_api
from local.listening import Listeners, StartError
from local.oidc import grants
from local.published_events import PATH as EVENT_BUS_PATH
from local.published_events import PublishedEvents, events_route
from local.push_applications import PATH as SNS_PATH
from local.push_applications import PushApplications
from local.push_service import PushService, push_routes
from local.queues.delivery import QueueDelivery, send
from local.resources import create
from local.sandboxes.fork_server import Closable
from local.sandboxes.kill import kill_route
from local.sandboxes.pool import Sandboxes
from local.sandboxes.preparation import import_runners, make_clients
from local.scheduler import progress
from local.scheduler.scheduler import Scheduler
from local.server import WORKSPACE_PATH, Closing, by_port, serve
from local.stack import ACCOUNT, REGION, Function, Stack
from local.table_stream.streams import TableStreams
from local.template import load, load_functions
from yarrow.agents import descriptors
from yarrow.services.models.parameter import ModelsError

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
    "WEB_PUSH_CONTACT": "WebPushContact",
    "APNS_APPLICATION_ARN": "ApnsApplicationArn",
    "APNS_SANDBOX_APPLICATION_ARN": "ApnsSandboxApplicationArn",
    "FCM_APPLICATION_ARN": "FcmApplicationArn",
    "LONG_POLL_SECONDS": "LongPollSeconds",
    "TOKENS_PER_USER_PER_DAY": "TokensPerUserPerDay",
    "TRACES_ENDPOINT": "TracesEndpoint",
    "TRACES_CONTENT": "TracesContent",
    "WEBHOOKS": "Webhooks",
}
"""Template parameters by the variable of `make run` that sets them."""

PUSH_APPLICATIONS = {
    "ApnsApplicationArn": f"arn:aws:sns:{REGION}:{ACCOUNT}:app/APNS/local",
    "ApnsSandboxApplicationArn": f"arn:aws:sns:{REGION}:{ACCOUNT}:app/APNS_SANDBOX/local",
    "FcmApplicationArn": f"arn:aws:sns:{REGION}:{ACCOUNT}:app/GCM/local",
}
"""Platform applications of the stack's own SNS, unless others are named."""


def run_stack(
    template: Path, emulator: Emulator, listeners: Listeners, data: DataFolder | None, ready: Callable[[str], None]
) -> int:
    """Serve the stack until a signal; returns the exit code. `ready` is called with the URL that clients use.

    Raises StartError, TemplateError and DataError.
    """
    runners = _remote_runners()
    stack = load(template, _parameters(template, listeners, runners))
    emulator.wait()
    emulator.report_only(stack.stream_mappings)
    emulator.allow_origins(stack.bucket_cors)
    functions = {**stack.functions, **runners}
    os.environ |= _environment(functions.values(), emulator, listeners)
    with TemporaryDirectory(prefix="yarrow-") as folder:
        _install_agent(Path(folder))
        host = _host(functions)
        # Before any thread starts.
        inherited: list[Closable] = [*listeners, *emulator.pipes, *([data] if data else [])]
        with host.isolate([*stack.background, *runners], inherited, (make_clients, import_runners)) as sandboxes:
            parts = _connected(stack, host, listeners)
            ended = _watched(emulator)
            create(stack)
            store = Sqlite(data.path / STACK if data else None, grants.SCHEMA + progress.SCHEMA)
            issuer = Issuer(_issuer_url(listeners), key=data.secret(KEY, new_key()) if data else None, store=store)
            code = _serve(parts, issuer, Scheduler(host, progress.SchedulerProgress(store)), sandboxes, ready)
            for reason in [*ended, *_loss(sandboxes)]:
                print(f"stopped: {reason}", file=sys.stderr)  # noqa: T201
                return 1
            return code


def _issuer_url(listeners: Listeners) -> str:
    return f"{listeners.public_url}/local"


def _remote_runners() -> dict[str, Function]:
    """Load the functions of the templates that `EXTRA_TEMPLATES` names.

    Their parameters of the same names, such as the key of a model, have the same values as the stack's.
    """
    runners: dict[str, Function] = {}
    for extra in map(Path, filter(None, os.environ.get("EXTRA_TEMPLATES", "").split(","))):
        text = extra.read_text(encoding="utf-8") if extra.is_file() else ""
        given = {name: value for name, value in _from_environment().items() if f"  {name}:" in text}
        runners |= load_functions(extra, {"CoreLayer": "local", "RunnerApi": "local", **given})
    return runners


def _from_environment() -> dict[str, str]:
    return {parameter: os.environ[name] for name, parameter in FROM_ENVIRONMENT.items() if os.environ.get(name)}


def _parameters(template: Path, listeners: Listeners, runners: Iterable[str]) -> Mapping[str, str]:
    parameters = _from_environment()
    text = template.read_text(encoding="utf-8")
    if "JobSpreadMinutes:" in text:
        # A spread would only delay jobs of tests that move the clock to a job's time.
        parameters = {"JobSpreadMinutes": "0"} | parameters
    if "WebPushContact:" in text:
        parameters = {"WebPushContact": "mailto:local@example.com"} | parameters
    if "FcmApplicationArn:" in text:
        parameters = {**PUSH_APPLICATIONS, **parameters}
    if parameters.get("CorsOrigin", "*") != "*":
        # The authorizer checks the origin of workspaces.
        parameters = {"ConsoleUrl": f"{listeners.public_url}/"} | parameters
    remote = {"RemoteRunners": ",".join(runners)} if runners else {}
    return parameters | {"OidcIssuer": _issuer_url(listeners), "OidcAudience": AUDIENCE} | remote


def _environment(functions: Iterable[Function], emulator: Emulator, listeners: Listeners) -> Mapping[str, str]:
    return of_functions(functions) | {
        "AWS_ENDPOINT_URL": emulator.url,
        "AWS_ENDPOINT_URL_LAMBDA": listeners.internal_url,
        "AWS_ENDPOINT_URL_SNS": f"{listeners.internal_url}{SNS_PATH}",
        "AWS_ENDPOINT_URL_EVENTBRIDGE": f"{listeners.internal_url}{EVENT_BUS_PATH}",
        "MCP_CALLBACK_URL": f"{listeners.public_url}/",
        "MCP_URL": f"{listeners.public_url}/mcp",
        "RUNNER_API_URL": listeners.internal_url,
        "WORKSPACE_ENDPOINT": f"{listeners.internal_url}/live",
        "WORKSPACE_URL": f"ws{listeners.public_url.removeprefix('http')}{WORKSPACE_PATH}",
        "TRANSCRIBER": "embedded",
        "RUNNER_SECRETS": "",  # credentials come from the environment
        "RUNNER_EXCEPTIONS": "shown",  # the author of an agent reads it in the stream
        "RUN_CONTENTS": os.environ.get("RUN_CONTENTS", "true"),  # and in the console what its models were asked
    }


def _install_agent(folder: Path) -> None:
    """Install the agent of the file, or of the project's folder, that `AGENT` names. Raises StartError."""
    if not (agent := os.environ.get("AGENT")):
        return
    file = Path(agent)
    if not file.exists():
        raise StartError(f"AGENT: {file} is neither a file nor a folder")
    install = agent_project.install if file.is_dir() else agent_file.install
    bundled = descriptors.FILE if descriptors.FILE.is_file() else None
    agents = Path(os.environ["SYSTEM_AGENTS"]) if os.environ.get("SYSTEM_AGENTS") else bundled
    try:
        installed = install(file.absolute(), agents, folder, agent_file.config_of(os.environ.get("AGENT_CONFIG", "")))
    except (TypeError, ValueError) as error:
        raise StartError(f"AGENT: {file}: {error}") from error
    os.environ["SYSTEM_AGENTS"] = str(installed)


def _host(functions: Mapping[str, Function]) -> LambdaHost:
    """Import the functions. Raises StartError."""
    try:
        return LambdaHost(functions)
    except (descriptors.SystemAgentsError, ModelsError) as error:
        raise StartError(str(error)) from None


@dataclass(frozen=True, slots=True)
class _Parts:
    """The stack's APIs, events and streams, connected to its functions."""

    host: LambdaHost
    listeners: Listeners
    gateway: Gateway
    internal_gateway: Gateway | None
    web_socket: WebSocketGateway | None
    bus: EventBus
    streams: TableStreams
    published: PublishedEvents
    queues: QueueDelivery
    push_applications: frozenset[str]
    """ARNs of SNS's platform applications, as functions know them."""


def _connected(stack: Stack, host: LambdaHost, listeners: Listeners) -> _Parts:
    return _Parts(
        host,
        listeners,
        Gateway(stack.api, host),
        None if stack.internal_api is None else Gateway(stack.internal_api, host),
        None if stack.web_socket_api is None else WebSocketGateway(stack.web_socket_api, host),
        EventBus(stack.rules, host),
        TableStreams(stack, host),
        PublishedEvents(stack.event_buses, stack.queue_rules, send),
        QueueDelivery(stack.queue_mappings, host),
        frozenset(
            filter(None, (os.environ.get(f"{name}_APPLICATION_ARN") for name in ("APNS", "APNS_SANDBOX", "FCM")))
        ),
    )


def _watched(emulator: Emulator) -> list[EmulatorError]:
    """Stop the stack when the emulator cannot be restarted; returns a list that gets the error then."""
    ended: list[EmulatorError] = []

    def emulator_ended(error: EmulatorError) -> None:
        ended.append(error)
        os.kill(os.getpid(), signal.SIGTERM)

    emulator.watch(emulator_ended)
    return ended


def _loss(sandboxes: Sandboxes) -> list[str]:
    return ["the process that starts functions was killed"] if sandboxes.lost else []


def _serve(
    parts: _Parts, issuer: Issuer, scheduler: Scheduler, sandboxes: Sandboxes, ready: Callable[[str], None]
) -> int:
    """Serve both ports until a signal; returns the exit code."""
    host, web_socket, (public, internal) = parts.host, parts.web_socket, parts.listeners
    service = PushService(parts.listeners.public_url)
    applications = PushApplications(parts.push_applications, service.show)
    inside = lambda_api(host, parts.bus, parts.streams, scheduler, parts.published, applications)
    if parts.internal_gateway is not None:
        inside.mount("/", parts.internal_gateway)
    within: ASGIApp = inside if web_socket is None else connections_api(web_socket, inside)
    pushes = push_routes(service, issuer.origins, applications.remove_app)
    identity = issuer.app(kill_route(host.kill, issuer.origins), events_route(parts.published, issuer.origins), *pushes)
    app = by_port(internal.getsockname()[1], within, identity, parts.gateway, web_socket)
    gc.freeze()  # loaded modules stay, as in a Lambda sandbox

    async def started() -> None:
        await sandboxes.start()
        if endpoint := os.environ.get("AWS_ENDPOINT_URL_DYNAMODB"):
            parts.streams.poll(endpoint)
        scheduler.start()
        parts.queues.start()
        ready(parts.listeners.public_url)

    closing: list[Closing] = [parts.gateway, parts.streams, scheduler, parts.queues]
    if web_socket is not None:
        closing.append(web_socket)
    return serve(app, closing, [public, internal], started)
