"""What a template says, in plain types: the functions, the API, the tables, buckets, state machines and rules.

Every intrinsic function is resolved here and every name is final. Reading a template into this is `template`'s work.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ACCOUNT = "123456789012"
REGION = "us-east-1"


IAM = "AWS_IAM"
"""The authorizer of routes that only roles may call."""


class TemplateError(Exception):
    """The template says something that the local stack does not understand; the message names it."""


@dataclass(frozen=True, slots=True)
class Function:
    """One Lambda function; `timeout` in seconds, `memory` in MB."""

    name: str
    arn: str
    folder: Path
    handler: str
    environment: Mapping[str, str]
    timeout: int
    memory: int


@dataclass(frozen=True, slots=True)
class LambdaIntegration:
    """A proxy integration with the function of that name; `timeout` in seconds covers the whole answer."""

    function: str
    streaming: bool
    timeout: float


@dataclass(frozen=True, slots=True)
class MockIntegration:
    """A fixed answer by API Gateway itself (the CORS preflight)."""

    status: int
    headers: Mapping[str, str]
    body: str


@dataclass(frozen=True, slots=True)
class StorageAnswer:
    """How API Gateway words one outcome of a storage integration; `template` and what it sets of the response's
    headers, `computed`, may name `$context` variables."""

    status: int
    headers: Mapping[str, str]
    computed: Mapping[str, str]
    template: str


@dataclass(frozen=True, slots=True)
class StorageIntegration:
    """A service integration that puts the body of a request in a bucket as it comes.

    `key` is the object's with `{placeholders}`, whose sources `parameters` names, as `headers` does those of the
    object's headers: `context.…` or `method.request.header.…`. `answers` are by pattern of S3's status, `default` for
    the rest. Without one of `required_headers` a request is refused. `timeout` is in seconds.
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
    """A REQUEST authorizer: the function that decides, the headers that identify a caller, and for how many seconds
    a decision holds."""

    function: str
    identity_headers: tuple[str, ...]
    ttl: int


@dataclass(frozen=True, slots=True)
class GatewayResponse:
    """How API Gateway words one kind of its own answers; `status` None keeps the kind's own."""

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
class Table:
    """A DynamoDB table: the arguments of CreateTable, and the attribute that expires items, if any."""

    definition: Mapping[str, Any]
    ttl_attribute: str | None


@dataclass(frozen=True, slots=True)
class StateMachine:
    """A state machine with its definition, substitutions made."""

    name: str
    arn: str
    definition: str


@dataclass(frozen=True, slots=True)
class Rule:
    """An EventBridge rule: which events, and the functions they go to."""

    name: str
    pattern: Mapping[str, Any]
    targets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Stack:
    """Everything a template makes; `functions` by name. All routes of `internal_api` are for roles."""

    functions: Mapping[str, Function]
    api: Api
    tables: tuple[Table, ...]
    buckets: tuple[str, ...]
    state_machines: tuple[StateMachine, ...]
    rules: tuple[Rule, ...]
    internal_api: Api | None = None
