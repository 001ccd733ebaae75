"""The two spellings of a member: the document's, else the other (RUN-02)."""

import re
from collections.abc import Collection, Mapping
from typing import Any


def member(body: Mapping[str, Any], name: str) -> Any:
    """Get a member by its camelCase name, else by snake_case."""
    if name in body:
        return body[name]
    return body.get(re.sub(r"[A-Z]", lambda letter: "_" + letter.group().lower(), name))


def member_in_snake(body: Mapping[str, Any], name: str) -> Any:
    """Get a member by its snake_case name, else by camelCase."""
    if name in body:
        return body[name]
    head, *rest = name.split("_")
    return body.get(head + "".join(part.title() for part in rest))


def members(body: Mapping[str, Any], names: Collection[str]) -> dict[str, Any]:
    """Get members by camelCase name, None for missing ones."""
    return {name: member(body, name) for name in names}


def members_in_snake(body: Mapping[str, Any], names: Collection[str]) -> dict[str, Any]:
    """Get members by snake_case name, None for missing ones."""
    return {name: member_in_snake(body, name) for name in names}
