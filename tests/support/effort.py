"""How much a test that makes up its own cases tries: `EFFORT=10 make test` tries ten times as much."""

import os

_EFFORT = float(os.environ.get("EFFORT", "1"))


def examples(usual: int) -> int:
    """Return so many cases times the effort, at least one."""
    return max(1, round(usual * _EFFORT))
