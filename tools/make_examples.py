"""Writes the examples of frameworks, `examples/FRAMEWORK_agent`: what `yarrow new` writes for each."""

import shutil
import sys
from pathlib import Path
from typing import Final

from yarrow_client.starter import FRAMEWORKS, files, write

EXAMPLES: Final = Path(__file__).parent.parent / "examples"


def name_of(framework: str) -> str:
    return f"{framework}_agent"


def main() -> int:
    """Write all of them anew. Returns the exit code."""
    for framework in FRAMEWORKS:
        folder = EXAMPLES / name_of(framework)
        shutil.rmtree(folder, ignore_errors=True)
        write(folder, files(name_of(framework), framework, "../.."))
    return 0


if __name__ == "__main__":
    sys.exit(main())
