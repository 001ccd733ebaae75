"""API Gateway's S3 integration: puts a request's body in a bucket."""

import asyncio
import logging
import re
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

import boto3
from botocore.exceptions import BotoCoreError, ClientError

from local.api_gateway.proxy_event import ProxyCall
from local.api_gateway.responses import GatewayError, Rendered, ResponseType, context_of, fill
from local.api_gateway.routing import Match
from local.stack import Api, StorageAnswer, StorageIntegration

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

logger = logging.getLogger(__name__)

_SEGMENT = re.compile(r"[A-Za-z0-9._~-]+")
"""Characters that S3's address may hold: API Gateway does not encode them."""
_BAD_REQUEST = 400

_REQUEST_ID = "context.requestId"
"""A client may choose it, by the header `x-amzn-RequestId`."""

_UPLOAD_ID = re.compile(r".{8}-.{4}-.{4}-.{4}-.{12}")
"""The request ids for which the upload role may put objects."""
_FORBIDDEN = 403


async def store(
    api: Api,
    integration: StorageIntegration,
    call: ProxyCall,
    match: Match,
    identity: Mapping[str, Any] | None,
    body: bytes,
) -> Rendered:
    """Put the body and render the response. Raises `GatewayError`."""
    if any(call.header(name) is None for name in integration.required_headers):
        raise GatewayError(ResponseType.BAD_REQUEST_PARAMETERS)
    key = integration.key
    for name, source in integration.parameters.items():
        value = _value(source, call, identity)
        if not _SEGMENT.fullmatch(value):
            return _rendered(_answer(integration, _BAD_REQUEST), context_of(api, call, match))
        if source == _REQUEST_ID and not _UPLOAD_ID.fullmatch(value):
            return _rendered(_answer(integration, _FORBIDDEN), context_of(api, call, match))
        key = key.replace(f"{{{name}}}", value)
    headers = {name: _value(source, call, identity) for name, source in integration.headers.items()}
    try:
        async with asyncio.timeout(integration.timeout):
            status = await asyncio.to_thread(_put, integration.bucket, key, body, headers.get("Content-Type", ""))
    except TimeoutError as error:
        raise GatewayError(ResponseType.INTEGRATION_TIMEOUT) from error
    except BotoCoreError as error:
        logger.error("S3 is unreachable: %s", type(error).__name__)  # noqa: TRY400 (a traceback of ours says nothing)
        raise GatewayError(ResponseType.DEFAULT_5XX) from error
    return _rendered(_answer(integration, status), context_of(api, call, match))


@cache
def _client() -> "S3Client":
    return boto3.session.Session().client("s3")


def _put(bucket: str, key: str, body: bytes, content_type: str) -> int:
    try:
        _client().put_object(Bucket=bucket, Key=key, Body=body)
        # moto would parse a form that is put with its type.
        _client().copy_object(
            Bucket=bucket,
            Key=key,
            CopySource={"Bucket": bucket, "Key": key},
            ContentType=content_type,
            MetadataDirective="REPLACE",
        )
    except ClientError as error:
        return error.response["ResponseMetadata"]["HTTPStatusCode"]
    return 200


def _value(source: str, call: ProxyCall, identity: Mapping[str, Any] | None) -> str:
    kind, _, name = source.rpartition(".")
    if kind == "method.request.header":
        return call.header(name) or ""
    return call.request_id if source == _REQUEST_ID else str((identity or {}).get(name, ""))


def _answer(integration: StorageIntegration, status: int) -> StorageAnswer:
    patterns = (pattern for pattern in integration.answers if pattern != "default")
    return integration.answers[next((pattern for pattern in patterns if re.fullmatch(pattern, str(status))), "default")]


def _rendered(answer: StorageAnswer, context: Mapping[str, Any]) -> Rendered:
    headers = {"content-type": "application/json"} | {name.lower(): value for name, value in answer.headers.items()}
    headers |= {name.lower(): fill(value, context) for name, value in answer.computed.items()}
    return Rendered(answer.status, headers, fill(answer.template, context).encode())
