"""`GET /api/v1/agent/attachments/signed-url?bucket=&path=`: a fresh URL for an attachment."""

from yarrow.web.cold_start import pause_garbage_collection, resume_garbage_collection

pause_garbage_collection()

from starlette.requests import Request
from starlette.routing import Route

from yarrow.media.attachments import signed_url
from yarrow.store.clients import at_start, dynamodb, s3
from yarrow.web.app import caller, create_app
from yarrow.web.json_body import NO_STORE, BodyResponse
from yarrow.web.lambda_http import buffered


async def endpoint(request: Request) -> BodyResponse:
    """Respond with a URL, only for the caller's own attachments (SGN-01, SGN-02)."""
    query = request.query_params
    signed = signed_url(caller(request).user_id, query.get("bucket"), query.get("path"))
    return BodyResponse(signed, headers=NO_STORE)


at_start(dynamodb, s3)
app = create_app(Route("/api/v1/agent/attachments/signed-url", endpoint, methods=["GET"]))
handler = buffered(app)
resume_garbage_collection()
