"""A client of Yarrow, which submits runs and reads their events to the end, across lost connections."""

from yarrow_client.async_client import AsyncYarrow
from yarrow_client.effects import Event
from yarrow_client.errors import Dropped, Refused, YarrowError
from yarrow_client.run_input import cast_input, text_input
from yarrow_client.sync_client import Yarrow
from yarrow_client.watching import Profile

__all__ = [
    "AsyncYarrow",
    "Dropped",
    "Event",
    "Profile",
    "Refused",
    "Yarrow",
    "YarrowError",
    "cast_input",
    "text_input",
]
