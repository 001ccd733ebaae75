"""Knowledge bases: retrieval from Amazon Bedrock, or from files of packages and deployments."""

from yarrow.services.knowledge.search import ENTRY_POINTS, ids, retrieve

__all__ = ["ENTRY_POINTS", "ids", "retrieve"]
