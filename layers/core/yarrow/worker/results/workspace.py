"""Reads the results `workspace.*` of a runner; each becomes the CUSTOM event of its name (`workspace.md`, WSP-23 …
WSP-29). A `workspace.message` also becomes a text message under the same id, so that every client and the history have
its text. Imported with the first such result.
"""

import uuid
from typing import Final

from yarrow.formats import json_text
from yarrow.protocol.workspace import surface
from yarrow.worker.results.payloads import Shown

_NAMESPACE: Final = uuid.UUID("0f4b6f0a-7c57-5f0d-8a51-776f726b7370")


def read(type_: str, text: str, run_key: str, number: int) -> Shown:
    """Read a result; `number` counts the run's results of these types. Raises ValueError if it is malformed."""
    result = surface.RESULTS[type_].model_validate_json(text)
    if not isinstance(result, surface.Message):
        return Shown(type_, result.document())
    # The same id from a worker that takes over and gets the same results.
    message_id = str(uuid.uuid5(_NAMESPACE, json_text.canonical([run_key, number, result.document()])))
    return Shown(type_, result.parts(message_id).document(), message_id, result.content)
