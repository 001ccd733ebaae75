"""Documents ranked by shared words, with no model."""

import pytest

from yarrow.protocol.runner.api import RerankRequest
from yarrow.services.models.lexical import ranked

DOCUMENTS = (
    "用神旺相，所求可成。",
    "The weather in Oslo is mild.",
    "世爻受克，宜静不宜动。",
    "weather, weather, weather",
    "",
)


@pytest.mark.parametrize(
    ("query", "best"),
    [("用神是否旺相", [0]), ("世爻受克怎么办", [2]), ("weather", [3, 1]), ("the weather of Oslo", [1, 3])],
)
def test_the_document_that_shares_more_rarer_words_is_first(query: str, best: list[int]) -> None:
    """RNR-52: The cases are in Chinese and in English."""
    answer = ranked(RerankRequest(run_id="r", model_id="rank", query=query, documents=DOCUMENTS))
    assert [document.index for document in answer if document.relevance_score > 0][: len(best)] == best
    assert sorted(document.index for document in answer) == list(range(len(DOCUMENTS)))


def test_the_best_are_as_many_as_wanted() -> None:
    """RNR-52: equals stay in their order, and a query without words matches nothing."""
    answer = ranked(RerankRequest(run_id="r", model_id="rank", query="?!", documents=("b", "a", ""), top_k=2))
    assert [(document.index, document.relevance_score) for document in answer] == [(0, 0.0), (1, 0.0)]
