"""The Liu Yao agent, a runner: what it derives, judges and tells, and how a model may tell it instead."""

from yarrow.runners.divination.runner import NOTHING_DERIVED, NOTHING_DERIVED_MESSAGE, RUNNER, DivinationRunner

__all__ = ["NOTHING_DERIVED", "NOTHING_DERIVED_MESSAGE", "RUNNER", "DivinationRunner"]
