"""Reads training sentences: `training/<classifier>/<language>/<label>.txt`, a sentence or template a line.

`#` begins a comment. In a template, `(a|b)` is a choice, `[a|b]` an optional one, and `{name}` any entry of
`name: a|b|c` in the language's `slots.txt`. All sentences of a line are one group, which cross-validation never splits.
"""

import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final
from zlib import crc32

FOLDER: Final = Path(__file__).parents[2] / "training"
SLOTS: Final = "slots"
_INNERMOST: Final = re.compile(r"\(([^()\[\]{}]*)\)|\[([^()\[\]{}]*)\]|\{(\w+)\}")
_TRIES: Final = 6
"""Draws for each sentence that is wanted of a template."""


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence with its label; `group` is the number of its line among all lines."""

    text: str
    label: str
    language: str
    group: int
    weight: float = 1.0


def digest(*corpora: str, folder: Path = FOLDER) -> str:
    """Return the SHA-256 of the training files of these folders, which a model file stores."""
    found = sha256()
    for path in sorted(path for corpus in corpora for path in (folder / corpus).rglob("*.t*")):
        found.update(f"{path.relative_to(folder)}\n".encode() + path.read_bytes())
    return found.hexdigest()


def examples(classifier: str, most: int, folder: Path = FOLDER) -> list[Example]:
    """Return all sentences, at most `most` of a template."""
    found: list[Example] = []
    group = 0
    for path in sorted((folder / classifier).glob("*/*.txt")):
        if path.stem == SLOTS:
            continue
        slots = _slots(path.with_name(f"{SLOTS}.txt"))
        for line in lines(path):
            texts = expand(line, slots, most)
            weight = min(1.0, 4 / len(texts))
            found += [Example(text, path.stem, path.parent.name, group, weight) for text in texts]
            group += 1
    return found


def lines(path: Path) -> Iterator[str]:
    """Return the lines of a file without comments."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if text := line.partition("#")[0].strip():
            yield text


def expand(template: str, slots: Mapping[str, str], most: int) -> list[str]:
    """Return up to `most` different sentences of a template, always the same ones."""
    draw = random.Random(crc32(template.encode()))  # noqa: S311
    found: dict[str, None] = {}
    for _ in range(most * _TRIES if _INNERMOST.search(template) else 1):
        found[_one(template, slots, draw)] = None
        if len(found) == most:
            break
    return list(found)


def _one(template: str, slots: Mapping[str, str], draw: random.Random) -> str:
    def chosen(match: re.Match[str]) -> str:
        if match[3]:
            return f"({slots[match[3]]})"
        if match[2] is not None:
            return draw.choice([*str(match[2]).split("|"), ""])
        return draw.choice(str(match[1]).split("|"))

    text = template
    while _INNERMOST.search(text):
        text = _INNERMOST.sub(chosen, text)
    return " ".join(text.split())


def _slots(path: Path) -> dict[str, str]:
    if not path.exists():
        return {}
    named = (line.partition(":") for line in lines(path))
    return {name.strip(): words.strip() for name, _, words in named}
