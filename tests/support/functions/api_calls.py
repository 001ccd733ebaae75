"""The AWS calls of this process, one by one: watched, broken, or interrupted by something else.

Calls are made one at a time, as moto needs it: undoing one transaction would undo what others wrote in the meantime.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, cast

import pytest
from botocore.client import BaseClient
from botocore.exceptions import ClientError, ReadTimeoutError

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


Make = Callable[[], Any]
Fault = Callable[[BaseClient, str, Make], Any]
"""What a call does instead of being made: given its client, its operation and a function that makes it."""


class Killed(BaseException):
    """The process is gone: nothing in it may catch this."""


class ApiCalls:
    """Counts the calls since `reset` and puts a fault in the place of one of them."""

    def __init__(self) -> None:
        self.made: list[str] = []
        self._at = 0
        self._fault: Fault | None = None
        self._one_at_a_time = threading.Lock()

    def reset(self, at: int = 0, fault: Fault | None = None) -> None:
        """Count from 1 again; the call of that number gets the fault."""
        self.made, self._at, self._fault = [], at, fault

    @property
    def struck(self) -> bool:
        return len(self.made) >= self._at

    def take(self, client: BaseClient, operation: str, make: Make) -> Any:
        """Make a call, or what is to happen in its place."""

        def one_at_a_time() -> Any:
            with self._one_at_a_time:
                return make()

        self.made.append(operation)
        if len(self.made) == self._at and self._fault is not None:
            return self._fault(client, operation, one_at_a_time)
        return one_at_a_time()


@contextmanager
def watched() -> Iterator[ApiCalls]:
    """Have every AWS call of this process go through one ApiCalls."""
    calls, original = ApiCalls(), vars(BaseClient)["_make_api_call"]

    def make_api_call(client: BaseClient, operation: str, parameters: Any) -> Any:
        return calls.take(client, operation, lambda: original(client, operation, parameters))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BaseClient, "_make_api_call", make_api_call)
        yield calls


def refused(_: BaseClient, operation: str, __: Make) -> Any:
    """Throttle for longer than botocore tries; the call is not applied."""
    raise ClientError({"Error": {"Code": "ThrottlingException", "Message": "slow down"}}, operation)


def unanswered(_: BaseClient, __: str, make: Make) -> Any:
    """Applied, and the answer lost for longer than botocore tries."""
    make()
    raise ReadTimeoutError(endpoint_url="https://dynamodb")


def asked_twice(_: BaseClient, __: str, make: Make) -> Any:
    """Applied, the answer lost, and asked again: what counts is the second answer."""
    make()
    return make()


def collided(client: BaseClient, operation: str, make: Make) -> Any:
    """Another transaction holds the same item at that moment; reads do not mind."""
    if operation == "TransactWriteItems":
        reasons = [{"Code": "None"}, {"Code": "TransactionConflict"}]
        error: Any = {"Error": {"Code": "TransactionCanceledException"}, "CancellationReasons": reasons}
        raise cast("DynamoDBClient", client).exceptions.TransactionCanceledException(error, operation)
    if operation == "UpdateItem":
        raise ClientError({"Error": {"Code": "TransactionConflictException"}}, operation)
    return make()


def killed_before(_: BaseClient, __: str, ___: Make) -> Any:
    """The process dies before the call."""
    raise Killed


def killed_after(_: BaseClient, __: str, make: Make) -> Any:
    """The process dies when the call has been made."""
    make()
    raise Killed


def interrupted_by(act: Callable[[], object]) -> Fault:
    """Somebody else does the whole of something just before the call, and it is made all the same."""

    def fault(_: BaseClient, __: str, make: Make) -> Any:
        errors: list[BaseException] = []

        def run() -> None:
            try:
                act()
            except BaseException as error:  # noqa: BLE001 - told in the thread that waits
                errors.append(error)

        # In a thread of its own: the call may be made on an event loop, where nothing else can run one.
        thread = threading.Thread(target=run)
        thread.start()
        thread.join()
        if errors:
            raise AssertionError("what interrupted the call failed itself") from errors[0]
        return make()

    return fault
