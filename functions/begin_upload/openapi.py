"""The OpenAPI description of `POST /api/v1/agent/attachments/uploads`."""

from typing import Final

from functions.openapi import TO_ANY_CALLER, Operation, ref, refused
from yarrow.protocol.problems import Code

OPERATION: Final = Operation(
    "post",
    "/api/v1/agent/attachments/uploads",
    operation_id="begin_upload",
    summary="Ask where to send a file",
    description="For clients that send a file straight to the bucket: as multipart/form-data to `url`, with all "
    "`fields` first and then `file`. The bucket refuses what is too large or has another type.",
    request_body={"required": True, "content": {"application/json": {"schema": ref("UploadRequest")}}},
    responses={
        "201": {
            "description": "The bucket takes the file until `expiresAt`.",
            "headers": {"Location": {"schema": {"type": "string", "format": "uri-reference"}}},
            "content": {"application/json": {"schema": ref("Upload")}},
            "links": {
                "finish_upload": {
                    "operationId": "finish_upload",
                    "parameters": {"uploadId": "$response.body#/uploadId"},
                }
            },
        }
    },
    refusals=(
        *TO_ANY_CALLER,
        *refused(Code.REQUEST_CONTENT_TYPE_UNSUPPORTED, Code.AGENT_ATTACHMENT_TYPE_UNSUPPORTED),
        *refused(Code.AGENT_ATTACHMENT_INVALID, Code.AGENT_SESSION_ID_INVALID, Code.AGENT_SESSION_NOT_FOUND),
        *refused(Code.AGENT_SIGNED_URL_GENERATION_FAILED),
        *refused(Code.AGENT_RATE_LIMIT),
    ),
)
