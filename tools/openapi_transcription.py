"""The transcription operations for `openapi_operations`."""

from typing import Any, Final

from tools.openapi_schemas import stored_for
from yarrow.protocol.files.transcription import CONTENT_TYPES, FIELD, MAX_BYTES, SAMPLE_RATES

Document = dict[str, Any]

UPLOAD_RECORDING: Final[Document] = {
    "operationId": "upload_recording",
    "summary": "Upload a recording of speech",
    "description": f"A form with the recording, of at most {MAX_BYTES} bytes, as `{FIELD}`. It is stored as it comes; "
    "what is wrong with it is told where this redirects to.",
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "properties": {
                        FIELD: {
                            "type": "string",
                            "format": "binary",
                            "description": "A WAV: PCM of 8, 16, 24 or 32 bits, "
                            f"{SAMPLE_RATES[0]} to {SAMPLE_RATES[-1]} Hz.",
                        }
                    },
                    "required": [FIELD],
                },
                "encoding": {FIELD: {"contentType": ", ".join(sorted(CONTENT_TYPES))}},
            }
        },
    },
    "responses": {"303": stored_for("transcript", "transcribe")},
}

TRANSCRIBE: Final[Document] = {
    "operationId": "transcribe",
    "summary": "Get what is said in a recording",
    "description": "In the language of the caller's `locale`. It takes as long as the recogniser does, up to two "
    "minutes; then the answer is the same for a day. What is refused is gone, except with 409, 429 and 502.",
    "parameters": [
        {"name": "uploadId", "in": "path", "required": True, "schema": {"type": "string", "format": "uuid"}}
    ],
    "responses": {
        "200": {
            "description": "What is said; empty when nothing is.",
            "headers": {"Cache-Control": {"schema": {"const": "no-store"}}},
            "content": {
                "application/json": {
                    "schema": {
                        "type": "object",
                        "properties": {"transcript": {"type": "string"}},
                        "required": ["transcript"],
                    },
                    "example": {"transcript": "我今天适合出门谈合作吗?"},
                }
            },
        }
    },
}
