"""Workspace tickets: one connection each, or one client's for twelve hours (C52)."""

import time
from concurrent.futures import ThreadPoolExecutor

import boto3
import pytest

from yarrow.protocol.caller import Caller
from yarrow.settings import settings
from yarrow.store import table
from yarrow.store.workspace import tickets

ALICE = Caller("alice", "zh-CN", "Asia/Shanghai")
CAST = tickets.Redeemed(ALICE, "求职AI助手")

pytestmark = pytest.mark.usefixtures("aws")


@pytest.fixture
def ticket() -> str:
    return tickets.issue(ALICE, CAST.task_name)


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Seconds that have passed, in one item."""
    passed, now = [0.0], time.time
    monkeypatch.setattr("yarrow.store.workspace.tickets.time.time", lambda: now() + passed[0])
    return passed


def stored() -> list[table.Item]:
    return [table.from_wire(item) for item in boto3.client("dynamodb").scan(TableName=settings.table_name)["Items"]]


def test_a_ticket_opens_one_connection(ticket: str) -> None:
    """C52, SEC-04: and a repeat of the same request is that one."""
    assert tickets.redeem(ticket, "c1", None, None) == CAST
    assert tickets.redeem(ticket, "c1", None, None) == CAST
    assert tickets.redeem(ticket, "c2", None, None) is None
    assert tickets.redeem(ticket, "c2", None, "tag") is None


def test_of_many_connections_at_once_one_gets_it(ticket: str) -> None:
    """C52."""
    with ThreadPoolExecutor(8) as pool:
        redeemed = list(pool.map(lambda number: tickets.redeem(ticket, f"c{number}", None, None), range(8)))
    assert sum(item is not None for item in redeemed) == 1


def test_a_ticket_is_good_for_a_minute(ticket: str, later: list[float]) -> None:
    """C52."""
    later[0] = tickets.TICKET_SECONDS
    assert tickets.redeem(ticket, "c1", None, "tag") is None


def test_a_ticket_is_for_its_task(ticket: str) -> None:
    """C52: another name neither opens the connection nor uses the ticket up."""
    assert tickets.redeem(ticket, "c1", "assistant", None) is None
    assert tickets.redeem(ticket, "c1", CAST.task_name, None) == CAST


def test_a_ticket_used_with_a_tag_opens_that_clients_connections(ticket: str, later: list[float]) -> None:
    """C52: It is valid for twelve hours after the latest connection, for the same user and task."""
    assert tickets.redeem(ticket, "c1", None, "tag") == CAST
    assert tickets.redeem(ticket, "c2", None, "other") is None
    assert tickets.redeem(ticket, "c2", None, None) is None
    assert tickets.redeem(ticket, "c2", "assistant", "tag") is None
    for number in range(3):
        later[0] += tickets.CLIENT_SECONDS - 10
        assert tickets.redeem(ticket, f"c{number}", CAST.task_name, "tag") == CAST
    later[0] += tickets.CLIENT_SECONDS + 10
    assert tickets.redeem(ticket, "c9", None, "tag") is None


def test_a_made_up_ticket_opens_nothing_and_stores_nothing() -> None:
    """SEC-04."""
    assert tickets.redeem("t" * 43, "c1", None, "tag") is None
    assert stored() == []


def test_the_table_holds_the_hash_alone_and_drops_it(ticket: str) -> None:
    """C52."""
    (item,) = stored()
    assert ticket not in str(item)
    assert table.kind_of(item).owner == "itself"
    assert time.time() < item["expires_at"] <= time.time() + tickets.TICKET_SECONDS
    tickets.redeem(ticket, "c1", None, "tag")
    (item,) = stored()
    assert ticket not in str(item)
