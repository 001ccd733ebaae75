"""The pictures of a run's input as base64, as the SDK's entities require (C50, CMP-02).

Unreadable ones, and any beyond INLINE_BYTES, stay references.
"""

import base64
import logging
from collections.abc import Mapping
from typing import Final

from yarrow.protocol.runner.api import AgentAPIException
from yarrow.protocol.runner.models import AgentInput
from yarrow.protocol.runner.proxy import Artifacts

logger = logging.getLogger(__name__)

INLINE_BYTES: Final = 20 * 1024 * 1024
"""The most bytes of an input's pictures."""

_RANGE_BYTES: Final = 512 * 1024
"""The most bytes of a read: the host's limit."""


async def data_urls(agent_input: AgentInput, artifacts: Artifacts) -> Mapping[str, str]:
    """Read the input's pictures as data URLs by artifact id."""
    urls: dict[str, str] = {}
    room = INLINE_BYTES
    for picture in agent_input.attachments:
        if not (picture.mime_type or "").startswith("image/"):
            continue
        try:
            size = (await artifacts.metadata(picture.artifact_id)).size_bytes
            if size > room:
                logger.warning("a picture is too large to inline", extra={"bytes": size, "room": room})
                continue
            room -= size
            data = b"".join([part async for part in artifacts.open_stream(picture.artifact_id, _RANGE_BYTES)])
        except AgentAPIException as error:
            logger.warning("a picture could not be read: %s", error.error.code)
            continue
        urls[picture.artifact_id] = f"data:{picture.mime_type};base64,{base64.b64encode(data).decode()}"
    return urls
