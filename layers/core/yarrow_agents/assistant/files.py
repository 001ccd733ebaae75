"""The files of a workspace's user, as the model gets them: the contents of text files, the names of others.

Pictures are in the input already. Only the run that a file came with has its text.
"""

import logging
from collections.abc import Mapping
from typing import Any, Final

from yarrow.protocol.runner.api import AgentAPIException
from yarrow.protocol.runner.models import AgentRunContext, ArtifactRef
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow_agents.assistant.prompt import Prompts, shortened

logger = logging.getLogger(f"yarrow.{__name__}")

FILE_CHARACTERS: Final = 16_000
MAX_FILES: Final = 8
_READ_BYTES: Final = 4 * FILE_CHARACTERS
_TEXTS: Final = frozenset({"application/json", "application/xml", "application/x-yaml", "application/javascript"})


async def with_files(context: AgentRunContext, api: AgentRunAPIProxy, prompts: Prompts) -> AgentRunContext:
    """Return the context with its files in the input, after the user's text."""
    pictures = {part.get("artifact_id") for part in context.input.contents}
    files = [attachment for attachment in context.input.attachments if attachment.artifact_id not in pictures]
    if not files:
        return context
    texts = [await _text_of(file, api, prompts, context.run_id) for file in files[:MAX_FILES]]
    parts: list[Mapping[str, Any]] = [{"type": "text", "text": text} for text in texts]
    text = "\n\n".join(filter(None, (context.input.text, *texts)))
    extended = context.input.model_copy(update={"text": text, "contents": (*context.input.contents, *parts)})
    return context.model_copy(update={"input": extended})


async def _text_of(file: ArtifactRef, api: AgentRunAPIProxy, prompts: Prompts, run_id: str) -> str:
    name, mime_type = file.name or file.artifact_id, (file.mime_type or "").partition(";")[0]
    if mime_type.startswith("text/") or mime_type in _TEXTS:
        try:
            content = await api.artifacts.read_range(file.artifact_id, length=_READ_BYTES)
        except AgentAPIException as error:
            logger.warning("a file is not shown", extra={"run_id": run_id, "code": error.error.code})
        else:
            text = shortened(content.decode("utf-8-sig", "replace"), FILE_CHARACTERS, prompts)
            return f"{prompts.file.format(name=name)}\n{text}"
    return prompts.unreadable_file.format(name=name, mime_type=mime_type or "?")
