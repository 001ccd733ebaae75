"""The OpenAPI description of `POST /api/v1/agent/attachments/uploads`."""

from typing import Final

from functions.openapi import TO_ANY_CALLER, Operation, ref, refused
from yarrow.protocol.problems import Code

OPERATION: Final = Operation(
    "post",
    "/api/v1/agent/attachments/uploads",
    operation_id="begin_upload",
    summary="Start an upload straight to the bucket",
    description="Returns a presigned form: send it to `url` as multipart/form-data, all `fields` first and then "
    "`file`. The bucket rejects a file that is too large or of another type.",
    request_body={"required": True, "content": {"application/json": {"schema": ref("UploadRequest")}}},
    responses={
        "201": {
            "description": "The bucket accepts the file until `expiresAt`.",
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
