"""`python -m tests.bench.figures.speed` writes the tables of the pages on speed again, from the last `make bench`.

The first page has what users feel, in the words of FELT, and cold starts; the second has every row.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple

from tests.bench.__main__ import compared, figure
from tests.bench.figures.page import TABLE, table
from tests.support.paths import ROOT

PAGES: Final = (ROOT / "docs/speed.md", ROOT / "docs/speed-figures.md")

Rows = Sequence[Mapping[str, Any]]


class Felt(NamedTuple):
    """A row of the benchmark as a reader's sentence; `beside` is the start of what it is compared with, if anything."""

    sentence: str
    row: str
    beside: str = ""


FELT: Final = (
    Felt("first event at the AG-UI door, from the request", "AG-UI, request to first event", "pydantic-ai"),
    Felt("first event, from a submit", "submit to first event", "Aegra"),
    Felt("first event, from a submit", "submit to first event", "langgraph dev"),
    Felt("first delta, from a submit", "submit to first delta", "Aegra"),
    Felt("first delta, from a submit", "submit to first delta", "langgraph dev"),
    Felt("events of an AG-UI run of 2,000", "AG-UI, events of a run of 2,000", "pydantic-ai"),
    Felt("deltas of a run of 20,000", "deltas of a run of 20,000", "Aegra"),
    Felt("deltas of a run of 20,000", "deltas of a run of 20,000", "langgraph dev"),
    Felt("the same run, replayed", "deltas of a run of 20,000, replayed"),
    Felt("delay of a delta at 50 a second, median", "delay of a delta at 50 a second, p50", "Aegra"),
    Felt("processor time of a derivation", "derive a cast from its JSON object", "najia"),
    Felt("processor time of a reading, in Chinese", "read a recorded cast in zh-CN"),
    Felt("processor time of a reading, in English", "read a recorded cast in en"),
    Felt("1,000 runs of 20 seconds, without a model's tokens", "all of it, without a model's tokens"),
)
COLD: Final = "cold start, "
REFERENCE: Final = "boto3 and a DynamoDB client"
STEPS: Final = (1.0, 1.2, 1.4)
"""How many times the reference's time parts the groups of functions."""


def main() -> None:
    document = json.loads((ROOT / "bench.json").read_text(encoding="utf-8"))
    for page in PAGES:
        page.write_text(written(page.read_text(encoding="utf-8"), document), encoding="utf-8")


def written(page: str, document: Mapping[str, Any]) -> str:
    """The page with its tables as a run of the benchmarks has them."""
    return TABLE.sub(lambda found: f"{found[1]}{found[2]}{TABLES[found[1]](document)}", page)


def _felt(document: Mapping[str, Any]) -> str:
    lines = []
    for sentence, name, beside in FELT:
        rows = [row for row in document["rows"] if row["name"] == name and row["reference"].startswith(beside)]
        # The first of several: a server's answers before its custom events.
        lines += [
            (sentence, amount(row["ours"], row["unit"]), speed(row["ratio"], row["reference"])) for row in rows[:1]
        ]
    return table(("", "Yarrow", "beside"), lines) + _where(document)


def amount(value: float, unit: str) -> str:
    """Return a figure with its unit, e.g. `20.6 ms`, `57,030 a second`, without what the sentence says: `µs CPU`."""
    return f"{figure(value)} {'a second' if unit == '1/s' else unit.partition(' ')[0]}"


def speed(ratio: float | None, reference: str) -> str:
    """How much faster or slower ours is, e.g. `11 × slower than Aegra 0.11.0`; nothing without a reference."""
    if ratio is None:
        return ""
    words = {"better": "faster than", "worse": "slower than", "equal": "as fast as"}
    *times, word = compared(ratio).split()
    return " ".join([*times, words[word], reference.removesuffix(", messages-tuple")])


def _cold(document: Mapping[str, Any]) -> str:
    times = {
        row["name"].removeprefix(COLD): row["ours"] / row["theirs"]
        for row in document["rows"]
        if row["name"].startswith(COLD) and row["reference"] == REFERENCE and "," not in row["name"][len(COLD) :]
    }
    bounds = (0.0, *STEPS, float("inf"))
    lines = []
    for least, most in pairwise(bounds):
        group = sorted((name for name, ratio in times.items() if least <= ratio < most), key=times.__getitem__)
        if group:
            shown = ", ".join(f"`{name}`" for name in group)
            lines.append((f"{times[group[0]]:.2g} to {times[group[-1]]:.2g} times", shown))
    return table(("a cold start takes", "functions"), lines).replace("---:", "---")


def _bench(document: Mapping[str, Any]) -> str:
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
    return table(("measured", "ours", "theirs", "ours is", "beside"), lines) + _where(document)


def _where(document: Mapping[str, Any]) -> str:
    where = f"{document['processors']} processors, Python {document['python']}"
    return f"\nMeasured on {where}; load average {document['load']['before'][0]:.1f} before.\n"


TABLES: Final[Mapping[str, Callable[[Mapping[str, Any]], str]]] = {"felt": _felt, "cold": _cold, "bench": _bench}

if __name__ == "__main__":
    main()
