"""Stores the artifacts a run creates.

Source: `agent-runner.md` §6.2, §10 (RNR-38, RNR-81). Ids are deterministic for workers that take over: from run, index
and content, or the tool call's id.
"""

import binascii
import hashlib
from collections.abc import Mapping
from typing import Any, Final

from yarrow.formats import json_text
from yarrow.observability.logs import logger
from yarrow.protocol.runner.api import AgentAPIException, ArtifactMetadata
from yarrow.store import artifacts
from yarrow.worker.results import payloads, result_parts, tool_calls
from yarrow.worker.results.payloads import ToolCallCompleted
from yarrow.worker.run_options import KeepArtifact

MAX_ARTIFACTS: Final = 50


class ArtifactSink:
    """The artifacts of one run."""

    def __init__(self, run_key: str, keep: KeepArtifact | None) -> None:
        self._run_key = run_key
        self._keep = keep
        self._count = 0
        self._digests: set[str] = set()

    def has(self, content: bytes) -> bool:
        return hashlib.sha256(content).hexdigest() in self._digests

    async def keep(
        self, artifact_type: str, mime_type: str, content: bytes, name: str | None, metadata: Mapping[str, Any]
    ) -> ArtifactMetadata | None:
        """Store an artifact; None if the run may not store it or has MAX_ARTIFACTS."""
        if self._count == MAX_ARTIFACTS:
            return None
        self._count += 1
        digest = hashlib.sha256(content).hexdigest()
        self._digests.add(digest)
        place = f"{self._count}/{digest}"
        return await self._keep_at(place, artifact_type, mime_type, content, name, metadata)

    async def _keep_at(
        self,
        place: str,
        artifact_type: str,
        mime_type: str,
        content: bytes,
        name: str | None,
        metadata: Mapping[str, Any],
    ) -> ArtifactMetadata | None:
        if self._keep is None:
            return None
        try:
            return await self._keep(
                artifact_id=artifacts.id_from(f"{self._run_key}/{place}"),
                artifact_type=artifact_type,
                mime_type=mime_type,
                name=name,
                content=content,
                metadata=metadata,
            )
        except AgentAPIException as refused:
            logger.warning(
                "an artifact was refused", extra={"code": refused.error.code, "reason": refused.error.message}
            )
            return None

    async def show(self, call: ToolCallCompleted) -> str:
        """Return the result, or a reference to an artifact if it is too large (RNR-81)."""
        content = tool_calls.content_of(call)
        if tool_calls.can_be_shown(content):
            return content
        mime_type = "text/plain; charset=utf-8" if isinstance(call.result, str) else "application/json"
        about = {"tool_call_id": call.tool_call_id}
        kept = await self._keep_at(f"call/{call.tool_call_id}", "tool_result", mime_type, content.encode(), None, about)
        if kept is None:
            return json_text.dumps({"error": payloads.TOO_LARGE})
        return json_text.dumps({"artifact": reference(kept)})

    async def parts_of(self, call: ToolCallCompleted) -> tuple[result_parts.Part, ...]:
        """Return the parts of a result, with artifacts in place of bytes that are too large; none if they still are."""
        if not call.content or call.error is not None:
            return ()
        parts = call.content if tool_calls.can_be_shown(call.content) else await self._by_handles(call)
        return parts if tool_calls.can_be_shown(parts) else ()

    async def _by_handles(self, call: ToolCallCompleted) -> tuple[result_parts.Part, ...]:
        """Return the result's parts with artifacts in place of bytes; a line stands for those that cannot be kept."""
        parts: list[result_parts.Part] = []
        for number, part in enumerate(call.content):
            if (found := result_parts.inline(part)) is None:
                parts.append(part)
                continue
            mime_type, data = found
            try:
                content = binascii.a2b_base64(data.encode("ascii"), strict_mode=True)
            except ValueError:
                content = b""
            place, about = f"call/{call.tool_call_id}/{number}", {"tool_call_id": call.tool_call_id}
            most = payloads.MAX_PICTURE_BYTES if part["type"] == "image" else payloads.MAX_INLINE_BYTES
            is_small = 0 < len(content) <= most
            kept = await self._keep_at(place, part["type"], mime_type, content, None, about) if is_small else None
            if kept is None:
                parts.append(result_parts.unopened(part))
            else:
                parts.append(result_parts.by_handle(part, kept.artifact_id))
        return tuple(parts)


def reference(kept: ArtifactMetadata) -> dict[str, Any]:
    return kept.model_dump(mode="json", exclude_none=True)
