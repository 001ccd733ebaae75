"""Checks of a run's grant: operations, resources, and whether the run is active."""

import asyncio
from collections.abc import Iterable
from typing import Literal, TypeVar

from yarrow.agents.grants import RunGrant
from yarrow.protocol.runner.resources import ArtifactResource, KnowledgeBaseResource, ModelResource, ToolResource
from yarrow.services.api.errors import no_run, not_found, unauthorized
from yarrow.services.api.services import Services

Kind = Literal["models", "tools", "knowledge_bases", "history", "events", "artifacts", "storage", "platform_api"]

_Resource = TypeVar("_Resource", ModelResource, ToolResource, KnowledgeBaseResource, ArtifactResource)


def permit(grant: RunGrant, kind: Kind, operation: str) -> None:
    """Raise `unauthorized` unless the run's permissions include the operation."""
    if operation not in getattr(grant.permissions, kind):
        raise unauthorized(f"this operation on {kind}")


async def check_active(services: Services) -> None:
    """Raise `unauthorized` if the run has ended or another worker claimed it (C51)."""
    if services.is_active is not None and not await asyncio.to_thread(services.is_active):
        raise no_run()


def visible(resources: Iterable[_Resource], member: str, wanted: object, operation: str) -> _Resource:
    """Return the resource with the wanted id.

    Raises `not_found` if it is not granted (RNR-63), `unauthorized` if it lists operations without this one.
    """
    found = next((resource for resource in resources if getattr(resource, member) == wanted), None)
    if found is None:
        raise not_found()
    operations = getattr(found, "operations", ())
    if operations and operation not in operations:
        raise unauthorized("this operation on this resource")
    return found
