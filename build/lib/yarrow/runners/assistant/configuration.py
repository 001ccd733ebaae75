"""What an agent's config tells the assistant. Its tools and its past are not among this: they come with the run."""

from collections.abc import Mapping
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from yarrow.protocol.runner.manifest import DynamicFormItem
from yarrow.protocol.runner.models import AgentResources
from yarrow.runners.assistant import failure

BYTES_OF_A_TOKEN: Final = 4
"""About how many bytes of UTF-8 a token stands for."""


class Configuration(BaseModel):
    """The config of the agent in its mode. Members that are not known are another's.

    `model` answers, or the first that was granted; `router_model`, a cheap one, chooses the tools to offer, all of them
    being offered where none is named. `instructions` stand in place of the assistant's own. `context_tokens` is how
    much a model is given at most, about.
    """

    model_config = ConfigDict(extra="ignore", frozen=True)

    model: str | None = None
    router_model: str | None = None
    instructions: Annotated[str, StringConstraints(max_length=20_000)] | None = None
    context_tokens: Annotated[int, Field(ge=1_000, le=1_000_000)] = 32_000

    @property
    def room(self) -> int:
        """Bytes that the messages and tools of a request may take."""
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
)
"""The same as a form (RNR-04)."""


def configuration(config: Mapping[str, Any]) -> Configuration:
    """Read a config. Raises GaveUpError for one that breaks a rule."""
    try:
        return Configuration.model_validate(dict(config))
    except ValidationError:
        raise failure.misconfigured() from None


def model_of(wanted: str | None, resources: AgentResources) -> str:
    """The model that answers: the one wanted, else the first there is. Raises GaveUpError when it is not granted."""
    granted = [model.model_id for model in resources.models if model.model_type == "llm"]
    if not granted or (wanted is not None and wanted not in granted):
        raise failure.no_model()
    return granted[0] if wanted is None else wanted
