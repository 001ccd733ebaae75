"""Posting frames to connections, by API Gateway's management API or anything else that keeps to `Post`."""

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
    """Post a frame through API Gateway."""
    try:
        clients.connections().post_to_connection(ConnectionId=connection_id, Data=frame)
    except ClientError as error:
        if error.response["Error"]["Code"] in ("GoneException", "410"):
            raise GoneError(connection_id) from error
        raise UnknownOutcomeError(connection_id) from error
    except BotoCoreError as error:
        raise UnknownOutcomeError(connection_id) from error


def close(connection_id: str) -> None:
    """Close a connection through API Gateway, if it is still open. Raises UnknownOutcomeError."""
    try:
        clients.connections().delete_connection(ConnectionId=connection_id)
    except ClientError as error:
        if error.response["Error"]["Code"] not in ("GoneException", "410"):
            raise UnknownOutcomeError(connection_id) from error
    except BotoCoreError as error:
        raise UnknownOutcomeError(connection_id) from error
