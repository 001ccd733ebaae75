"""Knowledge bases: retrieval from Amazon Bedrock or from a bundled file."""

from yarrow.services.knowledge.search import retrieve

__all__ = ["retrieve"]
