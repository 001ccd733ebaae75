"""The AWS clients, one of each per process, made on first use. Endpoints come from the standard AWS variables."""

from functools import cache
from threading import Lock
from typing import TYPE_CHECKING

import boto3
from botocore.config import Config

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_stepfunctions import SFNClient

# Each wait has a limit well inside the shortest function's; standard retries back off with jitter.
_CONFIG = Config(
    connect_timeout=2, read_timeout=5, retries={"mode": "standard", "total_max_attempts": 4}, max_pool_connections=64
)

# A session may not make clients in several threads at once; the clients themselves may be shared.
_making = Lock()


@cache
def _session() -> boto3.session.Session:
    return boto3.session.Session()


def dynamodb() -> "DynamoDBClient":
    """The DynamoDB client."""
    with _making:
        return _dynamodb()


def step_functions() -> "SFNClient":
    """The Step Functions client."""
    with _making:
        return _step_functions()


@cache
def _dynamodb() -> "DynamoDBClient":
    return _session().client("dynamodb", config=_CONFIG)


@cache
def _step_functions() -> "SFNClient":
    return _session().client("stepfunctions", config=_CONFIG)
