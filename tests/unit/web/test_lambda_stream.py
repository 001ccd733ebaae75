"""Batches of a table's stream, read as the store would read their items."""

import json
from decimal import Decimal
from typing import Any

import pytest

from tests.support.functions.calls import Context
from tests.support.paths import ROOT
from yarrow.web.lambda_stream import ChangedRecord, batch

EVENT: dict[str, Any] = json.loads((ROOT / "events/dynamodb_workspace_push.json").read_text(encoding="utf-8"))


def test_a_batch_is_read_and_what_failed_reported() -> None:
    """WSP-21: Failures are named by the numbers of the stream's records."""
    seen: list[ChangedRecord] = []

    def handle(records: Any) -> list[str]:
        seen.extend(records)
        return [record.sequence_number for record in records]

    number = EVENT["Records"][0]["dynamodb"]["SequenceNumber"]
    assert batch(handle)(EVENT, Context()) == {"batchItemFailures": [{"itemIdentifier": number}]}
    assert seen[0].item["sk"] == "CONNECTION#d1CqYfZAIAMCJRg="
    assert seen[0].item["created_at"] == Decimal(1795350600412)


def test_bytes_are_decoded_wherever_they_are() -> None:
    image = {"a": {"B": "/wA="}, "m": {"M": {"l": {"L": [{"B": "/wA="}, {"BS": ["/wA="]}, {"NULL": True}]}}}}
    event = {"Records": [{"dynamodb": {"SequenceNumber": "1", "NewImage": image}}]}
    seen: list[ChangedRecord] = []

    def handle(records: Any) -> list[str]:
        seen.extend(records)
        return []

    batch(handle)(event, Context())
    inner = seen[0].item["m"]["l"]
    assert bytes(seen[0].item["a"]) == bytes(inner[0]) == b"\xff\x00"
    assert [bytes(item) for item in inner[1]] == [b"\xff\x00"]
    assert inner[2] is None


def test_a_function_that_fails_names_the_kind_of_error_alone() -> None:
    """SEC-05: Lambda logs what it raises."""

    def fail(_: Any) -> list[str]:
        raise KeyError("alice's words")

    with pytest.raises(Exception, match="see the log") as raised:
        batch(fail)(EVENT, Context())
    assert type(raised.value).__name__ == "KeyError"
    assert "alice" not in str(raised.value)
