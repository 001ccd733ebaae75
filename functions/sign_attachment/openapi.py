"""The OpenAPI description of `GET /api/v1/agent/attachments/signed-url`."""

from typing import Final

from functions.openapi import NO_STORE, TO_ANY_CALLER, Operation, ref, refused
from yarrow.protocol.files.attachments import BUCKET
from yarrow.protocol.problems import Code

OPERATION: Final = Operation(
    "get",
    "/api/v1/agent/attachments/signed-url",
    operation_id="sign_attachment",
    summary="Get a new URL of an attachment",
    parameters=[
        {"name": "bucket", "in": "query", "required": True, "schema": {"const": BUCKET}},
        {
            "name": "path",
            "in": "query",
            "required": True,
            "description": "The `path` returned by the upload.",
            "schema": {"type": "string", "minLength": 1},
        },
    ],
    responses={
        "200": {
            "description": "A URL of the attachment, valid for 15 minutes.",
            "headers": NO_STORE,
            "content": {"application/json": {"schema": ref("SignedUrl")}},
        }
    },
    refusals=(
        *TO_ANY_CALLER,
        *refused(Code.AGENT_ATTACHMENT_BUCKET_INVALID, Code.AGENT_ATTACHMENT_INVALID),
        *refused(Code.AGENT_ATTACHMENT_PATH_SCOPE_INVALID, Code.AGENT_SIGNED_URL_GENERATION_FAILED),
        *refused(Code.AGENT_RATE_LIMIT),
    ),
)
