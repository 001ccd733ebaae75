"""`POST /api/v1/workspace/tickets`: a ticket that opens a workspace connection."""

from yarrow.web.cold_start import pause_garbage_collection, resume_garbage_collection

pause_garbage_collection()

from starlette.requests import Request
from starlette.routing import Route

from yarrow.protocol.workspace.tickets import read_ticket_request
from yarrow.store.clients import at_start, dynamodb
from yarrow.web.app import caller, create_app
from yarrow.web.json_body import NO_STORE, BodyResponse, json_body
from yarrow.web.lambda_http import buffered
from yarrow.workspace.create_workspace_ticket import create_workspace_ticket


async def endpoint(request: Request) -> BodyResponse:
    """Respond 201 with the ticket, which is returned only this once (C52)."""
    ticket_request = read_ticket_request(await json_body(request))
    ticket = create_workspace_ticket(caller(request), ticket_request.task_name)
    return BodyResponse(ticket, 201, NO_STORE)


at_start(dynamodb)
app = create_app(Route("/api/v1/workspace/tickets", endpoint, methods=["POST"]))
handler = buffered(app)
resume_garbage_collection()
