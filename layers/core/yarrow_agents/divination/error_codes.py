"""The codes of requests that the agent refuses (DIV-07, C47)."""

from typing import Final

from yarrow.protocol.problems import AgentCode

MISMATCH: Final = AgentCode(
    "AGENT_DIVINATION_PAYLOAD_MISMATCH", 422, "The divinationPayload of a follow-up differs from the session's cast."
)
REQUIRED: Final = AgentCode(
    "AGENT_DIVINATION_PAYLOAD_REQUIRED", 422, "A run of the divination agent needs forwardedProps.divinationPayload."
)
