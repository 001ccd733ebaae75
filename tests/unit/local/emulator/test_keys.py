"""The local stack's stand-in for a key of AWS KMS, asked as functions ask it."""

import asyncio
import base64
import json
from pathlib import Path
from typing import Any

import httpx2
import pytest

from local.emulator.keys import FILE, StandInKey


def asked(key: StandInKey, operation: str, **members: Any) -> tuple[int, dict[str, Any]]:
    async def ask() -> httpx2.Response:
        async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app=key), base_url="http://kms") as client:
            headers = {"X-Amz-Target": f"TrentService.{operation}"}
            return await client.post("/", content=json.dumps({"KeyId": "alias/a", **members}), headers=headers)

    response = asyncio.run(ask())
    return response.status_code, response.json()


def sealed(key: StandInKey, text: bytes = b"a secret", **context: str) -> str:
    status, answer = asked(key, "Encrypt", Plaintext=base64.b64encode(text).decode(), EncryptionContext=context)
    assert status == 200
    return str(answer["CiphertextBlob"])


def test_what_is_encrypted_is_read_with_its_context_alone() -> None:
    key = StandInKey(None)
    blob = sealed(key, user="alice", server="a")
    assert b"a secret" not in base64.b64decode(blob)
    status, answer = asked(key, "Decrypt", CiphertextBlob=blob, EncryptionContext={"server": "a", "user": "alice"})
    assert (status, base64.b64decode(answer["Plaintext"])) == (200, b"a secret")
    for more in ({"EncryptionContext": {"user": "bob", "server": "a"}}, {}, {"KeyId": "alias/b"}):
        status, answer = asked(key, "Decrypt", CiphertextBlob=blob, **more)
        assert (status, answer["__type"]) == (400, "InvalidCiphertextException")
    assert asked(StandInKey(None), "Decrypt", CiphertextBlob=blob)[0] == 400


def test_a_key_in_a_folder_survives_a_restart(tmp_path: Path) -> None:
    """Only its owner can read it."""
    blob = sealed(StandInKey(tmp_path))
    status, answer = asked(StandInKey(tmp_path), "Decrypt", CiphertextBlob=blob)
    assert (status, base64.b64decode(answer["Plaintext"])) == (200, b"a secret")
    assert (tmp_path / FILE).stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("size", [0, 4_097])
def test_texts_have_the_sizes_of_kms(size: int) -> None:
    status, answer = asked(StandInKey(None), "Encrypt", Plaintext=base64.b64encode(b"a" * size).decode())
    assert (status, answer["__type"]) == (400, "ValidationException")


def test_no_more_is_emulated() -> None:
    assert asked(StandInKey(None), "Sign", Message="YQ==")[1]["__type"] == "UnknownOperationException"
