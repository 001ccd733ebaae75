"""Every call of AWS that Yarrow makes, with botocore's data as the core layer has it.

Endpoint rules, serialisers and parsers run; only the answer is made here, so no network is needed.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import pytest
from botocore.awsrequest import AWSPreparedRequest, AWSResponse
from botocore.client import BaseClient
from botocore.config import Config
from botocore.loaders import Loader
from botocore.session import Session

from tests.support import layers
from tests.support.paths import ROOT

KEY: Final = {"pk": {"S": "RUN#1"}, "sk": {"S": "META"}}
MESSAGES: Final = [{"role": "user", "content": [{"text": "hello"}]}]
NOTHING: Final = b"{}"
ITEM: Final = b'{"Item": {"pk": {"S": "RUN#1"}}}'
STORED: Final = {"TableName": "table", "Key": KEY}
OBJECT: Final = {"Bucket": "a-bucket", "Key": "staged/a b/1"}
JOB: Final = {"TranscriptionJobName": "yarrow-1"}
SCHEDULE: Final = {
    "GroupName": "jobs",
    "Name": "job-1",
    "ScheduleExpression": "cron(30 5 * * ? *)",
    "FlexibleTimeWindow": {"Mode": "OFF"},
    "ClientToken": "1",
    "Target": {"Arn": "arn:aws:lambda:eu-west-1:1:function:f:live", "RoleArn": "arn:aws:iam::1:role/r", "Input": "{}"},
}
LISTED: Final = (
    b'<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><IsTruncated>false</IsTruncated>'
    b"<Contents><Key>staged/a b/1</Key><Size>3</Size></Contents></ListBucketResult>"
)

CALLS: Final[Mapping[str, Mapping[str, tuple[Mapping[str, Any], bytes]]]] = {
    "apigatewaymanagementapi": {
        "delete_connection": ({"ConnectionId": "Kx="}, b""),
        "post_to_connection": ({"ConnectionId": "Kx=", "Data": b"frame"}, b""),
    },
    "bedrock-agent-runtime": {
        "retrieve": (
            {
                "knowledgeBaseId": "KB12345678",
                "retrievalQuery": {"text": "moving lines"},
                "retrievalConfiguration": {"vectorSearchConfiguration": {"numberOfResults": 3}},
            },
            b'{"retrievalResults": [{"content": {"text": "found"}, "score": 0.5}]}',
        )
    },
    "bedrock-runtime": {
        "converse": (
            {"modelId": "us.amazon.nova-lite-v1:0", "messages": MESSAGES},
            b'{"output": {"message": {"role": "assistant", "content": [{"text": "hi"}]}}, "stopReason": "end_turn"}',
        ),
        "converse_stream": ({"modelId": "us.amazon.nova-lite-v1:0", "messages": MESSAGES}, b""),
    },
    "dynamodb": {
        "batch_get_item": ({"RequestItems": {"table": {"Keys": [KEY], "ConsistentRead": True}}}, NOTHING),
        "batch_write_item": ({"RequestItems": {"table": [{"DeleteRequest": {"Key": KEY}}]}}, NOTHING),
        "delete_item": (STORED, NOTHING),
        "get_item": (STORED, ITEM),
        "put_item": ({"TableName": "table", "Item": KEY}, NOTHING),
        "query": (
            {
                "TableName": "table",
                "KeyConditionExpression": "pk = :pk",
                "ExpressionAttributeValues": {":pk": {"S": "RUN#1"}},
            },
            b'{"Count": 1, "Items": [{"pk": {"S": "RUN#1"}}]}',
        ),
        "transact_write_items": (
            {
                "TransactItems": [
                    {"ConditionCheck": STORED | {"ConditionExpression": "attribute_exists(pk)"}},
                    {"Put": {"TableName": "table", "Item": KEY}},
                ],
                "ClientRequestToken": "1",
            },
            NOTHING,
        ),
        "update_item": (STORED | {"UpdateExpression": "REMOVE a", "ReturnValues": "ALL_NEW"}, NOTHING),
    },
    "events": {
        "put_events": (
            {
                "Entries": [
                    {
                        "EventBusName": "events",
                        "Source": "yarrow",
                        "DetailType": "run.completed",
                        "Time": datetime(2026, 11, 1, tzinfo=UTC),
                        "Detail": "{}",
                    }
                ]
            },
            b'{"FailedEntryCount": 1, "Entries": [{"EventId": "1"}, {"ErrorCode": "ThrottlingException"}]}',
        )
    },
    "sqs": {
        "send_message": (
            {"QueueUrl": "https://sqs.eu-west-1.amazonaws.com/1/queue", "MessageBody": "{}", "DelaySeconds": 5},
            b'{"MessageId": "1", "MD5OfMessageBody": "99914b932bd37a50b983c5e7c90ae93b"}',
        )
    },
    "sns": {
        "create_platform_endpoint": (
            {"PlatformApplicationArn": "arn:aws:sns:eu-west-1:1:app/APNS/a", "Token": "0a"},
            b"<Answer><CreatePlatformEndpointResult><EndpointArn>arn</EndpointArn></CreatePlatformEndpointResult></Answer>",
        ),
        "set_endpoint_attributes": (
            {"EndpointArn": "arn", "Attributes": {"Enabled": "true", "Token": "0a"}},
            b"<SetEndpointAttributesResponse/>",
        ),
        "delete_endpoint": ({"EndpointArn": "arn"}, b"<DeleteEndpointResponse/>"),
        "publish": (
            {
                "TargetArn": "arn",
                "Message": "{}",
                "MessageStructure": "json",
                "MessageAttributes": {"AWS.SNS.MOBILE.APNS.TTL": {"DataType": "String", "StringValue": "60"}},
            },
            b"<PublishResponse><PublishResult><MessageId>1</MessageId></PublishResult></PublishResponse>",
        ),
    },
    "kms": {
        "encrypt": (
            {"KeyId": "alias/stack/runners/mcp-connections", "Plaintext": b"a", "EncryptionContext": {"user": "1"}},
            b'{"CiphertextBlob": "AQ==", "KeyId": "arn"}',
        ),
        "decrypt": (
            {
                "KeyId": "alias/stack/runners/mcp-connections",
                "CiphertextBlob": b"a",
                "EncryptionContext": {"user": "1"},
            },
            b'{"Plaintext": "AQ==", "KeyId": "arn"}',
        ),
    },
    "lambda": {"invoke_with_response_stream": ({"FunctionName": "runner", "Payload": b"{}"}, b"")},
    "s3": {
        "delete_object": (OBJECT, b""),
        "get_object": (OBJECT | {"Range": "bytes=0-2"}, b"abc"),
        "head_object": (OBJECT, b""),
        "list_objects_v2": ({"Bucket": "a-bucket", "Prefix": "staged/", "MaxKeys": 10}, LISTED),
        "put_object": (OBJECT | {"Body": b"abc", "ContentType": "image/png", "IfNoneMatch": "*"}, b""),
    },
    "scheduler": {
        "create_schedule": (SCHEDULE, b'{"ScheduleArn": "arn"}'),
        "delete_schedule": ({"GroupName": "jobs", "Name": "job-1", "ClientToken": "1"}, NOTHING),
        "list_schedules": ({"GroupName": "jobs", "NamePrefix": "job-"}, b'{"Schedules": [{"Name": "job-1"}]}'),
        "update_schedule": (SCHEDULE, b'{"ScheduleArn": "arn"}'),
    },
    "secretsmanager": {
        "batch_get_secret_value": (
            {"SecretIdList": ["stack/runners/key"]},
            b'{"SecretValues": [{"Name": "stack/runners/key", "SecretString": "s"}]}',
        )
    },
    "stepfunctions": {
        "start_execution": (
            {"stateMachineArn": "arn:aws:states:eu-west-1:1:stateMachine:runs", "name": "1", "input": "{}"},
            b'{"executionArn": "arn", "startDate": 1.5}',
        ),
        "stop_execution": ({"executionArn": "arn:aws:states:eu-west-1:1:execution:runs:1"}, b'{"stopDate": 1.5}'),
    },
    "transcribe": {
        "delete_transcription_job": (JOB, b""),
        "get_transcription_job": (JOB, b'{"TranscriptionJob": {"TranscriptionJobStatus": "COMPLETED"}}'),
        "start_transcription_job": (
            JOB | {"LanguageCode": "zh-CN", "Media": {"MediaFileUri": "s3://a-bucket/transcription/1"}},
            b'{"TranscriptionJob": {"TranscriptionJobStatus": "IN_PROGRESS"}}',
        ),
    },
}
"""By service and operation, arguments and the body of the answer."""

CONFIG: Final = Config(
    parameter_validation=False,
    signature_version="s3v4",
    s3={"addressing_style": "virtual"},
    retries={"total_max_attempts": 1},
)
PARTITIONS: Final = {"eu-west-1": "amazonaws.com", "cn-north-1": "amazonaws.com.cn", "us-gov-west-1": "amazonaws.com"}


@pytest.fixture(scope="module")
def trimmed(tmp_path_factory: pytest.TempPathFactory) -> Loader:
    data = tmp_path_factory.mktemp("botocore") / "data"
    layers.copy_botocore_data(data)
    return Loader([str(data)], include_default_search_paths=False)


@pytest.fixture(scope="module")
def full() -> Loader:
    return Loader()


def client(loader: Loader, service: str, region: str) -> BaseClient:
    session = Session()
    session.register_component("data_loader", loader)
    session.set_credentials("a", "b")
    config = CONFIG if service == "s3" else CONFIG.merge(Config(signature_version="v4"))
    made: BaseClient = session.create_client(service, region, config=config)
    return made


class _Raw:
    """A response's body, as urllib3 gives it."""

    def __init__(self, body: bytes) -> None:
        self._body = body

    def stream(self, **_: object) -> Iterator[bytes]:
        yield self.read()

    def read(self, *_: object) -> bytes:
        body, self._body = self._body, b""
        return body


