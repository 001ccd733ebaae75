"""`GET /api/v1/agent/attachments/uploads/{uploadId}`: the attachment of an upload.

API Gateway stores the POSTed form itself and redirects here (`template.yaml`).
"""

from yarrow.web.cold_start import pause_garbage_collection, resume_garbage_collection

pause_garbage_collection()

from starlette.requests import Request
from starlette.routing import Route

from yarrow.access import limits
from yarrow.media.uploads import finish_upload
from yarrow.store.clients import at_start, dynamodb, s3
from yarrow.web.app import caller, create_app
from yarrow.web.json_body import NO_STORE, BodyResponse
from yarrow.web.lambda_http import buffered


async def endpoint(request: Request) -> BodyResponse:
    """Respond with the attachment, the same each time, and a fresh URL (ATT-03)."""
    user_id = caller(request).user_id
    limits.count(user_id, "upload_reads")
    answer = finish_upload(user_id, request.path_params["uploadId"])
    return BodyResponse(answer, headers=NO_STORE)


at_start(dynamodb, s3)
app = create_app(Route("/api/v1/agent/attachments/uploads/{uploadId}", endpoint, methods=["GET"]))
handler = buffered(app)
resume_garbage_collection()
