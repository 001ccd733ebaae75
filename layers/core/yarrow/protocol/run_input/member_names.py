"""The two spellings of a member: the document's, else the other (RUN-02)."""

import re
from collections.abc import Mapping
from typing import Any


def member(body: Mapping[str, Any], name: str) -> Any:
    """By camelCase name, else snake_case."""
    if name in body:
        return body[name]
    return body.get(re.sub(r"[A-Z]", lambda letter: "_" + letter.group().lower(), name))


def member_in_snake(body: Mapping[str, Any], name: str) -> Any:
    """By snake_case name, else camelCase."""
    if name in body:
        return body[name]
    head, *rest = name.split("_")
    return body.get(head + "".join(part.title() for part in rest))
