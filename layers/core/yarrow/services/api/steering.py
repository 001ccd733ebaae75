"""`steering.pull`: messages that the user adds while the run goes on (RNR-87).

A message is marked with the step that takes it before that step ends. So a worker that takes over gets the same
messages by the same call, whether or not the step was stored, and no other step gets them.
"""

import asyncio
from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from yarrow.agents.grants import RunGrant
from yarrow.protocol.runner.api import SteeringPullRequest
from yarrow.services.api import access
from yarrow.services.api.errors import invalid_argument, no_run, unauthorized
from yarrow.services.api.services import Action, Services, safe
from yarrow.services.steps.step_log import Call

PULL: Final = "steering.pull"


def _check(grant: RunGrant, _request: SteeringPullRequest) -> None:
    if not grant.steering:
        raise unauthorized("messages that are added to a run: its runner declares no steering")


async def _pull(grant: RunGrant, services: Services, request: SteeringPullRequest) -> dict[str, Any]:
    from yarrow.store.runner import added_messages  # few runners are steered

    if services.step_key is None:
        raise invalid_argument("occurrence", "of the call is missing")
    await access.check_active(services)
    take = partial(added_messages.take, grant.run_key, services.step_key, services.steps.attempt, request.limit)
    try:
        taken = await asyncio.to_thread(take)
    except added_messages.ReplacedError as error:
        raise no_run() from error
    return {"messages": [message.document() for message in taken]}


async def taken(grant: RunGrant) -> list[dict[str, Any]]:
    """Return what the runner has taken so far, as it got it."""
    from yarrow.store.runner import added_messages

    stored = await asyncio.to_thread(added_messages.read_all, grant.run_key)
    return [message.document() for message in stored if message.taken_by is not None]


async def _show(
    grant: RunGrant, services: Services, _request: SteeringPullRequest, call: Call, document: dict[str, Any]
) -> dict[str, Any]:
    """Show the messages to the run's viewers, also those of a step that an earlier worker ended.

    Where there was an earlier worker, its result may count and not that of this one: others get what it has not.
    """
    if services.steps.attempt > 1:
        from yarrow.store.runner import added_messages

        got = [message["id"] for message in document["messages"]]
        await asyncio.to_thread(added_messages.release, grant.run_key, call.key, got)
    if services.show_taken is not None and document["messages"]:
        await services.show_taken(document["messages"])
    return document


ACTIONS: Final[Mapping[str, Action[Any]]] = {PULL: Action(_check, _pull, safe, settle=_show)}
