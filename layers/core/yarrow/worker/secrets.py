"""Secrets of one run: read, passed to its runner, redacted in the log."""

from collections.abc import Mapping
from typing import Any

from yarrow.agents import secrets
from yarrow.observability import redaction
from yarrow.observability.logs import logger
from yarrow.store.runner import secrets as runner_secrets
from yarrow.worker.runner_loop import RunnerFailedError


def resolve(config: Mapping[str, Any]) -> Mapping[str, Any]:
    """Fill the config's secrets in. Raises RunnerFailedError `runner.secret_missing`, which names a missing one;
    botocore's errors.
    """
    names = secrets.names(config)
    if not names:
        return config
    found = runner_secrets.read(names)
    for value in found.values.values():
        redaction.conceal(value)
    for name, cause in sorted(found.missing.items()):
        logger.error("a secret cannot be read", extra={"secret_name": name, "cause": cause})
    if found.missing:
        raise RunnerFailedError("runner.secret_missing", f"the agent's secret {min(found.missing)} is not available")
    return secrets.filled(config, found.values)
