"""A stream of the runner API that may be awaited before it is read.

`agent-runner.md` §7 writes `await api.models.stream(…)`; most runners use `async for` on the call itself.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Generator
from typing import Generic, Self, TypeVar

_Item = TypeVar("_Item")


class ApiStream(AsyncIterator[_Item], Generic[_Item]):
    """Yields the items. Calls the host at the first item; `aclose` ends the stream early."""

    def __init__(self, items: AsyncGenerator[_Item]) -> None:
        self._items = items

    def __await__(self) -> Generator[None, None, Self]:
        return self
        yield

    async def __anext__(self) -> _Item:
        return await anext(self._items)

    async def aclose(self) -> None:
        """End the stream."""
        await self._items.aclose()
