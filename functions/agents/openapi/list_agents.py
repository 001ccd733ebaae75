"""The OpenAPI description of `GET /api/v1/agents`."""

from typing import Final

from functions.openapi import TO_ANY_CALLER, Operation, ref, refused
from yarrow.protocol.problems import Code

OPERATION: Final = Operation(
    "get",
    "/api/v1/agents",
    operation_id="list_agents",
    summary="List agents",
    description="The agents that the caller may use, for clients that let their user choose one. What an agent can do "
    "is in its capabilities.",
    parameters=[
        {
            "name": "locale",
            "in": "query",
            "description": "The language of the labels, such as `zh-TW`: by default the caller's. A label that an "
            "agent does not have in it is in English.",
            "schema": {"type": "string"},
        }
    ],
    responses={
        "200": {
            "description": "All agents, as the deployment's file orders them, with labels in that language.",
            "headers": {"Cache-Control": {"schema": {"const": "private, max-age=60"}}},
            "content": {"application/json": {"schema": ref("AgentList")}},
        }
    },
    refusals=(*TO_ANY_CALLER, *refused(Code.AGENT_RATE_LIMIT)),
)
