"""`POST /api/v1/agent/attachments/uploads`: a signed form to send a file to the bucket."""

from yarrow.web.cold_start import pause_garbage_collection, resume_garbage_collection

pause_garbage_collection()

from starlette.requests import Request
from starlette.routing import Route

from yarrow.media.uploads import begin_upload
from yarrow.store.clients import at_start, dynamodb, s3
from yarrow.web.app import caller, create_app
from yarrow.web.json_body import BodyResponse, json_body
from yarrow.web.lambda_http import buffered


async def endpoint(request: Request) -> BodyResponse:
    """Respond 201 with the form; `finish_upload` finishes the upload (C28)."""
    upload = begin_upload(await json_body(request), caller(request).user_id)
    headers = {"Location": f"uploads/{upload.upload_id}"}
    return BodyResponse(upload, 201, headers)


at_start(dynamodb, s3)
app = create_app(Route("/api/v1/agent/attachments/uploads", endpoint, methods=["POST"]))
handler = buffered(app)
resume_garbage_collection()
