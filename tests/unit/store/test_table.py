"""Conditional writes: what a failure means, and that writes get past others on the same items."""

from collections.abc import Iterator
from typing import Any

import pytest
from botocore.exceptions import ClientError, EndpointConnectionError, NoCredentialsError

from yarrow.settings import settings
from yarrow.store import clients, table
from yarrow.store.items.updates import EXISTS, Update

KEY = {"pk": "RUN#key", "sk": "RUN"}


class TransactionCanceledException(ClientError):
    """As the client makes it."""


def canceled(*codes: str) -> TransactionCanceledException:
    reasons = [{"Code": code} for code in codes]
    error: Any = {"Error": {"Code": "TransactionCanceledException"}, "CancellationReasons": reasons}
    return TransactionCanceledException(error, "TransactWriteItems")


def error(code: str) -> ClientError:
    return ClientError({"Error": {"Code": code}}, "UpdateItem")


class Client:
    """DynamoDB's client, as far as it writes: gives one answer after another."""

    exceptions = type("exceptions", (), {"TransactionCanceledException": TransactionCanceledException})

    def __init__(self) -> None:
        self.answers: Iterator[Any] = iter(())
        self.calls = 0

    def transact_write_items(self, **_: Any) -> Any:
        self.calls += 1
        answer = next(self.answers)
        if isinstance(answer, Exception):
            raise answer
        return answer

    update_item = batch_get_item = get_item = transact_write_items


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> Client:
    """A client in the place of DynamoDB's; nobody waits for real."""
    made = Client()
    monkeypatch.setattr(clients, "dynamodb", lambda: made)
    monkeypatch.setattr(table, "_PAUSES", (0.0, 0.0))
    monkeypatch.setitem(settings.__dict__, "table_name", "Table")
    return made


def test_what_a_busy_table_leaves_out_of_a_reading_is_read_by_itself(client: Client) -> None:
    """RUN-20: a session that is there is never taken for one that is not."""
    session, reservation = {"pk": "SESSION#t", "sk": "SESSION"}, {"pk": "SESSION#t", "sk": "RESERVATION"}
    run, left = {**KEY, "phase": "queued"}, {**session, "agent": "divination"}
    read = {
        "Responses": {"Table": [table.to_wire(run)]},
        "UnprocessedKeys": {"Table": {"Keys": [table.to_wire(session)], "ConsistentRead": True}},
    }
    client.answers = iter([read, {"Item": table.to_wire(left)}])
    assert table.get_all(session, KEY, reservation) == [left, run, None]


def update() -> table.Item | None:
    return table.update_returning(KEY, Update().set(phase="running"), EXISTS)


COLLISION, IN_THE_WAY = canceled("None", "TransactionConflict"), error("TransactionConflictException")


def test_a_transaction_gets_past_others(client: Client) -> None:
    """CMP-11, CMP-12: botocore tries none of these again."""
    client.answers = iter([COLLISION, canceled("ThrottlingError", "None"), {}])
    table.transact()
    assert client.calls == 3


def test_an_update_gets_past_a_transaction_on_its_item(client: Client) -> None:
    """CMP-11, CMP-12: A heartbeat runs beside an append, a delete beside a finish."""
    client.answers = iter([IN_THE_WAY, IN_THE_WAY, {"Attributes": {"beats": {"N": "1"}}}])
    assert update() == {"beats": 1}


def test_they_give_up_in_the_end(client: Client) -> None:
    """Every wait has a limit."""
    client.answers = iter([COLLISION] * 3)
    with pytest.raises(TransactionCanceledException):
        table.transact()
    client.answers = iter([IN_THE_WAY] * 3)
    with pytest.raises(ClientError):
        update()
    assert client.calls == 6


def test_a_condition_that_did_not_hold_says_which(client: Client) -> None:
    """Whatever else was in the way: to try again would not help."""
    client.answers = iter([canceled("None", "ConditionalCheckFailed", "TransactionConflict")])
    with pytest.raises(table.ConditionFailedError) as caught:
        table.transact()
    assert caught.value.failed == [False, True, False]
    client.answers = iter([error("ConditionalCheckFailedException")])
    assert update() is None
    assert client.calls == 2


@pytest.mark.parametrize("failure", [canceled("ValidationError"), error("AccessDeniedException")])
def test_other_failures_come_out_at_once(client: Client, failure: ClientError) -> None:
    """Nothing is gained by asking again."""
    client.answers = iter([failure] * 2)
    with pytest.raises(type(failure)):
        table.transact()
    with pytest.raises(type(failure)):
        update()
    assert client.calls == 2


@pytest.mark.parametrize(
    ("code", "status", "busy"),
    [
        ("ThrottlingException", 400, True),
        ("NobodyKnows", 500, True),
        ("NobodyKnows", 503, True),
        ("ValidationException", 400, False),
        ("NobodyKnows", 499, False),
    ],
)
def test_an_error_of_the_service_or_its_throttling_is_a_busy_one(code: str, status: int, *, busy: bool) -> None:
    response: Any = {"Error": {"Code": code, "Message": ""}, "ResponseMetadata": {"HTTPStatusCode": status}}
    assert table.is_busy(ClientError(response, "GetItem")) == busy


def test_a_service_that_is_not_reached_is_a_busy_one() -> None:
    assert table.is_busy(EndpointConnectionError(endpoint_url="http://127.0.0.1:1"))
    assert not table.is_busy(NoCredentialsError())
