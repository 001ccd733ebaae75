"""This process set up as the functions of a stack are, so that a test can call the core directly."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from local import environment
from local.stack import Stack
from yarrow.settings import settings
from yarrow.store import clients


@contextmanager
def configured(stack: Stack, **more: str) -> Iterator[None]:
    """Set the variables of the stack's functions, and these, and make AWS clients afresh."""
    variables = environment.isolated(os.environ) | environment.of_functions(stack.functions.values()) | more
    with pytest.MonkeyPatch.context() as patch:
        for name, value in variables.items():
            patch.setenv(name, value)
        _forget()
        yield
        _forget()


def _forget() -> None:
    for made in vars(clients).values():
        if hasattr(made, "cache_clear"):
            made.cache_clear()
    settings.__dict__.clear()
