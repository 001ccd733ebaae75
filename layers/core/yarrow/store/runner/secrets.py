"""Runner secrets by name, from AWS Secrets Manager or the settings; cached for KEPT_SECONDS."""

import time
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from yarrow.settings import settings
from yarrow.store import clients

KEPT_SECONDS: Final = 300

_BATCH: Final = 20

_cache: Final[dict[str, tuple[float, str]]] = {}
"""Time of reading and value, by name."""


@dataclass
class FoundSecrets:
    """`missing` has a reason for each name without a value."""

    values: dict[str, str] = field(default_factory=dict, repr=False)
    missing: dict[str, str] = field(default_factory=dict)


def read(names: Collection[str]) -> FoundSecrets:
    """Read secrets. Raises ClientError or BotoCoreError if Secrets Manager fails."""
    found = FoundSecrets()
    if not settings.runner_secrets:
        for name in names:
            value = settings.runner_secret(name)
            if value:
                found.values[name] = value
            else:
                found.missing[name] = "NotInEnvironment"
        return found
    now = time.time()
    for name in names:
        read_at, value = _cache.get(name, (0.0, ""))
        if 0 <= now - read_at < KEPT_SECONDS:
            found.values[name] = value
    for batch in _batches(sorted(set(names) - found.values.keys())):
        _fetch(batch, found, now)
    return found


def _batches(names: Sequence[str]) -> Iterator[Sequence[str]]:
    return (names[start : start + _BATCH] for start in range(0, len(names), _BATCH))


def _fetch(names: Sequence[str], found: FoundSecrets, now: float) -> None:
    prefix = settings.runner_secrets
    answer = clients.secrets_manager().batch_get_secret_value(SecretIdList=[prefix + name for name in names])
    for secret in answer["SecretValues"]:
        name = secret["Name"].removeprefix(prefix)
        if secret.get("SecretString"):
            _cache[name] = now, secret["SecretString"]
            found.values[name] = secret["SecretString"]
        else:
            found.missing[name] = "NoText"
    for error in answer["Errors"]:
        found.missing[error["SecretId"].removeprefix(prefix)] = error["ErrorCode"]
    for name in set(names) - found.values.keys():
        _cache.pop(name, None)
        found.missing.setdefault(name, "NoAnswer")
