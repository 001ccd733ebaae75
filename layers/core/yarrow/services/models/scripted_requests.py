"""What the script understands without a command: requests in plain words, in English and both scripts of Chinese.

A line such as "Remember that I drink tea." calls the tool that does it, if it is offered. Packages add their own.
"""

import re
from collections.abc import Collection, Iterator
from typing import Any, Final

from yarrow.packages.stand_ins import stand_ins

_END: Final = " \t\r.。！!"

REQUESTS: Final[tuple[tuple[str, str, re.Pattern[str]], ...]] = tuple(
    (tool, argument, re.compile(rf"^[ \t]*(?:{opening})(?P<given>.+)$", re.IGNORECASE | re.MULTILINE))
    for tool, argument, opening in (
        *(request for stand_in in stand_ins() for request in stand_in.requests),
        ("memory_save", "text", r"(?:please )?remember(?: that|:)[ \t]+"),
        ("memory_save", "text", r"[请請]?[记記]住[：:，,]?[ \t]*"),
        ("memory_search", "query", r"what do you (?:remember|know) about[ \t]+"),
        ("memory_search", "query", r"你(?:还|還)?[记記]得(?:关于|關於)?"),
    )
)
"""Patterns by tool and the argument that gets the rest of the line."""


def requested(text: str, offered: Collection[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the calls of offered tools that a text asks for, one for each tool and line."""
    for tool, argument, form in REQUESTS:
        if tool in offered:
            for match in form.finditer(text):
                value = match["given"].strip(_END + "?？" if tool == "memory_search" else _END)
                if value:
                    yield tool, {argument: value}
