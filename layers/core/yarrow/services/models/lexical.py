"""Lexical ranking of documents."""

from yarrow.formats.lexical_scores import scores
from yarrow.protocol.runner.api import RankedDocument, RerankRequest


def ranked(request: RerankRequest) -> list[RankedDocument]:
    """The `top_k` most relevant documents, best first, ties in input order; 0 if no term is shared."""
    scored = enumerate(scores(request.query, request.documents))
    best = sorted(scored, key=lambda document: -document[1])[: request.top_k]
    return [RankedDocument(index=index, relevance_score=score) for index, score in best]
