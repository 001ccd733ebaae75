"""What a run uses, as docs/scale.md and its model have it, is what a run of today uses."""

import json
from typing import Any

import pytest

from tests.bench.figures import count


def amounts(document: Any) -> dict[str, float]:
    """Return the amounts by path."""
    if not isinstance(document, dict):
        return {"": document}
    return {f"{name} {path}": amount for name, member in document.items() for path, amount in amounts(member).items()}


def test_a_run_uses_what_is_recorded() -> None:
    """If it does not: python -m tests.bench.figures.count, then python -m tests.bench.figures.page."""
    recorded = amounts(json.loads(count.FILE.read_text(encoding="utf-8")))
    assert amounts(count.counted()) == pytest.approx(recorded, rel=0.001)
