"""Retrieval from Amazon Bedrock's knowledge bases, over HTTP, from a server that answers as Bedrock does."""

import json
import socket
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest

from local.stack import Stack
from tests.support.functions.deployment import configured
from yarrow.protocol.runner.api import AgentAPIException
from yarrow.services import knowledge
from yarrow.store import clients

BASE = "ABCDEFGHIJ"


@dataclass
class Bedrock:
    """What the server answers, and what it was asked."""

    status: int = 200
    error: str = ""
    results: list[dict[str, Any]] = field(default_factory=list)
    requests: list[tuple[str, dict[str, Any]]] = field(default_factory=list)


@pytest.fixture
def bedrock(stack: Stack) -> Iterator[Bedrock]:
    """Yield a server in the place of Bedrock's, and a deployment with one of its bases."""
    state = Bedrock()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            state.requests.append((self.path, json.loads(self.rfile.read(int(self.headers["Content-Length"])))))
            answer = {"retrievalResults": state.results} if state.status == 200 else {"message": "secret detail"}
            body = json.dumps(answer).encode()
            self.send_response(state.status)
            self.send_header("x-amzn-ErrorType", state.error)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            """Keep quiet."""

    clients._bedrock_agent_runtime.cache_clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, args=(0.01,)).start()
        with deployed_with(stack, server.server_port):
            yield state
        server.shutdown()
    clients._bedrock_agent_runtime.cache_clear()


def deployed_with(stack: Stack, port: int) -> Any:
    bases = {"handbook": {"kind": "bedrock", "id": BASE, "name": "Handbook"}}
    endpoint = f"http://127.0.0.1:{port}"
    return configured(stack, AWS_ENDPOINT_URL_BEDROCK_AGENT_RUNTIME=endpoint, KNOWLEDGE_BASES=json.dumps(bases))


def result(text: str, **more: Any) -> dict[str, Any]:
    return {"content": {"text": text, "type": "TEXT"}, **more}


def test_passages_come_as_bedrock_ranks_them(bedrock: Bedrock) -> None:
    """RNR-54: without what tells where in the account they lie."""
    place = {"type": "S3", "s3Location": {"uri": "s3://private-bucket/a.pdf"}}
    own = {"x-amz-bedrock-kb-chunk-id": "chunk-1", "x-amz-bedrock-kb-source-uri": "s3://private-bucket/a.pdf"}
    bedrock.results = [
        result("用神", score=0.9, location=place, metadata={**own, "topic": "focus", "page": 3}),
        {"content": {"type": "IMAGE", "byteContent": "data:image/png;base64,"}, "score": 0.8},
        result("世应", documentId="doc-2"),
        result("六亲", score=0.1),
    ]
    first, second, third = knowledge.retrieve("handbook", "什么是用神", 7)
    assert bedrock.requests == [
        (
            f"/knowledgebases/{BASE}/retrieve",
            {
                "retrievalQuery": {"text": "什么是用神"},
                "retrievalConfiguration": {"vectorSearchConfiguration": {"numberOfResults": 7}},
            },
        )
    ]
    assert first.model_dump() == {
        "document_id": "chunk-1",
        "content": "用神",
        "score": 0.9,
        "metadata": {"topic": "focus", "page": 3},
    }
    assert (second.document_id, second.content, second.score, second.metadata) == ("doc-2", "世应", 0.0, {})
    assert third.document_id
    assert third == knowledge.retrieve("handbook", "什么是用神", 7)[2]


def test_no_more_are_given_than_were_asked_for(bedrock: Bedrock) -> None:
    """RNR-54: whatever the service answers."""
    bedrock.results = [result("a"), result("b"), result("c")]
    assert [message.content for message in knowledge.retrieve("handbook", "x", 2)] == ["a", "b"]


@pytest.mark.parametrize(
    ("filters", "sent"),
    [
        ({"topic": "focus"}, {"equals": {"key": "topic", "value": "focus"}}),
        ({"page": [1, 2]}, {"in": {"key": "page", "value": [1, 2]}}),
        (
            {"topic": "focus", "new": True},
            {
                "andAll": [
                    {"equals": {"key": "topic", "value": "focus"}},
                    {"equals": {"key": "new", "value": True}},
                ]
            },
        ),
    ],
)
def test_filters_are_sent_in_bedrocks_words(filters: dict[str, Any], sent: dict[str, Any], bedrock: Bedrock) -> None:
    """RNR-54."""
    assert knowledge.retrieve("handbook", "x", 5, filters) == []
    ((_, body),) = bedrock.requests
    assert body["retrievalConfiguration"]["vectorSearchConfiguration"]["filter"] == sent


@pytest.mark.parametrize(
    ("status", "error", "code", "retryable", "tries"),
    [
        (404, "ResourceNotFoundException", "not_found", False, 1),
        (400, "ValidationException", "invalid_argument", False, 1),
        (403, "AccessDeniedException", "runtime_error", False, 1),
        (429, "ThrottlingException", "rate_limited", True, 2),
        (500, "InternalServerException", "runtime_error", True, 2),
    ],
)
def test_an_error_of_bedrock_is_one_of_the_protocol(
    status: int, error: str, code: str, tries: int, bedrock: Bedrock, *, retryable: bool
) -> None:
    """RNR-54, RNR-62: and its words are not passed on."""
    bedrock.status, bedrock.error = status, error
    with pytest.raises(AgentAPIException) as caught:
        knowledge.retrieve("handbook", "x")
    assert (caught.value.error.code, caught.value.error.retryable, len(bedrock.requests)) == (code, retryable, tries)
    assert "secret" not in caught.value.error.model_dump_json()


def test_a_bedrock_that_is_not_there_may_be_there_later(stack: Stack) -> None:
    """RNR-54, RNR-62."""
    with socket.create_server(("127.0.0.1", 0)) as unused:
        port = unused.getsockname()[1]
    clients._bedrock_agent_runtime.cache_clear()
    with deployed_with(stack, port), pytest.raises(AgentAPIException) as caught:
        knowledge.retrieve("handbook", "x")
    clients._bedrock_agent_runtime.cache_clear()
    assert (caught.value.error.code, caught.value.error.retryable) == ("runtime_error", True)
