"""A streamed answer as the result of one step: its chunks, with neighbours joined.

A later worker's runner gets the same text in fewer chunks. An answer that the runner closed early, or that broke off,
is a result as well: it ends where it ended.
"""

from collections.abc import AsyncGenerator, Mapping
from typing import Any, Final

from yarrow.protocol.runner.api import AgentAPIError, AgentAPIException, ModelUsage

Document = dict[str, Any]

_JOINED: Final = ("content", "reasoning")
"""Members of a chunk that are pieces of a text."""


class ReceivedChunks:
    """The chunks of an answer so far."""

    def __init__(self) -> None:
        self.is_whole = False
        """Whether the last chunk, which has the whole reply, is among them."""
        self._chunks: list[Document] = []
        self._pieces: list[str] = []
        """Of the text that the last of the chunks is a piece of."""

    def append(self, chunk: Mapping[str, Any]) -> None:
        members = {name: value for name, value in chunk.items() if value is not None}
        self.is_whole = self.is_whole or "reply" in members
        name = _piece_of(members)
        if name is not None and self._chunks and _without(members, name) == _without(self._chunks[-1], name):
            self._pieces.append(members[name])
            return
        self._join()
        self._chunks.append(members)
        self._pieces = [] if name is None else [members[name]]

    def result(self, error: AgentAPIError | None = None) -> Document:
        """Return the step's result; `error` is what the answer broke off with."""
        self._join()
        ended = {} if error is None else {"error": error.model_dump(mode="json")}
        return {"chunks": self._chunks, **({} if self.is_whole else {"is_cut": True}), **ended}

    def _join(self) -> None:
        if self._chunks and (name := _piece_of(self._chunks[-1])):
            self._chunks[-1] = {**self._chunks[-1], name: "".join(self._pieces)}


async def documents(result: Mapping[str, Any]) -> AsyncGenerator[Document]:
    """Yield the chunks of a result. Raises AgentAPIException where the answer broke off or was closed."""
    for chunk in result["chunks"]:
        yield chunk
    if "error" in result:
        raise AgentAPIException.of(AgentAPIError.model_validate(result["error"]))
    if result.get("is_cut"):
        raise AgentAPIException("runtime_error", "the answer was cut off", retryable=True)


def usage_of(document: Mapping[str, Any] | None) -> ModelUsage | None:
    """Return the usage of a model's answer, if the document has it; None for a script's."""
    if document is None:
        return None
    last = document["chunks"][-1] if document.get("chunks") else {}
    reply = last.get("reply", document)
    usage = reply.get("usage") if isinstance(reply, Mapping) and "message" in reply else None
    return None if usage is None or reply.get("scripted") else ModelUsage.model_validate(usage)


def _without(chunk: Mapping[str, Any], name: str) -> Document:
    """Return the chunk with None for this member, if it has it."""
    return {member: None if member == name else value for member, value in chunk.items()}


def _piece_of(chunk: Mapping[str, Any]) -> str | None:
    """Return the name of a chunk's text member that may be joined with the next chunk's; None otherwise."""
    found = [name for name in _JOINED if name in chunk]
    return found[0] if len(found) == 1 and not {"reply", "reasoned"} & chunk.keys() else None
