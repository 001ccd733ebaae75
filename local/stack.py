"""A template's stack in plain types: functions, APIs, tables and their streams, buckets, queues, state machines,
event buses, rules, schedules.

`template` has already resolved names and intrinsic functions.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ACCOUNT = "123456789012"
REGION = "us-east-1"


IAM = "AWS_IAM"
"""The authorizer of routes for roles only."""


class TemplateError(Exception):
    """The template has something that the local stack does not support; the message names it."""


@dataclass(frozen=True, slots=True)
class Function:
    """A Lambda function; `timeout` is in seconds, `memory` in MB, `concurrency` the reserved one, if any."""

    name: str
    arn: str
    folder: Path
    handler: str
    environment: Mapping[str, str]
    timeout: int
    memory: int
    concurrency: int | None = None


@dataclass(frozen=True, slots=True)
class LambdaIntegration:
    """A proxy integration with a function; `timeout` in seconds covers the whole response."""

    function: str
    streaming: bool
    timeout: float


@dataclass(frozen=True, slots=True)
class MockIntegration:
    """A fixed response of API Gateway (the CORS preflight)."""

    status: int
    headers: Mapping[str, str]
    body: str


@dataclass(frozen=True, slots=True)
class StorageAnswer:
    """The response to one outcome of a storage integration; `template` and `computed` headers may use `$context`."""

    status: int
    headers: Mapping[str, str]
    computed: Mapping[str, str]
    template: str


@dataclass(frozen=True, slots=True)
class StorageIntegration:
    """A service integration that puts a request's body in a bucket.

    `key` is the object's, with `{placeholders}`; `parameters` and `headers` name the sources of placeholders and object
    headers: `context.…` or `method.request.header.…`. `answers` are by pattern of S3's status, or `default`. A request
    without one of `required_headers` is refused. `timeout` is in seconds.
    """

    bucket: str
    key: str
    parameters: Mapping[str, str]
    headers: Mapping[str, str]
    required_headers: tuple[str, ...]
    answers: Mapping[str, StorageAnswer]
    timeout: float


@dataclass(frozen=True, slots=True)
class Route:
    """One method of one resource; `path` as in the template (`/runs/{id}`), `method` upper-case, `ANY` for all."""

    method: str
    path: str
    integration: LambdaIntegration | MockIntegration | StorageIntegration
    authorizer: str | None


@dataclass(frozen=True, slots=True)
class Authorizer:
    """A REQUEST authorizer: function, identity headers, and the seconds a decision is cached."""

    function: str
    identity_headers: tuple[str, ...]
    ttl: int


@dataclass(frozen=True, slots=True)
class GatewayResponse:
    """The wording of one gateway response; `status` None keeps the default."""

    status: int | None
    headers: Mapping[str, str]
    templates: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Api:
    """The REST API; `authorizers` by name, `gateway_responses` by API Gateway's response type."""

    id: str
    stage: str
    routes: tuple[Route, ...]
    authorizers: Mapping[str, Authorizer]
    gateway_responses: Mapping[str, GatewayResponse]
    binary_media_types: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WebSocketApi:
    """A WebSocket API: its functions by route key, without selection by content, and the authorizer of `$connect`."""

    id: str
    stage: str
    routes: Mapping[str, str]
    authorizer: str | None


@dataclass(frozen=True, slots=True)
class TableDefinition:
    """A DynamoDB table: CreateTable's arguments, and the TTL attribute if any."""

    definition: Mapping[str, Any]
    ttl_attribute: str | None


@dataclass(frozen=True, slots=True)
class StreamMapping:
    """An event source mapping from a table's stream to a function.

    `retries` and `age` (seconds) limit how often and how long a batch is delivered again; None is no limit.
    """

    table: str
    function: str
    patterns: tuple[Mapping[str, Any], ...]
    batch_size: int
    parallel: int
    retries: int | None
    age: int | None
    bisects: bool


@dataclass(frozen=True, slots=True)
class StateMachine:
    name: str
    arn: str
    definition: str


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of the default event bus: its pattern and target functions."""

    name: str
    pattern: Mapping[str, Any]
    targets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class QueueMapping:
    """An event source mapping from a queue to a function."""

    queue: str
    function: str
    batch_size: int
    concurrency: int


@dataclass(frozen=True, slots=True)
class QueueRule:
    """A rule of one of the stack's event buses, and the queues that it sends to."""

    bus: str
    pattern: Mapping[str, Any]
    queues: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Stack:
    """All that a template creates; `functions` are by name, `schedules` are arguments of CreateSchedule.

    All routes of `internal_api` require IAM."""

    functions: Mapping[str, Function]
    api: Api
    tables: tuple[TableDefinition, ...]
    buckets: tuple[str, ...]
    """By name; `bucket_cors` has the CORS rules of those that have any."""
    state_machines: tuple[StateMachine, ...]
    rules: tuple[Rule, ...]
    internal_api: Api | None = None
    web_socket_api: WebSocketApi | None = None
    stream_mappings: tuple[StreamMapping, ...] = ()
    queues: tuple[str, ...] = ()
    queue_mappings: tuple[QueueMapping, ...] = ()
    queue_rules: tuple[QueueRule, ...] = ()
    event_buses: tuple[str, ...] = ()
    """By name, without the default one."""
    schedule_groups: tuple[str, ...] = ()
    schedules: tuple[Mapping[str, Any], ...] = ()
    bucket_cors: Mapping[str, tuple[Mapping[str, Any], ...]] = field(default_factory=dict)

    @property
    def background(self) -> tuple[str, ...]:
        """The names of functions that no API waits for: those of state machines, streams, rules and schedules."""
        apis = [api for api in (self.api, self.internal_api) if api is not None]
        waited = {getattr(route.integration, "function", None) for api in apis for route in api.routes}
        waited |= {authorizer.function for api in apis for authorizer in api.authorizers.values()}
        if self.web_socket_api is not None:
            waited |= {self.web_socket_api.authorizer, *self.web_socket_api.routes.values()}
        return tuple(name for name in self.functions if name not in waited)
