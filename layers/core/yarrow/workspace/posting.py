"""Posts frames to connections, by API Gateway's management API or another `Post`."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Protocol

from botocore.exceptions import BotoCoreError, ClientError

from yarrow.store import clients


class GoneError(Exception):
    """The connection is closed for good."""


class UnknownOutcomeError(Exception):
    """The frame may or may not have reached the page."""


class Post(Protocol):
    """Sends a frame to a connection. Raises GoneError or UnknownOutcomeError."""

    def __call__(self, connection_id: str, frame: bytes, /) -> None: ...


def post(connection_id: str, frame: bytes) -> None:
    with _errors(connection_id):
        clients.connections().post_to_connection(ConnectionId=connection_id, Data=frame)


def close(connection_id: str) -> None:
    """Close a connection through API Gateway, if it is still open. Raises UnknownOutcomeError."""
    with suppress(GoneError), _errors(connection_id):
        clients.connections().delete_connection(ConnectionId=connection_id)


@contextmanager
def _errors(connection_id: str) -> Iterator[None]:
    """Convert API Gateway's errors to GoneError or UnknownOutcomeError."""
    try:
        yield
    except ClientError as error:
        if error.response["Error"]["Code"] in ("GoneException", "410"):
            raise GoneError(connection_id) from error
        raise UnknownOutcomeError(connection_id) from error
    except BotoCoreError as error:
        raise UnknownOutcomeError(connection_id) from error
