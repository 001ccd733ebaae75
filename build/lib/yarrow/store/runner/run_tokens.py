"""The token with which a run's remote runner calls back: its hash, whose it is, when it is forgotten, and how much of
models its bearers have used.

A run has at most one, its latest; the token itself is stored nowhere. What a token is good for is decided in
`yarrow.services.run_tokens`.
"""

from dataclasses import dataclass
from typing import NamedTuple

from yarrow.store import table


@dataclass(frozen=True, slots=True)
class StoredToken:
    """The SHA-256 of a run's token, and the attempt and the runner that it was made for."""

    sha256: str
    attempt: int
    runner_id: str


class Used(NamedTuple):
    """How many calls of models a run has made, and how many tokens these have used, as far as they are known."""

    calls: int
    tokens: int


def replace(run_key: str, token: StoredToken, expires_at: int) -> bool:
    """Keep a token in place of an earlier one, until a second since the epoch.

    False when a later attempt has one.
    """
    changed = table.update_returning(
        _key(run_key),
        "SET token_sha256 = :sha256, attempt = :attempt, runner_id = :runner, expires_at = :expires",
        {":sha256": token.sha256, ":attempt": token.attempt, ":runner": token.runner_id, ":expires": expires_at},
        "attribute_not_exists(pk) OR attempt <= :attempt",
    )
    return changed is not None


def remove(run_key: str, sha256: str) -> None:
    """Keep a token no longer, unless another has taken its place."""
    table.update_returning(_key(run_key), "REMOVE token_sha256", {":sha256": sha256}, "token_sha256 = :sha256")


def count_call(run_key: str, tokens: int) -> Used:
    """Count a call of a model, and tokens that earlier calls have used; returns what all of the run's calls have."""
    changed = table.update_returning(
        _key(run_key),
        "ADD model_calls :one, model_tokens :tokens",
        {":one": 1, ":tokens": tokens},
        "attribute_exists(pk)",
    )
    if changed is None:
        raise LookupError(f"run {run_key} has had no token")
    return Used(int(changed["model_calls"]), int(changed["model_tokens"]))


def read(run_key: str) -> StoredToken | None:
    """The run's token, if it has one."""
    item = table.get(_key(run_key))
    if item is None or "token_sha256" not in item:
        return None
    return StoredToken(item["token_sha256"], int(item["attempt"]), item["runner_id"])


def _key(run_key: str) -> table.Item:
    return table.run_key_of(run_key, "TOKEN")
