"""Prints how many questions that are never trained on get no reading: the figures of docs/care.md.

Run `python -m tools.train_care_figures`; it reads `held_out` and `another_hand` of the tests. It shows numbers, never a
question, so that nobody learns from the misses.
"""

import csv
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from liuyao.care import assess
from liuyao.care.assessment import declined_by_tables
from tools.classification.corpus import lines

TESTS: Final = Path(__file__).parents[1] / "tests/unit/liuyao"


def corpora() -> Iterator[tuple[str, str, list[str]]]:
    """Yield the name of a corpus, a label, and its questions in all languages."""
    held_out = TESTS / "care/held_out"
    found: dict[tuple[str, str], list[str]] = {}
    for path in sorted(held_out.rglob("*.txt")):
        corpus = path.parent.relative_to(held_out).parts
        name = "/".join(part for part in corpus if part not in {"en", "zh", "hant"}) or "first"
        found.setdefault((name, path.stem), []).extend(lines(path))
    with (TESTS / "another_hand/care.tsv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            found.setdefault(("another hand", row["kind"]), []).append(row["text"])
    for (name, label), texts in found.items():
        yield name, label, texts


def main() -> None:
    """Print a row a corpus and label."""
    rows = [
        "| corpus | label | number | by tables | no reading | with a caution | kinds |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, label, texts in corpora():
        found = [assess([text]) for text in texts]
        kinds = Counter(str(assessed.kind) for assessed in found if assessed.kind is not None)
        numbers = (
            len(texts),
            sum(declined_by_tables(text) is not None for text in texts),
            kinds.total(),
            sum(bool(assessed.cautions) for assessed in found),
        )
        by_kind = ", ".join(f"{kind} {count}" for kind, count in kinds.most_common())
        rows.append(f"| {name} | {label} | {' | '.join(map(str, numbers))} | {by_kind} |")
    sys.stdout.write("\n".join(rows) + "\n")


if __name__ == "__main__":
    main()
