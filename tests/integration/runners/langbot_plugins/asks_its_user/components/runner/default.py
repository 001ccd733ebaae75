"""Asks its user for an interaction that its message names, and says what came of it."""

from __future__ import annotations

import json
import typing

from langbot_plugin.api.definition.components.runner.runner import Runner
from langbot_plugin.api.entities.builtin.provider.message import Message
from langbot_plugin.api.entities.builtin.runner import RunnerContext, RunnerResult

YES_OR_NO = [{"id": "no", "label": "Keep it"}, {"id": "yes", "label": "Delete it", "style": "danger"}]
SIZES = [{"value": "s", "label": "Small"}, {"value": "l", "label": "Large"}]
REQUESTS: dict[str, dict[str, typing.Any]] = {
    "confirm": {"kind": "confirmation", "title": "Go on?"},
    "delete": {"kind": "confirmation", "title": "Delete it?", "description": "It is gone then.", "actions": YES_OR_NO},
    "choose": {
        "kind": "choice",
        "title": "Which size?",
        "fields": [{"id": "size", "label": "Size", "type": "select", "options": SIZES}],
        "actions": [{"id": "submit", "label": "OK"}],
    },
    "form": {
        "title": "Your order",
        "fields": [
            {"id": "name", "label": "Name", "type": "text", "required": True},
            {"id": "sizes", "label": "Sizes", "type": "multiselect", "options": SIZES, "required": True},
            {"id": "count", "label": "Count", "type": "number", "default": 1},
            {"id": "action_id", "label": "A field of this name", "type": "boolean"},
        ],
        "actions": [{"id": "order", "label": "Order", "style": "primary"}, {"id": "drop", "label": "Drop"}],
    },
    "upload": {"title": "A file, please", "fields": [{"id": "file", "label": "File", "type": "file"}]},
}


class AskingRunner(Runner):
    async def run(self, ctx: RunnerContext) -> typing.AsyncGenerator[RunnerResult, None]:
        submitted = ctx.input.interaction
        if submitted is not None:
            asked = ctx.state.conversation["external.asked"]
            heard = {"asked": asked, "id": submitted.interaction_id, "action": submitted.action_id}
            heard |= {"values": submitted.values, "event": ctx.event.event_type}
            yield RunnerResult.message_completed(ctx.run_id, Message(role="assistant", content=json.dumps(heard)))
            if submitted.action_id == "yes":
                yield RunnerResult.interaction_requested(
                    ctx.run_id,
                    {**REQUESTS["confirm"], "interaction_id": "again", "fallback_text": "Really?"},
                )
            yield RunnerResult.run_completed(ctx.run_id)
            return
        assert ctx.delivery.interactions is not None
        assert "select" in ctx.delivery.interactions.field_types
        name = ctx.input.to_text()
        yield RunnerResult.state_updated(ctx.run_id, "external.asked", name, scope="conversation")
        request = {**REQUESTS[name], "interaction_id": f"interaction-{name}", "fallback_text": f"Please answer: {name}"}
        yield RunnerResult.interaction_requested(ctx.run_id, request)
        yield RunnerResult.run_completed(ctx.run_id)
