"""The pictures in results of a run's tools: attachments of the user, and artifacts of the run (MCP-01)."""

import hashlib

from yarrow.media import attachment_quota, attachments
from yarrow.observability.logs import logger
from yarrow.protocol.files.attachments import path_of
from yarrow.protocol.problems import Problem
from yarrow.store import artifacts


def keep(
    data: bytes, mime_type: str, *, call_key: str | None, user_id: str, thread_id: str, run_key: str
) -> str | None:
    """Store a picture of one call; returns the artifact's id, None if the user has no room for it or S3 fails.

    Its path and its id are digests, so a worker that makes the call again, and gets the same, stores nothing twice.
    """
    digest = hashlib.sha256(data).hexdigest()
    path = path_of(user_id, digest, "", mime_type)
    try:
        with attachments.storage_errors():
            attachment_quota.store(user_id, path, data, mime_type)
    except Problem as problem:
        logger.warning("a picture of a tool is not kept", extra={"code": problem.code.name})
        return None
    artifact_id = artifacts.id_from(f"{call_key or run_key}/{digest}")
    artifacts.refer_once(
        artifacts.reference(
            artifact_id,
            thread_id=thread_id,
            user_id=user_id,
            run_key=run_key,
            object_key=path,
            artifact_type="image",
            mime_type=mime_type,
            size_bytes=len(data),
        )
    )
    return artifact_id
