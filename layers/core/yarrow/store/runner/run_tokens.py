"""A run's latest token for its remote runner, as a hash, and its model usage."""

from dataclasses import dataclass, field
from typing import Final

from yarrow.store import table
from yarrow.store.items.records import Codec, stored_as
from yarrow.store.items.updates import EXISTS, IS_NEW, Attr, Update
from yarrow.store.runs import ModelUse


@dataclass(frozen=True, slots=True)
class StoredToken:
    sha256: str = field(metadata=stored_as("token_sha256"))
    attempt: int
    runner_id: str


_TOKENS: Final = Codec(StoredToken)


def replace(run_key: str, token: StoredToken, expires_at: int) -> bool:
    """Store a token until `expires_at`, in seconds since the epoch; False if a later attempt has one."""
    replaced = Update().set(**_TOKENS.item(token), expires_at=expires_at)
    is_latest = IS_NEW | Attr("attempt").lte(token.attempt)
    return table.update_returning(_key(run_key), replaced, is_latest) is not None


def remove(run_key: str, sha256: str) -> None:
    """Remove a token, unless another has replaced it."""
    table.update_returning(_key(run_key), Update().remove("token_sha256"), Attr("token_sha256").eq(sha256))


def count_call(run_key: str, tokens: int) -> ModelUse:
    """Count a model call and the tokens of earlier ones; returns the run's totals."""
    changed = table.update_returning(_key(run_key), Update().add(model_calls=1, model_tokens=tokens), EXISTS)
    if changed is None:
        raise LookupError(f"run {run_key} has no token")
    return ModelUse(int(changed["model_calls"]), int(changed["model_tokens"]))


def read(run_key: str) -> StoredToken | None:
    item = table.get(_key(run_key))
    if item is None or "token_sha256" not in item:
        return None
    return _TOKENS.record(item)


def _key(run_key: str) -> table.Item:
    return table.run_key_of(run_key, "TOKEN")
