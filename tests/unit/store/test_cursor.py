"""Cursors: any place comes back from its own list and thread, and from nothing else."""

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yarrow.protocol.runner.api import AgentAPIException
from yarrow.store import cursor

THREAD = "550e8400-e29b-41d4-a716-446655440000"
PLACES = st.integers(0, 2**128 - 1)


@given(PLACES)
def test_a_place_comes_back(place: int) -> None:
    """RNR-22: The case of the thread's letters does not matter."""
    text = cursor.encode("transcript", THREAD, place)
    assert cursor.decode("transcript", THREAD.upper(), text) == place


@given(PLACES)
def test_a_cursor_is_of_one_list_and_thread(place: int) -> None:
    """RNR-22, RNR-80."""
    text = cursor.encode("transcript", THREAD, place)
    with pytest.raises(AgentAPIException) as caught:
        cursor.decode("event_log", THREAD, text)
    assert caught.value.error.code == "invalid_argument"
    with pytest.raises(AgentAPIException):
        cursor.decode("transcript", THREAD[:-1] + "1", text)


@given(st.text(max_size=40) | st.binary(max_size=30).map(lambda raw: base64.urlsafe_b64encode(raw).decode()))
def test_anything_else_is_no_cursor(text: str) -> None:
    """RNR-22."""
    with pytest.raises(AgentAPIException):
        cursor.decode("transcript", THREAD, text)