def called(made: BaseClient, operation: str, arguments: Mapping[str, Any], body: bytes) -> tuple[object, ...]:
    """The request that was signed, and the parsed answer."""
    sent: list[Any] = []

    def answer(request: AWSPreparedRequest, **_: object) -> Any:
        sent.append(request)
        headers: Any = {"content-length": str(len(body)), "x-amzn-requestid": "1"}
        return AWSResponse(request.url, 200, headers, _Raw(body))

    made.meta.events.register("before-send", answer, unique_id="answer")
    parsed = getattr(made, operation)(**arguments)
    made.meta.events.unregister("before-send", unique_id="answer")
    [request] = sent
    assert request.headers["Authorization"].startswith(b"AWS4-HMAC-SHA256")
    read = {name: member.read() if hasattr(member, "read") else member for name, member in parsed.items()}
    read = {name: type(member) if name in {"stream", "EventStream"} else member for name, member in read.items()}
    content = request.body.read() if hasattr(request.body, "read") else request.body
    return request.method, request.url, content, read


@pytest.mark.parametrize("region", PARTITIONS)
@pytest.mark.parametrize("service", CALLS)
def test_calls_from_the_trimmed_data_are_those_of_the_full_data(
    trimmed: Loader, full: Loader, service: str, region: str
) -> None:
    clients = [client(loader, service, region) for loader in (trimmed, full)]
    for operation, (arguments, body) in CALLS[service].items():
        found, expected = (called(made, operation, arguments, body) for made in clients)
        assert found == expected, operation
        assert re.match(rf"https://[a-z0-9.-]+\.{re.escape(PARTITIONS[region])}/", str(found[1]))


