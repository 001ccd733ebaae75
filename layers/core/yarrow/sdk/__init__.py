"""The SDK of remote runners: `serve` makes the Lambda handler, and the runner's API calls the host."""

from yarrow.sdk.function import serve

__all__ = ["serve"]
