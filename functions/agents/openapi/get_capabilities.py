"""The OpenAPI description of `GET /send-message/capabilities`."""

from typing import Final

from functions.openapi import BY_KEY, TO_ANY_CALLER, Operation, agent, ref, refused
from yarrow.protocol.problems import Code

OPERATION: Final = Operation(
    "get",
    "/send-message/capabilities",
    operation_id="get_capabilities",
    summary="Get what an agent can do",
    security=BY_KEY,
    description="AG-UI's AgentCapabilities of an agent, for clients that show what it takes before they run it. What "
    "its runner, its block and the service do not say is left out, which means unknown.",
    parameters=[agent("the deployment's `AguiAgent`")],
    responses={
        "200": {
            "description": "What the agent can do. Its name and description are in the language of the caller.",
            "headers": {"Cache-Control": {"schema": {"const": "private, max-age=60"}}},
            "content": {"application/json": {"schema": ref("AgentCapabilities")}},
        }
    },
    refusals=(*TO_ANY_CALLER, *refused(Code.AGENT_NAME_UNKNOWN, Code.AGENT_RATE_LIMIT)),
)
