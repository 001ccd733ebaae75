"""The SDK of remote runners: `serve` makes the Lambda handler."""

from yarrow.sdk.function import serve

__all__ = ["serve"]
