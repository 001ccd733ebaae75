"""Liu Yao divination (六爻纳甲): casts, their derivation and their classical reading, as pure functions over tables.

>>> from liuyao import DivinationPayload, derive
>>> derive(DivinationPayload.model_validate(payload)).gua_name

What is named here is imported with its first use: to check a payload takes no tables.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from liuyao.calendar import DayChange
    from liuyao.derivation import derive
    from liuyao.divination import Divination
    from liuyao.payload import DivinationPayload
    from liuyao.plain_cast import YaoType

__all__ = ["DayChange", "Divination", "DivinationPayload", "YaoType", "derive"]

_PLACES = {
    "DayChange": "calendar",
    "Divination": "divination",
    "DivinationPayload": "payload",
    "YaoType": "plain_cast",
    "derive": "derivation",
}


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    found = getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)
    globals()[name] = found
    return found
