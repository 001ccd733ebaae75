"""AWS clients, one per process. Endpoints come from AWS's own variables. They are botocore's: boto3's take another 11
ms to import.
"""

import random
from collections.abc import Callable
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, Any, cast

from botocore.config import Config
from botocore.session import Session

from yarrow.settings import settings

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_lambda import LambdaClient
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_stepfunctions import SFNClient

# Timeouts are well within the shortest function's; standard retries back off with jitter. Validating parameters, which
# types have checked, and composing a user agent would take 40% of a call's processor time.
_CONFIG = Config(
    connect_timeout=2,
    read_timeout=5,
    retries={"mode": "standard", "total_max_attempts": 4},
    max_pool_connections=64,
    parameter_validation=False,
    user_agent="yarrow",
)

# Without these, presigned URLs use SigV2, which new buckets reject, and another region's endpoint.
_S3_CONFIG = _CONFIG.merge(Config(signature_version="s3v4", s3={"addressing_style": "virtual"}))

# A runner's function streams as long as its run lasts, and may send nothing for that long.
_STREAMING = _CONFIG.merge(Config(read_timeout=900, tcp_keepalive=True))

# A search first embeds its query, which takes seconds; both tries end within a runner's 30 seconds.
_SEARCH_CONFIG = _CONFIG.merge(Config(read_timeout=12, retries={"mode": "standard", "total_max_attempts": 2}))

# A model may take as long as a request; `yarrow.services.models` retries.
_MODEL_CONFIG = _CONFIG.merge(Config(read_timeout=120, retries={"mode": "standard", "total_max_attempts": 1}))

# No retries: only the receiver knows whether an unanswered push arrived.
_PUSH_CONFIG = _CONFIG.merge(Config(retries={"mode": "standard", "total_max_attempts": 1}))

# Of many notifications that are sent at once, each ends within 11 seconds; a queue has them sent again.
_SNS_CONFIG = _CONFIG.merge(Config(read_timeout=3, retries={"mode": "standard", "total_max_attempts": 2}))

# Sessions are not thread-safe; clients are.
_making = Lock()


@cache
def _session() -> Session:
    return Session()


def at_start(*makes: Callable[[], object]) -> None:
    """Create clients in Lambda's init phase, which has a full CPU and is part of snapshots.

    Environments that are restored from one snapshot seed their random numbers anew; else all would wait alike.
    """
    if settings.in_lambda:
        for make in makes:
            make()
    if settings.takes_snapshot:
        from snapshot_restore_py import register_after_restore  # type: ignore[import-untyped]  # of the managed runtime

        register_after_restore(random.seed)


def credentials() -> Any:
    """Return the credentials of this process, to sign requests for which there is no client."""
    return _session().get_credentials()


def dynamodb() -> "DynamoDBClient":
    with _making:
        return _dynamodb()


def step_functions() -> "SFNClient":
    with _making:
        return _step_functions()


def lambda_() -> "LambdaClient":
    with _making:
        return _lambda()


def scheduler() -> Any:
    with _making:
        return _scheduler()


def s3() -> "S3Client":
    with _making:
        return _s3()


def bedrock_runtime() -> Any:
    with _making:
        return _bedrock_runtime()


def bedrock_agent_runtime() -> Any:
    with _making:
        return _bedrock_agent_runtime()


def secrets_manager() -> Any:
    with _making:
        return _secrets_manager()


def kms() -> Any:
    with _making:
        return _kms()


def transcribe() -> Any:
    with _making:
        return _transcribe()


def event_bridge() -> Any:
    with _making:
        return _event_bridge()


def sqs() -> Any:
    with _making:
        return _sqs()


def sns(region: str) -> Any:
    """Return the client of a region: SNS sends to phones in some regions alone."""
    with _making:
        return _sns(region)


def connections() -> Any:
    """API Gateway's `@connections`, for workspaces."""
    with _making:
        return _connections()


@cache
def _dynamodb() -> "DynamoDBClient":
    return cast("DynamoDBClient", _session().create_client("dynamodb", config=_CONFIG))


@cache
def _step_functions() -> "SFNClient":
    return cast("SFNClient", _session().create_client("stepfunctions", config=_CONFIG))


@cache
def _lambda() -> "LambdaClient":
    return cast("LambdaClient", _session().create_client("lambda", config=_STREAMING))


@cache
def _s3() -> "S3Client":
    return cast("S3Client", _session().create_client("s3", config=_S3_CONFIG))


@cache
def _secrets_manager() -> Any:
    return _session().create_client("secretsmanager", config=_CONFIG)


@cache
def _kms() -> Any:
    # Any: as for EventBridge.
    return _session().create_client("kms", config=_CONFIG)


@cache
def _scheduler() -> Any:
    # Any: stubs would be another development dependency for four calls.
    return _session().create_client("scheduler", config=_CONFIG)


@cache
def _event_bridge() -> Any:
    # Any: stubs would be another development dependency for one call.
    return _session().create_client("events", config=_CONFIG)


@cache
def _sqs() -> Any:
    # Any: as for EventBridge.
    return _session().create_client("sqs", config=_CONFIG)


@cache
def _sns(region: str) -> Any:
    # Any: as for EventBridge.
    return _session().create_client("sns", region_name=region, config=_SNS_CONFIG)


@cache
def _transcribe() -> Any:
    return _session().create_client("transcribe", config=_CONFIG)


@cache
def _bedrock_runtime() -> Any:
    return _session().create_client("bedrock-runtime", config=_MODEL_CONFIG)


@cache
def _bedrock_agent_runtime() -> Any:
    # Any: stubs would be another development dependency for one call.
    return _session().create_client("bedrock-agent-runtime", config=_SEARCH_CONFIG)


@cache
def _connections() -> Any:
    return _session().create_client(
        "apigatewaymanagementapi", endpoint_url=settings.workspace_endpoint, config=_PUSH_CONFIG
    )
