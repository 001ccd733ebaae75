"""A run's context, without its configuration, as its first turn had it: later turns' runners get the same."""

from yarrow.store import objects
from yarrow.store.runner.steps import object_key


def keep(run_key: str, context_json: str) -> None:
    objects.put(_key(run_key), context_json.encode(), "application/json")


def read(run_key: str) -> bytes:
    """Read a run's context. Raises LookupError if it has expired."""
    data = objects.get(_key(run_key))
    if data is None:
        raise LookupError(f"the context of run {run_key} has expired")
    return data


def _key(run_key: str) -> str:
    return object_key(run_key, "context")
