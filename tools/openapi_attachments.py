"""The attachment operations for `openapi_operations`; see `docs/uploads.md`."""

from typing import Any, Final

from tools.openapi_schemas import ref, stored_for
from yarrow.protocol.files.attachments import BUCKET, MAX_BYTES

Document = dict[str, Any]

UPLOAD_ID: Final = "91f0ab3c-2d4e-4a6b-8c7d-0e1f2a3b4c5d"
_NO_STORE: Final[Document] = {"Cache-Control": {"schema": {"const": "no-store"}}}

UPLOAD_ATTACHMENT: Final[Document] = {
    "operationId": "upload_attachment",
    "summary": "Upload a file",
    "description": f"A form with the session's `threadId` and the `file`, of at most {MAX_BYTES} bytes. It is stored "
    "as it comes; what is wrong with it is told where this redirects to.",
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "properties": {
                        "threadId": {"type": "string", "format": "uuid"},
                        "file": {"type": "string", "format": "binary"},
                    },
                    "required": ["threadId", "file"],
                }
            }
        },
    },
    "responses": {"303": stored_for("attachment", "finish_upload")},
}

BEGIN_UPLOAD: Final[Document] = {
    "operationId": "begin_upload",
    "summary": "Ask where to send a file",
    "description": "For clients that send a file straight to the bucket: as multipart/form-data to `url`, with all "
    "`fields` first and then `file`. The bucket refuses what is too large or has another type.",
    "requestBody": {"required": True, "content": {"application/json": {"schema": ref("UploadRequest")}}},
    "responses": {
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
}

FINISH_UPLOAD: Final[Document] = {
    "operationId": "finish_upload",
    "summary": "Get the attachment that an upload becomes",
    "description": "The file is checked the first time, and the answer is the same for a day. What is refused is gone.",
    "parameters": [
        {
            "name": "uploadId",
            "in": "path",
            "required": True,
            "schema": {"type": "string", "format": "uuid"},
        }
    ],
    "responses": {
        "200": {
            "description": "The attachment.",
            "headers": _NO_STORE,
            "content": {"application/json": {"schema": ref("AttachmentAnswer")}},
        }
    },
}

SIGN_ATTACHMENT: Final[Document] = {
    "operationId": "sign_attachment",
    "summary": "Get a fresh URL of an attachment",
    "parameters": [
        {"name": "bucket", "in": "query", "required": True, "schema": {"const": BUCKET}},
        {
            "name": "path",
            "in": "query",
            "required": True,
            "description": "The path that the upload was answered with.",
            "schema": {"type": "string", "minLength": 1},
        },
    ],
    "responses": {
        "200": {
            "description": "A URL that shows the attachment for 15 minutes.",
            "headers": _NO_STORE,
            "content": {"application/json": {"schema": ref("SignedUrl")}},
        }
    },
}
