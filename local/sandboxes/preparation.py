"""Prepares a fork server once for all its sandboxes, without a connection or a thread."""

from contextlib import suppress
from pkgutil import resolve_name

from yarrow.protocol.runner.api import AgentAPIException
from yarrow.runners.discovery import BUILT_IN, checked
from yarrow.services.models.parameter import RERANK
from yarrow.settings import settings
from yarrow.store import clients


def make_clients() -> None:
    """Create the client that every invocation needs, as functions do at a cold start on Lambda."""
    clients.dynamodb()


def import_runners() -> None:
    """Import and prepare what a first run needs, which would take a new sandbox 0.3 s, and seconds with a model."""
    for place in BUILT_IN.values():
        checked(resolve_name(place)).prepare()
    for model in filter(None, settings.models.values()):
        _import_client(model)


def _import_client(model: str) -> None:
    """Import a provider's client; a model that is not configured rightly is reported when it is called."""
    if model.startswith(RERANK):
        return
    from yarrow.services.models.provider_model import ProviderModel

    with suppress(AgentAPIException):
        ProviderModel(model)
