"""What a fork server does once for all its sandboxes. Nothing here connects or starts a thread."""

from pkgutil import resolve_name

from yarrow.runners.discovery import BUILT_IN, checked
from yarrow.store import clients


def make_clients() -> None:
    """Make the client that every invocation needs, as functions do at their start on Lambda."""
    clients.dynamodb()


def import_runners() -> None:
    """Import what a first run imports, and let it prepare: a third of a second of a new sandbox."""
    for place in BUILT_IN.values():
        checked(resolve_name(place)).prepare()
