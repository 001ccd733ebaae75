"""Records reach the function in order by partition key, and again what failed."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest

from local.sandboxes.invocations import Result
from local.stack import StreamMapping
from local.table_stream.delivery import RecordDelivery
from tests.support import virtual_time

MAPPING = StreamMapping("t", "push", (), batch_size=10, parallel=4, retries=3, age=None, bisects=True)

Answer = Callable[[list[str]], Any]
"""By the numbers of a batch: those that failed, or an exception."""


def record(partition: str, number: int, created: float = 0.0) -> dict[str, Any]:
    return {
        "eventName": "INSERT",
        "dynamodb": {
            "Keys": {"pk": {"S": partition}, "sk": {"S": str(number)}},
            "SequenceNumber": f"{partition}{number}",
            "SizeBytes": 100,
            "ApproximateCreationDateTime": created,
        },
    }


class Function:
    """The function of the mapping; `batches` it was given, by sequence numbers."""

    def __init__(self, answer: Answer = lambda _: []) -> None:
        self.batches: list[list[str]] = []
        self._answer = answer

    async def invoke(self, name: str, payload: bytes, refusal: str | None = None) -> Result:
        numbers = [record["dynamodb"]["SequenceNumber"] for record in json.loads(payload)["Records"]]
        self.batches.append(numbers)
        await asyncio.sleep(0.01)
        failed = self._answer(numbers)
        if isinstance(failed, Exception):
            return Result(b"{}", failed=True)
        return Result(json.dumps({"batchItemFailures": [{"itemIdentifier": n} for n in failed]}).encode(), failed=False)


def deliver(records: list[dict[str, Any]], answer: Answer = lambda _: [], **changed: Any) -> list[list[str]]:
    """The batches that the function got."""
    function = Function(answer)
    mapping = StreamMapping(**{name: getattr(MAPPING, name) for name in MAPPING.__slots__} | changed)

    async def work() -> None:
        delivering = RecordDelivery(mapping, "pk", function)  # type: ignore[arg-type]  # of which it needs `invoke` alone
        delivering.add(records)
        await asyncio.sleep(60)
        delivering.close()

    virtual_time.run(work())
    return function.batches


def test_a_partitions_records_stay_in_order_and_come_in_batches() -> None:
    batches = deliver([record(p, number) for number in range(25) for p in "ab"])
    for partition in "ab":
        seen = [text for batch in batches for text in batch if text[0] == partition]
        assert seen == [f"{partition}{number}" for number in range(25)]
    assert max(map(len, batches)) == 10


def test_partitions_are_delivered_side_by_side() -> None:
    slow = deliver([record(p, 0) for p in "abcdefgh"], parallel=1, batch_size=1)
    assert [len(item) for item in slow] == [1] * 8
    assert len(deliver([record(p, 0) for p in "abcdefgh"], parallel=4)) <= 4


def test_a_batch_is_delivered_again_from_its_first_failed_record() -> None:
    failing = iter([["a2"], []])
    batches = deliver([record("a", number) for number in range(4)], lambda _: next(failing))
    assert batches == [["a0", "a1", "a2", "a3"], ["a2", "a3"]]


def test_where_the_function_fails_a_batch_is_halved_until_the_bad_record_is_alone() -> None:
    def answer(numbers: list[str]) -> Any:
        return RuntimeError() if "a2" in numbers else []

    batches = deliver([record("a", number) for number in range(4)], answer)
    assert batches[0] == ["a0", "a1", "a2", "a3"]
    assert ["a0", "a1"] in batches
    assert ["a3"] in batches
    assert [batch for batch in batches if batch == ["a2"]]


def test_what_fails_too_often_or_is_too_old_is_given_up(caplog: pytest.LogCaptureFixture) -> None:
    batches = deliver([record("a", 0), record("b", 0)], lambda numbers: [n for n in numbers if n == "a0"], parallel=1)
    assert batches.count(["a0", "b0"]) == 1 + 3
    assert "records were dropped" in caplog.text
    assert len(deliver([record("a", 0)], lambda numbers: numbers, age=300)) == 1
