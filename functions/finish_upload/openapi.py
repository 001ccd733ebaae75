"""The OpenAPI descriptions of `POST /api/v1/agent/attachments` and of its redirect, `GET …/uploads/{uploadId}`."""

from typing import Final

from functions.openapi import BINARY, NO_STORE, TO_ANY_CALLER, UPLOAD_ID, Operation, form, ref, refused, stored_for
from yarrow.protocol.files.attachments import MAX_BYTES
from yarrow.protocol.problems import Code

UPLOAD_ATTACHMENT: Final = Operation(
    "post",
    "/api/v1/agent/attachments",
    operation_id="upload_attachment",
    summary="Upload a file",
    description=f"A form with the session's `threadId` and the `file`, of at most {MAX_BYTES} bytes. It is stored "
    "unchecked; the redirect's target validates it.",
    request_body=form({"threadId": {"type": "string", "format": "uuid"}, "file": BINARY}),
    responses={"303": stored_for("attachment", "finish_upload")},
    refusals=(*TO_ANY_CALLER, *refused(Code.AGENT_ATTACHMENT_STORAGE_UNAVAILABLE)),
)

FINISH_UPLOAD: Final = Operation(
    "get",
    "/api/v1/agent/attachments/uploads/{uploadId}",
    operation_id="finish_upload",
    summary="Get the attachment of an upload",
    description="Validates the file the first time; the response stays the same for a day. A rejected file is deleted.",
    parameters=[UPLOAD_ID],
    responses={
        "200": {
            "description": "The attachment.",
            "headers": NO_STORE,
            "content": {"application/json": {"schema": ref("AttachmentAnswer")}},
        }
    },
    refusals=(
        *TO_ANY_CALLER,
        *refused(Code.AGENT_ATTACHMENT_NOT_FOUND, Code.AGENT_SESSION_NOT_FOUND, Code.AGENT_SESSION_ID_INVALID),
        *refused(Code.REQUEST_CONTENT_TYPE_UNSUPPORTED, Code.AGENT_ATTACHMENT_INVALID, Code.AGENT_ATTACHMENT_EMPTY),
        *refused(Code.AGENT_ATTACHMENT_TOO_LARGE, Code.AGENT_ATTACHMENT_TYPE_UNSUPPORTED),
        *refused(Code.AGENT_ATTACHMENT_STORAGE_UNAVAILABLE, Code.AGENT_SIGNED_URL_GENERATION_FAILED),
        *refused(Code.AGENT_RATE_LIMIT, Code.AGENT_STORAGE_LIMIT),
    ),
)
