"""Wraps calls of moto's backends."""

import functools
import inspect
from collections.abc import Callable, Mapping
from typing import Any

Act = Callable[[Mapping[str, Any], Any], None]
"""Gets the arguments of a call by name, `self` among them, and its result."""


def after(backend: type, method: str, act: Act) -> None:
    """Call `act` after each call that succeeds."""
    original = getattr(backend, method)
    signature = inspect.signature(original)

    @functools.wraps(original)
    def acting(*args: Any, **kwargs: Any) -> Any:
        result = original(*args, **kwargs)
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        act(bound.arguments, result)
        return result

    setattr(backend, method, acting)
