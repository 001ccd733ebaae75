"""The Liu Yao derivation (六爻纳甲) and its classical reading: pure functions over one data file."""

from liuyao.calendar import DayChange
from liuyao.derivation import derive
from yarrow.protocol.events.divination import Divination
from yarrow.protocol.run_input.divination_payload import DivinationPayload, YaoType

__all__ = ["DayChange", "Divination", "DivinationPayload", "YaoType", "derive"]
