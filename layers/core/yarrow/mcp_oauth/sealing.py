"""Seals what a user has got from an authorization server, with a key of AWS KMS that nobody can read.

The encryption context has the user and the server, so what is sealed for one is of no use to another. What is the
deployment's own has a context without a user, which no user's has. KMS takes 4 KiB at once: longer texts are sealed in
pieces, whose places are in the context too.
"""

import base64
import binascii
from typing import Final

from botocore.exceptions import ClientError

from yarrow.settings import settings
from yarrow.store import clients

_PIECE_BYTES: Final = 4_096
_MAX_PIECES: Final = 8


class UnreadableSealError(Exception):
    """It was sealed for another user, server or key, or was changed."""


def seal(text: str, user_id: str | None, url: str) -> str:
    """Return a text that only `opened` can read, with the same user, None for the deployment, and server.

    Raises botocore's errors.
    """
    data = text.encode()
    pieces = [data[at : at + _PIECE_BYTES] for at in range(0, len(data), _PIECE_BYTES)]
    if len(pieces) > _MAX_PIECES:
        raise ValueError("too long to be sealed")
    sealed = []
    for place, piece in enumerate(pieces):
        context = _context(user_id, url, place, len(pieces))
        answer = clients.kms().encrypt(KeyId=settings.mcp_connections_key, Plaintext=piece, EncryptionContext=context)
        sealed.append(base64.b64encode(answer["CiphertextBlob"]).decode())
    return " ".join(sealed)


def opened(sealed: str, user_id: str | None, url: str) -> str:
    """Return what was sealed. Raises UnreadableSealError; botocore's errors if KMS fails."""
    pieces = sealed.split(" ")
    data = b""
    for place, piece in enumerate(pieces):
        try:
            blob = base64.b64decode(piece, validate=True)
            context = _context(user_id, url, place, len(pieces))
            answer = clients.kms().decrypt(
                KeyId=settings.mcp_connections_key, CiphertextBlob=blob, EncryptionContext=context
            )
        except binascii.Error as error:
            raise UnreadableSealError from error
        except ClientError as error:
            if error.response["Error"]["Code"] in ("InvalidCiphertextException", "IncorrectKeyException"):
                raise UnreadableSealError from error
            raise
        data += answer["Plaintext"]
    return data.decode()


def _context(user_id: str | None, url: str, place: int, count: int) -> dict[str, str]:
    of_user = {} if user_id is None else {"user": user_id}
    return {**of_user, "server": url, "piece": f"{place + 1} of {count}"}
