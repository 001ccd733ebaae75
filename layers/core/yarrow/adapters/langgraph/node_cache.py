"""What nodes of a graph wrote, as steps of the run, by LangGraph's own cache of nodes.

A worker that takes over runs the graph from the start. Nodes that had ended are not run again: the cache has what they
wrote. A node is known by its name, its code and its input; equal ones of a run are told apart by their order.
"""

import asyncio
import base64
import hashlib
import json
import logging
from collections.abc import Mapping, Sequence
from typing import Any, Final

from langgraph.cache.base import BaseCache, FullKey, Namespace
from langgraph.constants import START
from langgraph.types import CachePolicy
from pydantic_core import to_jsonable_python

from yarrow.protocol.runner.own_steps import BegunStep
from yarrow.protocol.runner.proxy import AgentRunAPIProxy

logger = logging.getLogger(f"yarrow.{__name__}")

MAX_STORED_BYTES: Final = 256 * 1024
"""Bytes of what a node wrote; more is not stored, and a later worker runs the node again."""

Writes = Any


class NodeCache(BaseCache[Writes]):
    def __init__(self, api: AgentRunAPIProxy) -> None:
        super().__init__()
        self._api = api
        self._begun: dict[FullKey, BegunStep] = {}
        self._storing: set[asyncio.Future[Any]] = set()

    async def aget(self, keys: Sequence[FullKey]) -> dict[FullKey, Writes]:
        """Return what earlier workers' nodes wrote; the others begin. Waits until all that has ended is stored."""
        await asyncio.sleep(0)  # the graph stores in the background: let it begin
        await asyncio.gather(*self._storing)
        found = {}
        for key in keys:
            if key in self._begun or key[0][-1] == START:
                continue
            step = await self._api.begin_step(f"node {key[0][-1]}", arguments=[*key[0], key[1]])
            if step.has_ended:
                kind, data = step.value
                found[key] = self.serde.loads_typed((kind, base64.b64decode(data)))
            else:
                self._begun[key] = step
        return found

    async def aset(self, pairs: Mapping[FullKey, tuple[Writes, int | None]]) -> None:
        storing = asyncio.ensure_future(self._store(pairs))
        self._storing.add(storing)
        storing.add_done_callback(self._storing.discard)
        await storing

    async def _store(self, pairs: Mapping[FullKey, tuple[Writes, int | None]]) -> None:
        for key, (writes, _) in pairs.items():
            step = self._begun.pop(key, None)
            if step is None:
                continue
            stored = self._dumped(key, writes)
            if stored is None:
                step.leave()
            else:
                await step.end(stored)

    def _dumped(self, key: FullKey, writes: Writes) -> list[str] | None:
        try:
            kind, data = self.serde.dumps_typed(writes)
        except (TypeError, ValueError):
            logger.warning("a node's result cannot be stored", extra={"node": key[0][-1]})
            return None
        if len(data) > MAX_STORED_BYTES:
            logger.warning("a node's result is too large to be stored", extra={"node": key[0][-1], "bytes": len(data)})
            return None
        return [kind, base64.b64encode(data).decode()]

    def leave(self) -> None:
        """Leave the steps of nodes that failed, asked the user or were cancelled."""
        while self._begun:
            self._begun.popitem()[1].leave()

    def get(self, keys: Sequence[FullKey]) -> dict[FullKey, Writes]:
        raise NotImplementedError("graphs of runners are run by `astream`")

    def set(self, pairs: Mapping[FullKey, tuple[Writes, int | None]]) -> None:
        raise NotImplementedError("graphs of runners are run by `astream`")

    def clear(self, namespaces: Sequence[Namespace] | None = None) -> None:
        raise NotImplementedError("steps of a run are kept")

    async def aclear(self, namespaces: Sequence[Namespace] | None = None) -> None:
        raise NotImplementedError("steps of a run are kept")


def _digest(*arguments: Any, **named: Any) -> str:
    """Return a digest of a node's input, equal in another process. Objects that JSON cannot show differ each time."""
    try:
        document = to_jsonable_python([arguments, named], fallback=_shown, bytes_mode="base64", serialize_unknown=False)
        text = json.dumps(document, sort_keys=True)
    except (ValueError, TypeError):  # objects that refer to themselves
        text = repr((arguments, named))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _shown(value: Any) -> Any:
    return vars(value) if hasattr(value, "__dict__") else repr(value)


POLICY: Final = CachePolicy[Any](key_func=_digest)
