"""`POST /api/v1/agent/attachments/uploads`: a signed form to send a file to the bucket."""

from yarrow.web.cold_start import pause_garbage_collection, resume_garbage_collection

pause_garbage_collection()

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from yarrow.media.uploads import begin_upload
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.response_body import to_json
from yarrow.store.clients import at_start, dynamodb, s3
from yarrow.web.app import caller, create_app
from yarrow.web.lambda_http import buffered


async def endpoint(request: Request) -> Response:
    """Respond 201 with the form; `finish_upload` finishes the upload (C28)."""
    media_type = request.headers.get("content-type", "application/json").partition(";")[0].strip().lower()
    if media_type != "application/json":
        raise Problem(Code.REQUEST_CONTENT_TYPE_UNSUPPORTED, "the body must be application/json")
    upload = begin_upload(await request.body(), caller(request).user_id)
    headers = {"Location": f"uploads/{upload.upload_id}"}
    return Response(to_json(upload), 201, headers, media_type="application/json")


at_start(dynamodb, s3)
app = create_app(Route("/api/v1/agent/attachments/uploads", endpoint, methods=["POST"]))
handler = buffered(app)
resume_garbage_collection()
