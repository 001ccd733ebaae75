"""Lexical ranking of documents."""

from yarrow.formats.lexical_scores import scores
from yarrow.protocol.runner.api import RankedDocument, RerankRequest


def ranked(request: RerankRequest) -> list[RankedDocument]:
    """Return the `top_k` best documents in order, ties in input order; a document without a shared term scores 0."""
    scored = enumerate(scores(request.query, request.documents))
    best = sorted(scored, key=lambda document: -document[1])[: request.top_k]
    return [RankedDocument(index=index, relevance_score=score) for index, score in best]
