"""`artifacts.*`: metadata and byte ranges of the artifacts granted to the run (RNR-59)."""

import asyncio
from collections.abc import Mapping
from typing import Any, Final

from yarrow.agents.grants import RunGrant
from yarrow.protocol.runner.api import ArtifactMetadata, ArtifactRange, ArtifactRangeRequest, ArtifactRequest
from yarrow.services.api import access
from yarrow.services.api.errors import not_found
from yarrow.services.api.services import Action, Services

MAX_RANGE_BYTES: Final = 512 * 1024
"""A range of this size fits into MAX_RESPONSE_BYTES as base64."""


def check_readable(grant: RunGrant, artifact_id: object) -> None:
    """Raise `unauthorized` or `not_found` unless the run may read the artifact."""
    access.permit(grant, "artifacts", "read")
    access.visible(grant.resources.artifacts, "artifact_id", artifact_id, "read")


def _check_metadata(grant: RunGrant, request: ArtifactRequest) -> None:
    access.permit(grant, "artifacts", "metadata")
    access.visible(grant.resources.artifacts, "artifact_id", request.artifact_id, "metadata")


def _check_read(grant: RunGrant, request: ArtifactRangeRequest) -> None:
    check_readable(grant, request.artifact_id)


async def _metadata(grant: RunGrant, services: Services, request: ArtifactRequest) -> ArtifactMetadata:
    metadata = await asyncio.to_thread(services.artifacts.metadata, request.artifact_id, grant.thread_id)
    if metadata is None:
        raise not_found()
    return metadata


async def _read_range(grant: RunGrant, services: Services, request: ArtifactRangeRequest) -> ArtifactRange:
    length = min(request.length, MAX_RANGE_BYTES)
    read = services.artifacts.read_range
    part = await asyncio.to_thread(read, request.artifact_id, grant.thread_id, request.offset, length)
    if part is None:
        raise not_found()
    return part


ACTIONS: Final[Mapping[str, Action[Any]]] = {
    "artifacts.metadata": Action(_check_metadata, _metadata),
    "artifacts.read_range": Action(_check_read, _read_range),
}
