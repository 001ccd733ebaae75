"""Says how large a layer of one's own is, and whether Lambda takes it beside layers of Yarrow.

`make agents-layer` runs it. Yarrow's layers are as large as docs/decisions/layers.md says.
"""

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

LIMIT_MB: Final = 250
"""What a function and its layers may have, unpacked."""
UNPACKED_MB: Final[Mapping[str, int]] = {"core": 46, "models": 82}


def room(layers: Iterable[str]) -> int:
    """Return the megabytes that layers of Yarrow leave."""
    return LIMIT_MB - sum(UNPACKED_MB[name] for name in layers)


def size(folder: Path) -> int:
    """Return the megabytes of a folder's files, rounded up."""
    return -(-sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) // 1_000_000)


def main(folder: Path, layers: Iterable[str]) -> int:
    """Print the size. Returns the exit code: 1 if it is too large."""
    names = list(layers)
    has, left = size(folder), room(names)
    sys.stdout.write(f"{folder} has {has} MB, of {left} that {' and '.join(names)} leave\n")
    if has <= left:
        return 0
    sys.stderr.write("Lambda would refuse it: docs/agents-layer.md says what to do\n")
    return 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2].split(",")))
