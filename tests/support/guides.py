"""What the recipes of `docs/guides/` show: files of packages, and blocks that have a name."""

import re
from pathlib import Path
from typing import Final

from tests.support.paths import ROOT

SHELF: Final = ROOT / "docs/guides"


def package(page: str, into: Path) -> Path:
    """Write the files of a page's package, and return its folder."""
    text = (SHELF / f"{page}.md").read_text(encoding="utf-8")
    shown: list[tuple[str, str]] = re.findall(
        r"^`([a-z]+/[\w.]+)`[^\n]*\n\n```\w+\n(.*?)^```", text, re.MULTILINE | re.DOTALL
    )
    for path, content in shown:
        (into / path).parent.mkdir(exist_ok=True)
        (into / path).write_text(content, encoding="utf-8")
    return into / shown[0][0].partition("/")[0]


def block(page: str, name: str) -> str:
    """Return the block behind the comment `<!-- name -->`."""
    text = (SHELF / f"{page}.md").read_text(encoding="utf-8")
    (found,) = re.findall(rf"^<!-- {name} -->\n```\w+\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    return str(found)
