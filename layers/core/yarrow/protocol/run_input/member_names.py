"""The two spellings of a member: the document's, else the other (RUN-02)."""

import re
from collections.abc import Collection, Mapping
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


def members(body: Mapping[str, Any], names: Collection[str]) -> dict[str, Any]:
    """These members by camelCase name, None for those that are not there."""
    return {name: member(body, name) for name in names}


def members_in_snake(body: Mapping[str, Any], names: Collection[str]) -> dict[str, Any]:
    """These members by snake_case name, None for those that are not there."""
    return {name: member_in_snake(body, name) for name in names}
