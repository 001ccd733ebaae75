"""The token with which a run's remote runner calls back: its hash, whose it is, and when it is forgotten.

A run has at most one, its latest; the token itself is stored nowhere. What a token is good for is decided in
`yarrow.host.run_tokens`.
"""

from dataclasses import dataclass

from yarrow.store import table


@dataclass(frozen=True, slots=True)
class StoredToken:
    """The SHA-256 of a run's token, and the attempt and the runner that it was made for."""

    sha256: str
    attempt: int
    runner_id: str


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


def read(run_key: str) -> StoredToken | None:
    """The run's token, if it has one."""
    item = table.get(_key(run_key))
    if item is None or "token_sha256" not in item:
        return None
    return StoredToken(item["token_sha256"], int(item["attempt"]), item["runner_id"])


def _key(run_key: str) -> table.Item:
    return table.run_key_of(run_key, "TOKEN")
