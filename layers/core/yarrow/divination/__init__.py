"""The Liu Yao derivation (六爻纳甲) and its classical reading: pure functions over one data file."""

from yarrow.divination.models import Divination, DivinationPayload

__all__ = ["Divination", "DivinationPayload"]
