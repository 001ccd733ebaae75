"""What the state machine tries again: the errors that may pass, by the names under which tasks and Lambda tell them."""

import json
from typing import Any

import pytest
from botocore.exceptions import (
    ClientError,
    ConnectionClosedError,
    ConnectTimeoutError,
    EndpointConnectionError,
    HTTPClientError,
    IncompleteReadError,
    NoCredentialsError,
    ParamValidationError,
    ReadTimeoutError,
    SSLError,
)

from tests.support.paths import ROOT
from yarrow.store.runs import ReplacedError
from yarrow.store.table import ConditionFailedError
from yarrow.web.lambda_task import task

MACHINE = json.loads((ROOT / "functions/execute_run/run.asl.json").read_text(encoding="utf-8"))
WORK = MACHINE["States"]["Work"]
TRIED_AGAIN = {name for retry in WORK["Retry"] for name in retry["ErrorEquals"]}
URL: dict[str, Any] = {"endpoint_url": "https://dynamodb.us-east-1.amazonaws.com", "error": "no"}


class Context:
    function_name = "Function"
    aws_request_id = "request-1"


def of_aws(code: str, status: int = 400, *reasons: str) -> ClientError:
    answer: dict[str, Any] = {"Error": {"Code": code}, "ResponseMetadata": {"HTTPStatusCode": status}}
    if reasons:
        answer["CancellationReasons"] = [{"Code": reason} for reason in reasons]
    return ClientError(answer, "PutItem")  # type: ignore[arg-type] # as AWS answers, with fewer members


def named(error: Exception) -> str:
    """The name under which a task that meets this error fails."""

    @task
    def handler(event: dict[str, Any]) -> None:
        raise error

    with pytest.raises(Exception, match=r"^see the log of request request-1$") as caught:
        handler({}, Context())
    return type(caught.value).__name__


@pytest.mark.parametrize(
    "error",
    [
        of_aws("ThrottlingException"),
        of_aws("ProvisionedThroughputExceededException"),
        of_aws("RequestLimitExceeded"),
        of_aws("SlowDown", 503),
        of_aws("InternalError", 500),
        of_aws("InternalServerError", 500),
        of_aws("ServiceUnavailable", 503),
        of_aws("503", 503),
        of_aws("TransactionConflictException"),
        of_aws("TransactionInProgressException"),
        of_aws("TransactionCanceledException", 400, "None", "TransactionConflict"),
        of_aws("TransactionCanceledException", 400, "ThrottlingError"),
        ConnectionClosedError(**URL),
        ConnectTimeoutError(**URL),
        EndpointConnectionError(**URL),
        HTTPClientError(error="no"),
        IncompleteReadError(actual_bytes=1, expected_bytes=2),
        ReadTimeoutError(**URL),
        SSLError(**URL),
        ReplacedError(),
        ConditionFailedError([True]),
    ],
    ids=repr,
)
def test_what_may_pass_is_tried_again(error: Exception) -> None:
    """CMP-11."""
    assert named(error) in TRIED_AGAIN


@pytest.mark.parametrize(
    "error",
    [
        of_aws("ValidationException"),
        of_aws("AccessDeniedException"),
        of_aws("AccessDenied", 403),
        of_aws("ResourceNotFoundException"),
        of_aws("NoSuchBucket", 404),
        of_aws("ItemCollectionSizeLimitExceededException"),
        of_aws("TransactionCanceledException", 400, "None", "ValidationError"),
        ParamValidationError(report="no"),
        NoCredentialsError(),
        KeyError("TABLE_NAME"),
        LookupError("there is no run"),
        RuntimeError("no"),
        ValueError("no"),
        TimeoutError(),
    ],
    ids=repr,
)
def test_what_will_be_the_same_ends_the_run_at_once(error: Exception) -> None:
    """RUN-27, CMP-11: it goes to Fail, without a second worker that costs as much and comes to the same."""
    assert named(error) not in TRIED_AGAIN


@pytest.mark.parametrize(
    "name", ["States.ALL", "States.TaskFailed", "States.Timeout", "Sandbox.Timedout", "Runtime.ImportModuleError"]
)
def test_nor_is_what_covers_all_or_took_its_time_already(name: str) -> None:
    """RUN-27."""
    assert name not in TRIED_AGAIN


def test_a_worker_that_died_or_never_began_is_replaced() -> None:
    """CMP-11: AWS's own list for Lambda, what a snapshot that is not ready says, and how a dead process is told."""
    assert {
        "Lambda.ServiceException",
        "Lambda.AWSLambdaException",
        "Lambda.SdkClientException",
        "Lambda.TooManyRequestsException",
        "Lambda.SnapStartNotReadyException",
        "Lambda.Unknown",
        "Runtime.ExitError",
    } <= TRIED_AGAIN
    assert all(retry["MaxAttempts"] <= 5 and retry["JitterStrategy"] == "FULL" for retry in WORK["Retry"])
