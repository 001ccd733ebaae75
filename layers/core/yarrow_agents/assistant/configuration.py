"""The assistant's configuration."""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from yarrow.protocol.runner.manifest import DynamicFormItem
from yarrow.protocol.runner.models import AgentResources
from yarrow_agents.assistant import failure

BYTES_OF_A_TOKEN: Final = 4
"""Estimated bytes of UTF-8 per token."""


class Configuration(BaseModel):
    """The configuration of the agent's mode; unknown members are ignored.

    `model` is by default the first granted one. `router_model`, a cheap one, chooses the tools to offer; without it all
    are offered. `instructions` replace the defaults. `context_tokens` is approximate. A run has `max_steps` model
    answers, one user message twice as many, over all runs that continue it. `show_reasoning` shows clients what the
    model thinks, and `reasoning_effort` has it think, if it can.
    """

    model_config = ConfigDict(extra="ignore", frozen=True)

    model: str | None = None
    router_model: str | None = None
    instructions: Annotated[str, StringConstraints(max_length=20_000)] | None = None
    context_tokens: Annotated[int, Field(ge=1_000, le=1_000_000)] = 32_000
    max_steps: Annotated[int, Field(ge=1, le=100)] = 16
    show_reasoning: bool = False
    reasoning_effort: Literal["minimal", "low", "medium", "high"] | None = None

    @property
    def model_options(self) -> dict[str, Any] | None:
        """Return the `extra_args` of the model's calls."""
        effort = {} if self.reasoning_effort is None else {"reasoning_effort": self.reasoning_effort}
        return {**effort, "reasoning_summary": True} if effort and self.show_reasoning else effort or None

    @property
    def room(self) -> int:
        """The bytes of a request's messages and tools."""
        return self.context_tokens * BYTES_OF_A_TOKEN


FORM: Final = (
    DynamicFormItem(name="model", type="string", label={"en_US": "Model", "zh_Hans": "模型"}),
    DynamicFormItem(name="router_model", type="string", label={"en_US": "Router's model", "zh_Hans": "路由模型"}),
    DynamicFormItem(name="instructions", type="text", label={"en_US": "Instructions", "zh_Hans": "指令"}),
    DynamicFormItem(
        name="context_tokens",
        type="integer",
        label={"en_US": "Context in tokens", "zh_Hans": "上下文长度（token）"},
        default=Configuration.model_fields["context_tokens"].default,
    ),
    DynamicFormItem(
        name="max_steps",
        type="integer",
        label={"en_US": "Model answers per run", "zh_Hans": "每次运行的模型回答数"},
        default=Configuration.model_fields["max_steps"].default,
    ),
    DynamicFormItem(
        name="show_reasoning",
        type="boolean",
        label={"en_US": "Show the model's reasoning", "zh_Hans": "显示模型的思考过程"},
        default=Configuration.model_fields["show_reasoning"].default,
    ),
    DynamicFormItem(
        name="reasoning_effort",
        type="string",
        label={"en_US": "Reasoning: minimal, low, medium or high", "zh_Hans": "思考力度（minimal、low、medium、high）"},
    ),
)
"""The configuration as a form (RNR-04)."""


def configuration(config: Mapping[str, Any]) -> Configuration:
    """Validate the configuration. Raises AssistantFailedError."""
    try:
        return Configuration.model_validate(dict(config))
    except ValidationError:
        raise failure.misconfigured() from None


def capabilities(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return what AG-UI clients may know of the assistant beside its manifest. Raises AssistantFailedError."""
    read = configuration(config)
    return {
        "tools": {"parallelCalls": True},
        "state": {"deltas": True},
        "reasoning": {"supported": read.show_reasoning, "streaming": read.show_reasoning, "encrypted": False},
        "execution": {"maxIterations": read.max_steps},
    }


def model_of(wanted: str | None, resources: AgentResources) -> str:
    """Return the wanted model, by default the first granted one. Raises AssistantFailedError if it is not granted."""
    granted = [model.model_id for model in resources.models if model.model_type == "llm"]
    if not granted or (wanted is not None and wanted not in granted):
        raise failure.no_model()
    return granted[0] if wanted is None else wanted
