"""The Liu Yao agent, a runner: derives, judges and answers; a model may rephrase the answer."""

from yarrow.runners.divination.runner import NOTHING_DERIVED, NOTHING_DERIVED_MESSAGE, RUNNER, DivinationRunner

__all__ = ["NOTHING_DERIVED", "NOTHING_DERIVED_MESSAGE", "RUNNER", "DivinationRunner"]
