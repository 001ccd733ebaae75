"""The OpenAPI description of `POST /api/v1/agent/transcribe` and `GET /api/v1/agent/transcribe/{uploadId}`."""

from typing import Final

from functions.openapi import BINARY, NO_STORE, TO_ANY_CALLER, UPLOAD_ID, Operation, form, refused, stored_for
from yarrow.protocol.files.transcription import CONTENT_TYPES, FIELD, MAX_BYTES, SAMPLE_RATES
from yarrow.protocol.problems import Code

_RATES: Final = f"{SAMPLE_RATES[0]} to {SAMPLE_RATES[-1]}"

UPLOAD_RECORDING: Final = Operation(
    "post",
    "/api/v1/agent/transcribe",
    operation_id="upload_recording",
    summary="Upload a recording of speech",
    description=f"A form with the recording, of at most {MAX_BYTES} bytes, as `{FIELD}`. It is stored unchecked; the "
    "redirect's target validates it.",
    request_body=form(
        {
            FIELD: BINARY
            | {"description": f"A WAV: PCM of 8, 16, 24 or 32 bits, {SAMPLE_RATES[0]} to {SAMPLE_RATES[-1]} Hz."}
        },
        {FIELD: {"contentType": ", ".join(sorted(CONTENT_TYPES))}},
    ),
    responses={"303": stored_for("transcript", "transcribe")},
    refusals=(*TO_ANY_CALLER, *refused(Code.AGENT_ASR_UNAVAILABLE)),
)

TRANSCRIBE: Final = Operation(
    "get",
    "/api/v1/agent/transcribe/{uploadId}",
    operation_id="transcribe",
    summary="Get the transcript of a recording",
    description="Transcribes in the language of the caller's `locale`, which takes up to two minutes; then the "
    "response stays the same for a day. A rejected recording is deleted, except with 409, 429 and 502.",
    parameters=[UPLOAD_ID],
    responses={
        "200": {
            "description": "The transcript; empty without speech.",
            "headers": NO_STORE,
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
    refusals=(
        *TO_ANY_CALLER,
        *refused(Code.AGENT_AUDIO_NOT_FOUND, Code.REQUEST_CONTENT_TYPE_UNSUPPORTED, Code.AGENT_AUDIO_INVALID),
        *refused(Code.AGENT_AUDIO_UNSUPPORTED_FORMAT, Code.AGENT_AUDIO_EMPTY, Code.AGENT_AUDIO_TOO_LARGE),
        *refused(Code.AGENT_AUDIO_TOO_LONG, Code.AGENT_ASR_UNAVAILABLE, Code.AGENT_ASR_FAILED),
        *refused(Code.AGENT_ASR_IN_PROGRESS, Code.AGENT_ASR_LIMIT, Code.AGENT_RATE_LIMIT),
    ),
)
