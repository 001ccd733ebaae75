"""A client of Yarrow: submit a run, and read its events to the end whatever the network does."""

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
