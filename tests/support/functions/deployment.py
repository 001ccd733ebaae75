"""This process set up as the functions of a stack are, so that a test can call the core directly."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from typing import Final

import boto3
import pytest
from moto import mock_aws

from local import environment, resources
from local.stack import REGION, Stack
from tests.support.memory_aws.aws import table_in_memory
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


@dataclass(frozen=True)
class Engine:
    """What keeps the table: moto, or another of AWS's endpoints; or this process itself."""

    endpoint: str = f"https://dynamodb.{REGION}.amazonaws.com"
    in_memory: bool = False


MEMORY: Final = Engine(in_memory=True)


@contextmanager
def emulated(stack: Stack, engine: Engine, **more: str) -> Iterator[None]:
    """A fresh deployment of the stack's state, in moto but for the table, and the variables its functions get.

    No test that uses it needs its queues and its own schedules, which take as long to make as the rest.
    """
    tables = () if engine.in_memory else stack.tables
    with configured(stack, AWS_ENDPOINT_URL_DYNAMODB=engine.endpoint, **more), mock_aws():
        resources.create(replace(stack, tables=tables, queues=(), schedules=()))
        with table_in_memory() if engine.in_memory else nullcontext():
            yield
        for table in tables:
            boto3.client("dynamodb").delete_table(TableName=table.definition["TableName"])


def _forget() -> None:
    for made in vars(clients).values():
        if hasattr(made, "cache_clear"):
            made.cache_clear()
    settings.__dict__.clear()
