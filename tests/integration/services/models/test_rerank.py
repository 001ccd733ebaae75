"""Documents ranked by Bedrock's Rerank API, as its client speaks to it."""

import asyncio
import json
import time
from contextlib import aclosing

import pytest

from tests.support.models.provider_formats import SECRET, Bedrock
from tests.support.models.server import Answer, ModelServer
from yarrow.protocol.runner.api import AgentAPIException, RankedDocument, RerankRequest
from yarrow.services.models.budget import TokenBudget
from yarrow.services.models.gateway import ModelGateway
from yarrow.settings import settings


def rank(
    model_id: str = "rank", *, top_k: int | None = None, seconds: float = 60, calls: int = 1
) -> list[RankedDocument]:
    request = RerankRequest(run_id="run", model_id=model_id, query="rain", documents=("a", "b", "c"), top_k=top_k)

    async def call() -> list[RankedDocument]:
        deadline_at = time.time() + seconds
        budget = TokenBudget(tokens=1, calls=calls)
        gateway = ModelGateway(deadline_at=deadline_at, budget=budget, read_artifact=lambda _: (b"", ""))
        async with aclosing(gateway) as models:
            return await models.rerank(request)

    return asyncio.run(call())


def test_to_rank_with_a_model_is_a_call_of_it(server: ModelServer) -> None:
    """RNR-52: of which a run has only so many."""
    with pytest.raises(AgentAPIException, match=r"^rate_limited"):
        rank(calls=0)
    assert not server.requests


def page(*results: tuple[int, float], then: str | None = None) -> Answer:
    body = {"results": [{"index": index, "relevanceScore": score} for index, score in results], "nextToken": then}
    return Answer((json.dumps(body).encode(),), headers=(("Content-Type", "application/json"),))


def test_a_model_ranks_documents(server: ModelServer) -> None:
    """RNR-52: Every page of its answer counts."""
    server.will(page((2, 0.9), then="more"), page((0, 0.1)))
    assert rank(top_k=2) == [
        RankedDocument(index=2, relevance_score=0.9),
        RankedDocument(index=0, relevance_score=0.1),
    ]
    path, request = server.requests[0]
    configuration = request["rerankingConfiguration"]["bedrockRerankingConfiguration"]
    assert (path, request["queries"][0]["textQuery"]["text"], len(request["sources"])) == ("/rerank", "rain", 3)
    assert configuration["numberOfResults"] == 2
    arn = "arn:aws:bedrock:us-west-2::foundation-model/amazon.rerank-v1:0"
    assert configuration["modelConfiguration"]["modelArn"] == arn


@pytest.mark.parametrize(
    ("region", "model", "arn"),
    [
        ("cn-north-1", "amazon.rerank-v1:0", "arn:aws-cn:bedrock:cn-north-1::foundation-model/amazon.rerank-v1:0"),
        (
            "us-west-2",
            "arn:aws:bedrock:us-west-2:1:inference-profile/a",
            "arn:aws:bedrock:us-west-2:1:inference-profile/a",
        ),
    ],
)
def test_a_model_is_named_by_its_partition_or_by_an_arn(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch, region: str, model: str, arn: str
) -> None:
    """RNR-52."""
    monkeypatch.setenv("AWS_DEFAULT_REGION", region)
    monkeypatch.setitem(settings.models, "rank", f"bedrock-rerank:{model}")
    server.will(page((0, 0.1)))
    rank()
    configuration = server.last_body["rerankingConfiguration"]["bedrockRerankingConfiguration"]
    assert configuration["modelConfiguration"]["modelArn"] == arn


@pytest.mark.parametrize(
    ("status", "code", "retryable"),
    [(400, "invalid_argument", False), (403, "runtime_error", False), (429, "rate_limited", True),
     (500, "runtime_error", True)],
)  # fmt: skip
def test_a_failure_is_told_without_the_providers_words(
    server: ModelServer, status: int, code: str, *, retryable: bool, caplog: pytest.LogCaptureFixture
) -> None:
    """RNR-62."""
    server.will(Bedrock().refused(status, f"You said {SECRET}"))
    with pytest.raises(AgentAPIException) as caught:
        rank()
    assert (caught.value.error.code, caught.value.error.retryable) == (code, retryable)
    assert SECRET not in caught.value.error.model_dump_json() + str([vars(record) for record in caplog.records])


def test_a_slow_model_ends_with_the_runs_deadline(server: ModelServer) -> None:
    """RNR-70."""
    server.will(Answer(then="silent"))
    server.patience = 0.5
    with pytest.raises(AgentAPIException, match=r"^deadline_exceeded"):
        rank(seconds=0.3)


def test_only_a_model_that_ranks_is_asked_to(server: ModelServer) -> None:
    """RNR-52."""
    with pytest.raises(AgentAPIException, match=r"^invalid_argument"):
        rank("bedrock")
    assert not server.requests
