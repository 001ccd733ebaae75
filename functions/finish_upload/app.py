"""`GET /api/v1/agent/attachments/uploads/{uploadId}`: the attachment that an upload becomes.

The POST of the form itself never comes here: API Gateway stores its body and redirects to this route (`template.yaml`).
"""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from yarrow.media.uploads import finish_upload
from yarrow.store.clients import at_start, dynamodb, s3
from yarrow.web.app import caller, create_app
from yarrow.web.lambda_http import buffered


def endpoint(request: Request) -> Response:
    """The same attachment however often it is asked for, by a fresh URL (ATT-03)."""
    answer = finish_upload(caller(request).user_id, request.path_params["uploadId"])
    headers = {"Cache-Control": "no-store"}
    return Response(answer.model_dump_json(), headers=headers, media_type="application/json")


at_start(dynamodb, s3)
app = create_app(Route("/api/v1/agent/attachments/uploads/{uploadId}", endpoint, methods=["GET"]))
handler = buffered(app)
