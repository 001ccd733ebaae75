"""What `make load` takes for an agreement between the model's requests and those that were counted."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.load.model_check import FEWER, LATE, QUIET_SECONDS, Pace, differences
from yarrow.worker.heartbeat import BEAT_SECONDS, WATCH_SECONDS

PLANNED = 20.0
EXPECTED = {
    "dynamodb PutItem": 100.0,
    "dynamodb Query": 200.0,
    "dynamodb UpdateItem": 4.0,
    "dynamodb GetItem": 6.0,
    "lambda ": 5.0,
}


def pace(seconds: float = PLANNED, way: float = 0.1) -> Pace:
    """A run whose pieces were sent over so many seconds, each of which took so long to its client."""
    return Pace(PLANNED, ways=[way] * 3, sent=[1_000.0, 1_000.0 + seconds / 2, 1_000.0 + seconds])


def busy(seconds: float) -> Pace:
    return pace(seconds, way=2 * QUIET_SECONDS)


def test_the_pieces_of_an_event_say_when_they_were_said() -> None:
    noted = Pace(PLANNED)
    now = time.monotonic()
    noted.note((1, {"type": "TEXT_MESSAGE_CONTENT", "delta": f"{now - 2} {now - 1} "}))
    noted.note((2, {"type": "STEP_STARTED", "stepName": "worker"}))
    assert noted.sent == [now - 2, now - 1]
    assert [round(way) for way in noted.ways] == [2, 1]


@pytest.mark.parametrize(
    ("run", "is_quiet"),
    [
        (pace(), True),
        (pace(PLANNED / 2), True),
        (pace(PLANNED * LATE), True),
        (pace(PLANNED * LATE + 0.1), False),
        (pace(way=QUIET_SECONDS), True),
        (pace(way=QUIET_SECONDS + 0.01), False),
    ],
)
def test_a_machine_is_quiet_if_runs_and_pieces_are_in_time(run: Pace, is_quiet: bool) -> None:
    assert run.is_quiet is is_quiet


def test_a_quiet_machine_makes_the_requests_of_the_model() -> None:
    """Writes and reads that depend on time may be fewer by a known part; nothing may be more."""
    assert differences(EXPECTED, EXPECTED, pace()) == set()
    for name, amount in EXPECTED.items():
        fewest = amount * (1 - FEWER.get(name, 0))
        assert differences(EXPECTED, {**EXPECTED, name: fewest}, pace()) == set()
        assert differences(EXPECTED, {**EXPECTED, name: fewest - 0.5}, pace()) == {name}
        assert differences(EXPECTED, {**EXPECTED, name: amount + 1}, pace()) == {name}
        assert differences(
            EXPECTED, {other: amount for other, amount in EXPECTED.items() if other != name}, pace()
        ) == {name}


def test_a_busy_machine_may_make_fewer_writes_and_reads_and_more_if_the_run_is_longer() -> None:
    twice = busy(2 * PLANNED)
    for name in FEWER:
        assert twice.bounds(name, 100) == (1, 200)
    assert busy(PLANNED / 2).bounds("dynamodb Query", 100) == (1, 100)


def test_a_busy_machine_adds_a_beat_and_a_look_at_the_run_for_every_interval() -> None:
    long = busy(4 * max(BEAT_SECONDS, WATCH_SECONDS))
    assert long.bounds("dynamodb UpdateItem", 4) == (4, 4 + long.seconds // BEAT_SECONDS)
    assert long.bounds("dynamodb GetItem", 6) == (6, 6 + long.seconds // WATCH_SECONDS)
    assert pace().bounds("dynamodb UpdateItem", 4) == pace().bounds("dynamodb GetItem", 4) == (4, 4)


@given(st.floats(1, 100), st.floats(0, 5), st.sampled_from(sorted(EXPECTED)), st.integers(2, 500))
def test_what_the_model_has_is_never_a_difference(seconds: float, way: float, name: str, amount: int) -> None:
    """However busy the machine is; starts and functions are counted exactly even then."""
    run = pace(seconds, way)
    assert differences({name: amount}, {name: amount}, run) == set()
    if name == "lambda ":
        assert run.bounds(name, amount) == (amount, amount)
