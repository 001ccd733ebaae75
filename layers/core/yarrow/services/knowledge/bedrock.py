"""Retrieval from an Amazon Bedrock knowledge base (`Retrieve`). Bedrock's error texts and locations stay internal."""

import hashlib
from collections.abc import Mapping
from typing import Any, Final

from botocore.exceptions import BotoCoreError, ClientError

from yarrow.observability.logs import logger
from yarrow.protocol.runner.api import AgentAPIException, ErrorCode, RetrievedDocument
from yarrow.services.knowledge.filters import Filters
from yarrow.store import clients

_OWN = "x-amz-bedrock-"

_ERRORS: Final[Mapping[str, tuple[ErrorCode, str, bool]]] = {
    "ResourceNotFoundException": ("not_found", "there is no such knowledge base", False),
    "ValidationException": ("invalid_argument", "the knowledge base cannot be searched for that", False),
    "ThrottlingException": ("rate_limited", "the knowledge base is busy", True),
    "ServiceQuotaExceededException": ("rate_limited", "the knowledge base is busy", True),
    "AccessDeniedException": ("runtime_error", "the knowledge base cannot be searched", False),
}
"""Code, message and `retryable`, by Bedrock's error code."""

_OTHER: Final[tuple[ErrorCode, str, bool]] = ("runtime_error", "the knowledge base cannot be searched now", True)


def retrieve(knowledge_base: str, query: str, top_k: int, filters: Filters) -> list[RetrievedDocument]:
    """Return text passages from the knowledge base with this Bedrock id. Raises AgentAPIException."""
    search: dict[str, Any] = {"numberOfResults": top_k}
    if filters:
        search["filter"] = _filter(filters)
    try:
        answer = clients.bedrock_agent_runtime().retrieve(
            knowledgeBaseId=knowledge_base,
            retrievalQuery={"text": query},
            retrievalConfiguration={"vectorSearchConfiguration": search},
        )
    except (BotoCoreError, ClientError) as error:
        name = error.response["Error"]["Code"] if isinstance(error, ClientError) else type(error).__name__
        logger.warning("a knowledge base could not be searched", extra={"error": name})
        code, message, retryable = _ERRORS.get(name, _OTHER)
        raise AgentAPIException(code, message, retryable=retryable) from error
    return [_document(result) for result in answer["retrievalResults"] if result["content"].get("text")][:top_k]


def _filter(filters: Filters) -> dict[str, Any]:
    conditions = [
        {"equals": {"key": name, "value": values[0]}}
        if len(values) == 1
        else {"in": {"key": name, "value": list(values)}}
        for name, values in filters.items()
    ]
    return conditions[0] if len(conditions) == 1 else {"andAll": conditions}


def _document(result: dict[str, Any]) -> RetrievedDocument:
    content = result["content"]["text"]
    metadata = result.get("metadata", {})
    chunk = metadata.get(f"{_OWN}kb-chunk-id") or result.get("documentId")
    return RetrievedDocument(
        document_id=str(chunk or hashlib.sha256(content.encode()).hexdigest()[:32]),
        content=content,
        score=result.get("score", 0.0),
        metadata={name: value for name, value in metadata.items() if not name.startswith(_OWN)},
    )
