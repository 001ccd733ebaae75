"""Names of OpenTelemetry's semantic conventions, as far as traces of runs use them, and Yarrow's own.

Source: semantic conventions 1.44, GenAI spans (in development). A test compares them with the released package.
"""

from collections.abc import Mapping
from typing import Final

SCHEMA_URL: Final = "https://opentelemetry.io/schemas/1.44.0"

OPERATION: Final = "gen_ai.operation.name"
PROVIDER: Final = "gen_ai.provider.name"
AGENT_NAME: Final = "gen_ai.agent.name"
CONVERSATION_ID: Final = "gen_ai.conversation.id"
REQUEST_MODEL: Final = "gen_ai.request.model"
REQUEST_STREAM: Final = "gen_ai.request.stream"
FINISH_REASONS: Final = "gen_ai.response.finish_reasons"
INPUT_TOKENS: Final = "gen_ai.usage.input_tokens"
OUTPUT_TOKENS: Final = "gen_ai.usage.output_tokens"
CACHE_READ_TOKENS: Final = "gen_ai.usage.cache_read.input_tokens"
CACHE_WRITE_TOKENS: Final = "gen_ai.usage.cache_creation.input_tokens"
REASONING_TOKENS: Final = "gen_ai.usage.reasoning.output_tokens"
TOOL_NAME: Final = "gen_ai.tool.name"
TOOL_TYPE: Final = "gen_ai.tool.type"
TOOL_RESULT: Final = "gen_ai.tool.call.result"
DATA_SOURCE: Final = "gen_ai.data_source.id"
INPUT_MESSAGES: Final = "gen_ai.input.messages"
OUTPUT_MESSAGES: Final = "gen_ai.output.messages"

ERROR_TYPE: Final = "error.type"
SESSION_ID: Final = "session.id"
USER_ID: Final = "user.id"
DB_SYSTEM: Final = "db.system.name"
DB_OPERATION: Final = "db.operation.name"
SERVICE_NAME: Final = "service.name"
SERVICE_VERSION: Final = "service.version"
CLOUD_PROVIDER: Final = "cloud.provider"
CLOUD_REGION: Final = "cloud.region"

INVOKE_AGENT: Final = "invoke_agent"
CHAT: Final = "chat"
EXECUTE_TOOL: Final = "execute_tool"
RETRIEVAL: Final = "retrieval"
RERANK: Final = "rerank"
"""The conventions have no operation for it, and allow others."""

DYNAMODB: Final = "aws.dynamodb"

PROVIDERS: Final[Mapping[str, str]] = {
    "anthropic": "anthropic",
    "azure": "azure.ai.openai",
    "azure-responses": "azure.ai.openai",
    "bedrock": "aws.bedrock",
    "bedrock-rerank": "aws.bedrock",
    "cohere": "cohere",
    "deepseek": "deepseek",
    "google": "gcp.gemini",
    "google-cloud": "gcp.vertex_ai",
    "groq": "groq",
    "mistral": "mistral_ai",
    "openai": "openai",
    "openai-chat": "openai",
    "openai-responses": "openai",
    "xai": "x_ai",
}
"""`gen_ai.provider.name` by the provider that the parameter `Models` names; others keep that name."""

# Yarrow's own, which no convention has.
RUN_ID: Final = "yarrow.run.id"
RUN_KEY: Final = "yarrow.run.key"
RUN_PHASE: Final = "yarrow.run.phase"
RUN_OUTCOME: Final = "yarrow.run.outcome"
RUN_TURNS: Final = "yarrow.run.turns"
RUN_EVENTS: Final = "yarrow.run.events"
JOB_ID: Final = "yarrow.job.id"
FIRST_EVENT: Final = "yarrow.run.time_to_first_event"
"""Seconds from the submit until the first event after RUN_STARTED was stored."""
STORE_WAIT: Final = "yarrow.store.wait"
"""Seconds that the worker which finished the run has waited for its writes of events."""
ATTEMPT: Final = "yarrow.worker.attempt"
STEP_ID: Final = "yarrow.step.id"
STEP_RETRY: Final = "yarrow.step.retry"
STEP_OUTCOME: Final = "yarrow.step.outcome"
MODEL_ID: Final = "yarrow.model.id"
"""The name in the parameter `Models`."""
LINK: Final = "yarrow.link"
CONTINUES: Final = "continues"
SPAWNED_BY: Final = "spawned_by"
ALL_TOKENS: Final[Mapping[str, str]] = {
    "inputTokens": "yarrow.run.input_tokens",
    "outputTokens": "yarrow.run.output_tokens",
}
"""Sums of a run, under names that backends do not add to those of its spans."""
