"""`GET /api/v1/agent/attachments/signed-url?bucket=&path=`: a fresh URL for an attachment."""

from yarrow.web.cold_start import pause_garbage_collection, resume_garbage_collection

pause_garbage_collection()

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from yarrow.media.attachments import signed_url
from yarrow.protocol.response_body import to_json
from yarrow.store.clients import at_start, dynamodb, s3
from yarrow.web.app import caller, create_app
from yarrow.web.lambda_http import buffered


async def endpoint(request: Request) -> Response:
    """Respond with a URL, only for the caller's own attachments (SGN-01, SGN-02)."""
    query = request.query_params
    signed = signed_url(caller(request).user_id, query.get("bucket"), query.get("path"))
    headers = {"Cache-Control": "no-store"}
    return Response(to_json(signed), headers=headers, media_type="application/json")


at_start(dynamodb, s3)
app = create_app(Route("/api/v1/agent/attachments/signed-url", endpoint, methods=["GET"]))
handler = buffered(app)
resume_garbage_collection()