def test_urls_and_forms_are_signed_from_the_trimmed_data(trimmed: Loader) -> None:
    s3: Any = client(trimmed, "s3", "eu-west-1")
    url = s3.generate_presigned_url("get_object", Params=OBJECT, ExpiresIn=60)
    assert url.startswith("https://a-bucket.s3.eu-west-1.amazonaws.com/staged/a%20b/1?X-Amz-Algorithm=AWS4-HMAC-")
    form = s3.generate_presigned_post("a-bucket", "staged/1", Fields={}, Conditions=[], ExpiresIn=60)
    assert form["url"].startswith("https://a-bucket.s3")
    assert {"key", "policy", "x-amz-signature"} <= form["fields"].keys()


def test_every_operation_that_yarrow_calls_is_tried() -> None:
    """`converse` is called by pydantic-ai; `create_schedule` and `update_schedule` are chosen between at run time."""
    names = {operation for operations in CALLS.values() for operation in operations}
    used = {name for path in (ROOT / "layers/core/yarrow").rglob("*.py") for name in _operations(path)}
    assert used - names == {"generate_presigned_url", "generate_presigned_post", "get_paginator"}
    assert names - used <= {"converse", "converse_stream", "create_schedule", "update_schedule", "list_schedules"}
    assert CALLS.keys() == layers.services()


def _operations(path: Path) -> Iterator[str]:
    """Yield the attributes of what functions of `yarrow.store.clients` return."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Attribute(value=ast.Call(func=ast.Attribute(value=ast.Name("clients"))), attr=name):
                yield name
