"""The two spellings of a member: the document's, else the other (RUN-02)."""

import re
from collections.abc import Mapping
from typing import Any


def member(body: Mapping[str, Any], name: str) -> Any:
    """A member by its camelCase name, else by its snake_case one."""
    if name in body:
        return body[name]
    return body.get(re.sub(r"[A-Z]", lambda letter: "_" + letter.group().lower(), name))


def member_in_snake(body: Mapping[str, Any], name: str) -> Any:
    """A member by its snake_case name, else by its camelCase one."""
    if name in body:
        return body[name]
    head, *rest = name.split("_")
    return body.get(head + "".join(part.title() for part in rest))
