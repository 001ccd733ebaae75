"""How workers of these tests write."""

import pytest

from yarrow.worker import journal_writer


@pytest.fixture
def unbuffered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every event is stored by itself, so that a worker can die between any two."""
    monkeypatch.setattr(journal_writer, "FLUSH_SECONDS", 0.0)
