"""Merges a conversation as it is stored with the list of messages that a client sent.

Clients replace their messages by those of a MESSAGES_SNAPSHOT. What only one side has stays: messages of the client
that are not stored, such as system messages, and earlier ones of which a client sent only the rest.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

_Message = Mapping[str, Any]

_UNSTORED: Final = frozenset({"system", "developer"})
"""Roles that only clients have. Others that are not stored under their ids are in place of stored ones."""


def merged(listed: Sequence[_Message], stored: Sequence[_Message]) -> list[_Message]:
    """Return the stored messages in the client's words: between two that both have, the client's list counts if it has
    any, and what comes after the last of them is as stored.

    Activities are left out: clients keep those that a snapshot does not have.
    """
    listed = [message for message in listed if message.get("role") != "activity"]
    places = {message["id"]: place for place, message in enumerate(stored)}
    result: list[_Message] = []
    own: list[_Message] = []
    reached = 0
    for message in listed:
        place = places.get(message.get("id", ""), -1)
        if place < reached:  # not stored, or in another order
            own.append(message)
            continue
        result += _between(own, stored[reached:place])
        result.append(message)
        own, reached = [], place + 1
    ids = {message.get("id") for message in result}
    kept = own if reached == 0 else [message for message in own if message.get("role") in _UNSTORED]
    return [*result, *kept, *(message for message in stored[reached:] if message["id"] not in ids)]


def _between(own: Sequence[_Message], stored: Sequence[_Message]) -> list[_Message]:
    if all(message.get("role") in _UNSTORED for message in own):
        return [*own, *stored]
    return list(own)
