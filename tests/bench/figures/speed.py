"""`python -m tests.bench.figures.speed` writes the table of `docs/speed.md` again, from the last `make bench`."""

import json
from typing import Any, Final

from tests.bench.__main__ import compared, figure
from tests.bench.figures.page import TABLE, table
from tests.support.paths import ROOT

PAGE: Final = ROOT / "docs/speed.md"
HEADS: Final = ("measured", "ours", "theirs", "ours is", "beside")


def main() -> None:
    """Write the page."""
    document = json.loads((ROOT / "bench.json").read_text(encoding="utf-8"))
    text = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(TABLE.sub(lambda found: f"{found[1]}{found[2]}{written(document)}", text), encoding="utf-8")


def written(document: dict[str, Any]) -> str:
    """The rows that have something beside them, then the others."""
    rows = sorted(document["rows"], key=lambda row: row["theirs"] is None)
    lines = [
        (
            row["name"],
            f"{figure(row['ours'])} {row['unit']}".strip(),
            f"{figure(row['theirs'])} {row['unit']}".strip() if row["theirs"] is not None else "",
            compared(row["ratio"]),
            row["reference"],
        )
        for row in rows
    ]
    where = f"{document['processors']} processors, Python {document['python']}"
    return table(HEADS, lines) + f"\nMeasured on {where}; load average {document['load']['before'][0]:.1f} before.\n"


if __name__ == "__main__":
    main()
