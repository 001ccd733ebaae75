"""`GET /api/v1/agent/transcribe/{uploadId}`: the text of an uploaded recording.

API Gateway stores the POSTed form itself and redirects here (`template.yaml`). It streams one piece: recognition may
exceed the 29 seconds of a buffered response.
"""

from yarrow.web.cold_start import pause_garbage_collection, resume_garbage_collection

pause_garbage_collection()

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from yarrow.access import limits
from yarrow.media.transcription.choice import recogniser_named
from yarrow.media.transcription.transcribe import transcribe
from yarrow.settings import settings
from yarrow.store.clients import at_start, dynamodb, s3
from yarrow.web.app import caller, create_app
from yarrow.web.lambda_http import Streaming

# At import, so that a wrong name fails the deployment and not a request.
recogniser = recogniser_named(settings.transcriber)


async def endpoint(request: Request) -> JSONResponse:
    """Respond with the transcript (ASR-01)."""
    by = caller(request)
    await run_in_threadpool(limits.count, by.user_id, "transcription_reads")
    transcript = await run_in_threadpool(transcribe, recogniser, by, request.path_params["uploadId"])
    return JSONResponse({"transcript": transcript}, headers={"Cache-Control": "no-store"})


at_start(dynamodb, s3)
app = create_app(Route("/api/v1/agent/transcribe/{uploadId}", endpoint, methods=["GET"]))
handler = Streaming(app)
resume_garbage_collection()
