"""The AWS that the product needs, in memory behind botocore's clients: for tests that make tens of thousands of calls.

A test holds its table to moto, call for call.
"""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock
from typing import IO, Any

import pytest
from botocore.client import BaseClient
from botocore.response import StreamingBody

from tests.support.memory_aws.schedules import MemorySchedules
from tests.support.memory_aws.table import MemoryTable, error
from yarrow.store.objects import MAX_LIST

Json = dict[str, Any]


class MemoryBucket:
    """S3's objects by key, as content type and bytes."""

    def __init__(self) -> None:
        self.objects: dict[str, tuple[str, bytes]] = {}

    def PutObject(self, Key: str, Body: bytes | IO[bytes], ContentType: str, **more: Any) -> Json:  # noqa: N802, N803
        if more.get("IfNoneMatch") and Key in self.objects:
            raise error("PutObject", "PreconditionFailed")
        self.objects[Key] = ContentType, Body if isinstance(Body, bytes) else Body.read()
        return {}

    def GetObject(self, Key: str, Range: str = "bytes=0-", **_: Any) -> Json:  # noqa: N802, N803
        kind, whole = self._found("GetObject", Key)
        first, last = Range.removeprefix("bytes=").split("-")
        data = whole[int(first) : int(last) + 1 if last else None]
        return {
            "Body": StreamingBody(io.BytesIO(data), len(data)),
            "ContentType": kind,
            "ContentLength": len(data),
        }

    def HeadObject(self, Key: str, **_: Any) -> Json:  # noqa: N802, N803
        kind, data = self._found("HeadObject", Key)
        return {"ContentType": kind, "ContentLength": len(data)}

    def DeleteObject(self, Key: str, **_: Any) -> Json:  # noqa: N802, N803
        self.objects.pop(Key, None)
        return {}

    def ListObjectsV2(self, Prefix: str, MaxKeys: int = MAX_LIST, **_: Any) -> Json:  # noqa: N802, N803
        found = sorted(key for key in self.objects if key.startswith(Prefix))
        contents = [{"Key": key, "Size": len(self.objects[key][1])} for key in found[:MaxKeys]]
        return {"Contents": contents, "IsTruncated": len(found) > MaxKeys}

    def _found(self, operation: str, key: str) -> tuple[str, bytes]:
        if key not in self.objects:
            raise error(operation, "NoSuchKey")
        return self.objects[key]


class MemoryExecutions:
    """The state machine's executions by name, in the order of their starts; each starts once."""

    def __init__(self) -> None:
        self.started: list[str] = []

    def StartExecution(self, name: str, **_: Any) -> Json:  # noqa: N802
        if name in self.started:
            raise error("StartExecution", "ExecutionAlreadyExists")
        self.started.append(name)
        return {"executionArn": f"arn:aws:states:us-east-1:123456789012:execution:runs:{name}"}

    def StopExecution(self, **_: Any) -> Json:  # noqa: N802
        return {}


class MemoryAws:
    """All of it, empty."""

    def __init__(self) -> None:
        self.table, self.bucket, self.executions = MemoryTable(), MemoryBucket(), MemoryExecutions()
        self.schedules = MemorySchedules()
        self.others: dict[str, Any] = {}
        """More services, by botocore's name."""

    @contextmanager
    def installed(self) -> Iterator["MemoryAws"]:
        """Have every AWS call of this process end here."""
        services = {
            "dynamodb": self.table,
            "s3": self.bucket,
            "scheduler": self.schedules,
            "stepfunctions": self.executions,
            **self.others,
        }
        turn = RLock()

        def make_api_call(client: BaseClient, operation: str, parameters: Any) -> Any:
            with turn:
                return getattr(services[client.meta.service_model.service_name], operation)(**parameters)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(BaseClient, "_make_api_call", make_api_call)
            yield self


@contextmanager
def table_in_memory() -> Iterator[MemoryTable]:
    """Have the calls for items end here, in microseconds and not milliseconds. Others go where they would.

    Handlers of `before-call.dynamodb` are called as botocore calls them, with an empty request.
    """
    table, turn, original = MemoryTable(), RLock(), vars(BaseClient)["_make_api_call"]

    def make_api_call(client: BaseClient, operation: str, parameters: Any) -> Any:
        is_for_items = client.meta.service_model.service_name == "dynamodb" and hasattr(table, operation)
        if not is_for_items:
            return original(client, operation, parameters)
        client.meta.events.emit(
            f"before-call.dynamodb.{operation}",
            model=client.meta.service_model.operation_model(operation),
            params={"headers": {}},
            request_signer=None,
            context={},
        )
        with turn:
            return getattr(table, operation)(**parameters)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BaseClient, "_make_api_call", make_api_call)
        yield table
