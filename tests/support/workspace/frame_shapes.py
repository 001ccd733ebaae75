"""The shape of every frame, written from the protocol document and from what the page reads; strict, and without nulls.

Independent of the product's own models, which a frame must not have passed to be right.
"""

import json
from typing import Any, Final

from jsonschema import Draft202012Validator

Json = dict[str, Any]

TEXT: Final[Json] = {"type": "string"}
ID: Final[Json] = {"type": "string", "minLength": 1}
MOMENT: Final[Json] = {"type": "integer", "minimum": 1_000_000_000_000}
"""Milliseconds since the epoch."""
FLAG: Final[Json] = {"type": "boolean"}
KINDS: Final[Json] = {"type": "array", "items": {"enum": ["image", "pdf", "doc", "sheet", "text", "file"]}}
MEGABYTES: Final[Json] = {"type": "number", "exclusiveMinimum": 0}


def strict(required: Json, optional: Json | None = None) -> Json:
    """Return an object with these members and no others."""
    return {
        "type": "object",
        "properties": {**required, **(optional or {})},
        "required": list(required),
        "additionalProperties": False,
    }


def many(items: Json) -> Json:
    return {"type": "array", "items": items}


def by_session(values: Json) -> Json:
    return {"type": "object", "additionalProperties": values, "propertyNames": ID}


SESSION = strict({"id": ID, "name": ID, "updatedAt": MOMENT})
OPTION = strict({"id": ID, "label": TEXT})
ATTACHMENT = strict(
    {"name": ID, "mimeType": TEXT, "size": {"type": "integer", "minimum": 0}},
    {"id": ID, "contentBase64": ID, "url": ID},
)
UPLOAD = {
    "buttonLabel": TEXT,
    "allowMultiple": FLAG,
    "acceptKinds": KINDS,
    "maxSizeMB": MEGABYTES,
    "uploadMode": {"enum": ["upload", "paste"]},
}
MESSAGE = strict(
    {"id": ID, "role": {"enum": ["assistant", "user"]}, "content": TEXT, "createdAt": MOMENT},
    {
        "questionId": ID,
        "questionText": TEXT,
        "questionType": {"const": "upload"},
        "selectedOptionId": TEXT,
        "options": many(OPTION),
        "attachments": many(ATTACHMENT),
        "_thinking": {"const": True},
        **UPLOAD,
    },
)
_ASKED = {"id": ID, "text": TEXT}
_GROUPED = {"group": TEXT, "section": TEXT}
QUESTION = {
    "anyOf": [
        strict(
            {**_ASKED, "options": {**many(OPTION), "minItems": 1}, "selectedOptionId": TEXT},
            {"type": {"const": "choice"}, **_GROUPED},
        ),
        strict(
            {**_ASKED, "type": {"const": "input"}, "answerValue": TEXT},
            {"inputType": ID, "placeholder": TEXT, **_GROUPED},
        ),
        strict({**_ASKED, "type": {"const": "upload"}}, {"uploaded": FLAG, **UPLOAD, **_GROUPED}),
    ]
}
POLICY = strict({}, {"maxSizeMB": MEGABYTES, "allowedKinds": KINDS})
PROMPT = strict({"text": TEXT, "questions": many(QUESTION)}, {"attachmentPolicy": POLICY})
SUBTASK = strict(
    {"key": ID, "status": {"enum": ["pending", "running", "review", "done", "failed"]}, "updatedAt": MOMENT},
    {"actionLabel": TEXT},
)
ARTIFACT = strict({"id": ID, "type": ID, "title": TEXT, "filePath": TEXT, "relativePath": TEXT}, {"url": ID})
LOG = strict(
    {"id": ID, "time": MOMENT, "text": TEXT},
    {"level": {"enum": ["info", "warn", "error", "debug"]}, "source": ID, "key": ID},
)
EXECUTION = strict({"paused": FLAG, "canceled": FLAG, "started": FLAG})

DATA: Final[dict[str, Json]] = {
    "agent_state_snapshot": strict(
        {
            "sessions": many(SESSION),
            "activeSessionId": TEXT,
            "conversations": by_session(many(MESSAGE)),
            "subtasks": by_session(many(SUBTASK)),
            "subtaskLogs": by_session(by_session(many(strict({"id": ID, "time": MOMENT, "text": TEXT})))),
            "artifacts": by_session(many(ARTIFACT)),
            "runtimeLogs": by_session(many(LOG)),
            "prompts": by_session(PROMPT),
            "runtimeContexts": by_session({"type": ["object", "null"]}),
            "executionStates": by_session(EXECUTION),
        }
    ),
    "agent_session_list": strict({"sessions": many(SESSION), "activeSessionId": TEXT}),
    "agent_conversation_update": strict({"sessionId": ID, "append": many(MESSAGE)}, {"prompt": PROMPT}),
    "agent_subtask_update": strict({"sessionId": ID, "items": many(SUBTASK)}),
    "agent_artifact_update": strict({"sessionId": ID, "append": many(ARTIFACT)}),
    "agent_runtime_log_update": strict({"sessionId": ID, "append": many(LOG)}),
    "agent_execution_update": strict({"sessionId": ID, "state": EXECUTION}),
    "agent_error": strict({"code": {"type": "string", "pattern": "^[a-z_]+$"}, "message": ID}),
}

_ENVELOPE = {"version": {"const": "1.0"}, "taskName": ID, "timestamp": MOMENT}
_FRAMES: Final = {
    kind: Draft202012Validator(
        strict(
            {"type": {"const": kind}, **_ENVELOPE, "data": data},
            {"requestId": {"type": ["string", "integer"]}} if kind == "agent_error" else {},
        )
    )
    for kind, data in DATA.items()
}

MAX_FRAME_BYTES: Final = 128 * 1024
"""API Gateway's limit of a message."""


def faults(frame: bytes) -> list[str]:
    """What is wrong with a frame; nothing for a right one."""
    if len(frame) > MAX_FRAME_BYTES:
        return [f"{len(frame)} bytes"]
    parsed = json.loads(frame)
    validator = _FRAMES.get(parsed.get("type"))
    if validator is None:
        return [f"no type of the document: {parsed.get('type')}"]
    return [
        f"{parsed['type']} {'.'.join(map(str, error.path))}: {error.message[:300]}"
        for error in validator.iter_errors(parsed)
    ]
