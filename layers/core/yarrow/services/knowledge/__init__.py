"""Knowledge bases: passages by what they are about, from Amazon Bedrock or from a file of this package."""

from yarrow.services.knowledge.search import retrieve

__all__ = ["retrieve"]
