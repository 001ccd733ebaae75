"""AWS KMS for one purpose: encrypting and decrypting small texts, under any alias. The key stands in for those of a
deployment: it is in the data folder, or gone with the process.

Source: AWS KMS API Reference, Encrypt and Decrypt; a ciphertext is bound to its encryption context.
"""

import base64
import json
import secrets
from pathlib import Path
from typing import Any, Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import Receive, Scope, Send

FILE: Final = "stand-in.key"
_NONCE_BYTES: Final = 12
_MAX_PLAINTEXT: Final = 4_096


class StandInKey:
    """Serves Encrypt and Decrypt. With a folder, what was encrypted can be read after a restart."""

    def __init__(self, folder: Path | None) -> None:
        self._cipher = AESGCM(secrets.token_bytes(32) if folder is None else _kept(folder / FILE))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        operation = request.headers.get("X-Amz-Target", "").rpartition(".")[2]
        response = self._answer(operation, await request.json())
        await response(scope, receive, send)

    def _answer(self, operation: str, members: dict[str, Any]) -> Response:
        key = members["KeyId"]
        context = json.dumps([key, sorted(members.get("EncryptionContext", {}).items())]).encode()
        if operation == "Encrypt":
            text = base64.b64decode(members["Plaintext"])
            if not 0 < len(text) <= _MAX_PLAINTEXT:
                return _error("ValidationException", "the plaintext must have 1 to 4,096 bytes")
            nonce = secrets.token_bytes(_NONCE_BYTES)
            sealed = nonce + self._cipher.encrypt(nonce, text, context)
            return JSONResponse({"CiphertextBlob": base64.b64encode(sealed).decode(), "KeyId": key})
        if operation == "Decrypt":
            sealed = base64.b64decode(members["CiphertextBlob"])
            try:
                text = self._cipher.decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], context)
            except (InvalidTag, ValueError):
                return _error("InvalidCiphertextException", "not encrypted here, or with another context")
            return JSONResponse({"Plaintext": base64.b64encode(text).decode(), "KeyId": key})
        return _error("UnknownOperationException", f"the emulator has no {operation}")


def _kept(file: Path) -> bytes:
    """Read the key, or make one that only this user can read."""
    try:
        return file.read_bytes()
    except FileNotFoundError:
        key = secrets.token_bytes(32)
        file.touch(mode=0o600)
        file.write_bytes(key)
        return key


def _error(code: str, message: str) -> Response:
    return JSONResponse({"__type": code, "message": message}, 400)
