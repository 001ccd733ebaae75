"""The AWS clients, one of each per process, made on first use or as a function starts. Endpoints come from the standard
AWS variables."""

from collections.abc import Callable
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, Any

import boto3
from botocore.config import Config

from yarrow.settings import settings

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_lambda import LambdaClient
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_stepfunctions import SFNClient

# Each wait has a limit well inside the shortest function's; standard retries back off with jitter.
_CONFIG = Config(
    connect_timeout=2, read_timeout=5, retries={"mode": "standard", "total_max_attempts": 4}, max_pool_connections=64
)

# Without these, URLs are presigned as new buckets do not take them (SigV2) and name the endpoint of another region.
_S3_CONFIG = _CONFIG.merge(Config(signature_version="s3v4", s3={"addressing_style": "virtual"}))

# The answer of a runner's function streams for as long as its run goes on, and may be silent as long as that.
_STREAMING = _CONFIG.merge(Config(read_timeout=900, tcp_keepalive=True))

# A search embeds its query first, which takes seconds; both tries end within the 30 that a runner waits.
_SEARCH_CONFIG = Config(connect_timeout=2, read_timeout=12, retries={"mode": "standard", "total_max_attempts": 2})

# A model may think as long as a request may take; what is tried again, `yarrow.services.models` decides.
_MODEL_CONFIG = _CONFIG.merge(Config(read_timeout=120, retries={"mode": "standard", "total_max_attempts": 1}))

# A session may not make clients in several threads at once; the clients themselves may be shared.
_making = Lock()


@cache
def _session() -> boto3.session.Session:
    return boto3.session.Session()


def at_start(*makes: Callable[[], object]) -> None:
    """Make clients that every request of a function needs, where Lambda starts it; elsewhere first use makes them.

    Lambda starts functions with a whole processor, often before a request waits, and keeps what is made in snapshots.
    """
    if settings.in_lambda:
        for make in makes:
            make()


def dynamodb() -> "DynamoDBClient":
    """The DynamoDB client."""
    with _making:
        return _dynamodb()


def dynamodb_queries() -> "DynamoDBClient":
    """The same client, after it has read from disk how queries are paged."""
    client = dynamodb()
    client.can_paginate("query")
    return client


def step_functions() -> "SFNClient":
    """The Step Functions client."""
    with _making:
        return _step_functions()


def lambda_() -> "LambdaClient":
    """The Lambda client."""
    with _making:
        return _lambda()


def s3() -> "S3Client":
    """The S3 client."""
    with _making:
        return _s3()


def bedrock_runtime() -> Any:
    """The client that asks models of Amazon Bedrock."""
    with _making:
        return _bedrock_runtime()


def bedrock_agent_runtime() -> Any:
    """The client that searches knowledge bases of Amazon Bedrock."""
    with _making:
        return _bedrock_agent_runtime()


def secrets_manager() -> Any:
    """The client of Secrets Manager."""
    with _making:
        return _secrets_manager()


def transcribe() -> Any:
    """The client of Amazon Transcribe."""
    with _making:
        return _transcribe()


@cache
def _dynamodb() -> "DynamoDBClient":
    return _session().client("dynamodb", config=_CONFIG)


@cache
def _step_functions() -> "SFNClient":
    return _session().client("stepfunctions", config=_CONFIG)


@cache
def _lambda() -> "LambdaClient":
    return _session().client("lambda", config=_STREAMING)


@cache
def _s3() -> "S3Client":
    return _session().client("s3", config=_S3_CONFIG)


@cache
def _secrets_manager() -> Any:
    return _session().client("secretsmanager", config=_CONFIG)


@cache
def _transcribe() -> Any:
    return _session().client("transcribe", config=_CONFIG)


@cache
def _bedrock_runtime() -> Any:
    return _session().client("bedrock-runtime", config=_MODEL_CONFIG)


@cache
def _bedrock_agent_runtime() -> Any:
    # Any, for its stubs would be one more development dependency for one call.
    return _session().client("bedrock-agent-runtime", config=_SEARCH_CONFIG)
