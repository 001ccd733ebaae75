"""The traffic of `make load`, one turn at each door that takes no time, and what its ledger finds."""

import asyncio

import httpx
import pytest

from tests.load import doors
from tests.load.client import Client
from tests.load.ledger import Ledger


def test_users_take_a_turn_at_every_door_at_once(stack: str) -> None:
    """CMP-01, EVT-04, EVT-08: at once, by users of their own; nothing is wrong."""
    ledger = Ledger()

    async def turns() -> None:
        async with httpx.AsyncClient(base_url=stack, timeout=doors.SECONDS, trust_env=False) as http:
            every = (doors.cast_run, doors.send_message, doors.upload, doors.workspace(stack))
            await asyncio.gather(*(turn(Client(http, ledger)) for turn in every))

    asyncio.run(turns())
    # A machine with other tests to run may have told someone to come back.
    assert (ledger.lost, ledger.repeated, ledger.wrong) == (0, 0, []), ledger.report()
    assert ledger.seconds.keys() >= {
        *("submit", "stream, first event", "history", "delete session", "upload"),
        *("send-message, whole", "workspace, question to answer"),
    }


@pytest.mark.parametrize(
    ("numbers", "lost", "repeated"),
    [([1, 2, 3], 0, 0), ([1, 3, 5], 2, 0), ([1, 2, 2, 3], 0, 1), ([2, 3], 1, 0), ([1, 3, 2], 0, 0), ([], 0, 0)],
)
def test_lost_and_repeated_events_are_counted(numbers: list[int], lost: int, repeated: int) -> None:
    ledger = Ledger()
    ledger.check_dense("a run", numbers)
    assert (ledger.lost, ledger.repeated) == (lost, repeated)
    assert ledger.is_clean == (numbers in ([1, 2, 3], []))


def test_errors_of_the_server_are_counted_and_shown() -> None:
    ledger = Ledger()
    ledger.statuses.update({("submit", 202): 3, ("submit", 503): 1, ("history", 429): 2})
    assert (ledger.server_errors, ledger.refused, ledger.is_clean) == (1, 2, False)
    assert "503 at submit: 1" in ledger.report()
