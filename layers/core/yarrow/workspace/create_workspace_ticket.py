"""A ticket for a page, which cannot send a header with its WebSocket (C52)."""

from urllib.parse import urlencode

from yarrow.access import limits
from yarrow.agents import bindings
from yarrow.protocol.caller import Caller
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.workspace.tickets import Ticket
from yarrow.settings import settings
from yarrow.store.workspace import tickets


def create_workspace_ticket(caller: Caller, task_name: str) -> Ticket:
    """Return a ticket for the user's workspace of a task. Raises Problem 404 for an unknown task, 429 at the limit."""
    limits.count(caller.user_id, "workspace_tickets")
    if bindings.for_task(task_name) is None:
        raise Problem(Code.AGENT_TASK_NOT_FOUND, "no agent has a workspace with this task name")
    ticket = tickets.issue(caller, task_name)
    query = urlencode({"taskName": task_name, "ticket": ticket})
    return Ticket(ticket=ticket, url=f"{settings.workspace_url}?{query}", expires_in=tickets.TICKET_SECONDS)
