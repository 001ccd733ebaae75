"""The SDK of remote runners: `serve` makes the Lambda handler, `trace_parent` says where a run's trace goes on."""

from yarrow.sdk.function import serve, trace_parent

__all__ = ["serve", "trace_parent"]
