"""Streams of the runner API: `agent-runner.md` §7 awaits them first, most runners use `async for` at once."""

from collections.abc import AsyncGenerator, AsyncIterator, Generator
from typing import Generic, Self, TypeVar

_Item = TypeVar("_Item")


class ApiStream(AsyncIterator[_Item], Generic[_Item]):
    """Calls the host at the first item; `aclose` ends it early."""

    def __init__(self, items: AsyncGenerator[_Item]) -> None:
        self._items = items

    def __await__(self) -> Generator[None, None, Self]:
        return self
        yield

    async def __anext__(self) -> _Item:
        return await anext(self._items)

    async def aclose(self) -> None:
        await self._items.aclose()
