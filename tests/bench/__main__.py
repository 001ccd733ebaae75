"""`python -m tests.bench`: run every benchmark, print one table, write `bench.json`.

A benchmark is a module `bench_<subject>.py` in this folder with a function `measure() -> list[Row]` (see `row`).
Names of subjects as arguments run those alone, e.g. `python -m tests.bench derivation`.
"""

import json
import logging
import os
import platform
import signal
import sys
import traceback
from importlib import import_module
from pathlib import Path

from tests.bench.row import Row

HEADINGS = ("measured", "ours", "theirs", "unit", "ours is", "reference")


def main(subjects: list[str]) -> None:
    """Measure the subjects, or all there are."""
    # A benchmark that is stopped ends the servers it started.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    logging.disable(logging.INFO)
    found = sorted(path.stem.removeprefix("bench_") for path in Path(__file__).parent.glob("bench_*.py"))
    load = os.getloadavg()
    rows: list[Row] = []
    failed: list[str] = []
    for subject in subjects or found:
        # One that fails takes nothing from what the others measured.
        try:
            rows += import_module(f"tests.bench.bench_{subject}").measure()
        except Exception:  # noqa: BLE001 - whatever it is, it is shown
            traceback.print_exc()
            failed.append(subject)
    print(table(rows))
    print(f"\nload average before {load[0]:.1f}, after {os.getloadavg()[0]:.1f}, on {os.cpu_count()} processors")
    document = {
        "python": platform.python_version(),
        "machine": platform.platform(),
        "processors": os.cpu_count(),
        "load": {"before": load, "after": os.getloadavg()},
        "rows": [row.document() for row in rows],
    }
    Path("bench.json").write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    if failed:
        sys.exit(f"these failed: {', '.join(failed)}")


def table(rows: list[Row]) -> str:
    """The rows under their headings, figures to three places, in columns."""
    cells = [
        HEADINGS,
        *(
            (row.name, figure(row.ours), figure(row.theirs), row.unit, compared(row.ratio), row.reference)
            for row in rows
        ),
    ]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if column in (1, 2, 4) else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cells
    )


def compared(ratio: float | None) -> str:
    """How much better or worse ours is, e.g. `5.14 × better`, `11 × worse`, `equal`; nothing without a reference."""
    if ratio is None:
        return ""
    if 0.995 <= ratio <= 1.005:
        return "equal"
    return f"{figure(ratio)} × better" if ratio > 1 else f"{figure(1 / ratio)} × worse"


def figure(value: float | None) -> str:
    """Return a figure to three significant places, e.g. `28.4`, `3,050`; nothing for None."""
    if value is None:
        return ""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


if __name__ == "__main__":
    main(sys.argv[1:])
