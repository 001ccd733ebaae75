"""Reranks by a Bedrock model. Provider error texts are neither returned nor logged."""

from collections.abc import Mapping
from typing import Any, Final

from botocore.exceptions import BotoCoreError, ClientError, ConnectTimeoutError, ReadTimeoutError

from yarrow.observability.logs import logger
from yarrow.protocol.runner.api import AgentAPIException, RankedDocument, RerankRequest
from yarrow.store import clients

_BUSY: Final = frozenset({"ThrottlingException", "TooManyRequestsException"})
_REJECTED: Final = frozenset({"ValidationException"})


def ranked(model: str, request: RerankRequest) -> list[RankedDocument]:
    """Return the documents, best first. Blocks; boto3 retries. Raises AgentAPIException (RNR-62)."""
    try:
        client = clients.bedrock_agent_runtime()
        pages = client.get_paginator("rerank").paginate(**_arguments(_arn(model, client.meta), request))
        return [
            RankedDocument(index=result["index"], relevance_score=result["relevanceScore"])
            for page in pages
            for result in page["results"]
        ]
    except (BotoCoreError, ClientError) as error:
        code = error.response.get("Error", {}).get("Code") if isinstance(error, ClientError) else None
        logger.warning("a model failed", extra={"model": model, "error": type(error).__name__, "provider_code": code})
        raise _public(error, code) from None


def _arn(model: str, meta: Any) -> str:
    """Return the ARN of a foundation model's id; an inference profile is configured by its ARN."""
    if model.startswith("arn:"):
        return model
    return f"arn:{meta.partition}:bedrock:{meta.region_name}::foundation-model/{model}"


def _arguments(arn: str, request: RerankRequest) -> Mapping[str, Any]:
    return {
        "queries": [{"type": "TEXT", "textQuery": {"text": request.query}}],
        "sources": [
            {"type": "INLINE", "inlineDocumentSource": {"type": "TEXT", "textDocument": {"text": document}}}
            for document in request.documents
        ],
        "rerankingConfiguration": {
            "type": "BEDROCK_RERANKING_MODEL",
            "bedrockRerankingConfiguration": {
                "numberOfResults": min(request.top_k or len(request.documents), len(request.documents)),
                "modelConfiguration": {"modelArn": arn},
            },
        },
    }


def _public(error: BotoCoreError | ClientError, code: str | None) -> AgentAPIException:
    if code in _BUSY:
        return AgentAPIException("rate_limited", "The model is busy.", retryable=True)
    if code in _REJECTED:
        return AgentAPIException("invalid_argument", "The model did not accept the request.")
    if isinstance(error, ConnectTimeoutError | ReadTimeoutError):
        return AgentAPIException("deadline_exceeded", "The model did not answer in time.")
    status = (
        error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0) if isinstance(error, ClientError) else 0
    )
    return AgentAPIException("runtime_error", "The model failed.", retryable=status >= 500)
