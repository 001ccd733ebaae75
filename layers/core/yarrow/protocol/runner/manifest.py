"""A runner's manifest: capabilities, requested permissions, context policy. It grants nothing (RNR-08, RNR-28).

Source: `agent-runner.md` §3.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from yarrow.protocol.runner.names import RunnerId
from yarrow.protocol.runner.resources import AgentRunnerPermissions as AgentRunnerPermissions
from yarrow.protocol.runner.vocabulary import WORKSPACE, WorkspaceEvent
from yarrow.protocol.ui_schema.words import ENGLISH, language_of

I18nText = Mapping[str, str]
"""A text by locale, e.g. `{"en_US": "Weather", "zh_Hans": "天气"}`."""


def text_in(texts: I18nText, locale: str) -> str | None:
    """Return the text in the language of a locale, else in English, else any; None if there is none."""
    by_language = {language_of(name): text for name, text in texts.items()}
    return by_language.get(language_of(locale)) or by_language.get(ENGLISH) or next(iter(texts.values()), None)


class _Declaration(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class AgentRunnerCapabilities(_Declaration):
    """Descriptive only (RNR-05, RNR-28)."""

    streaming: bool = False
    tool_calling: bool = False
    knowledge_retrieval: bool = False
    multimodal_input: bool = False
    event_context: bool = True
    platform_api: bool = False
    interrupt: bool = False
    interactions: bool = False
    steering: bool = False
    """Whether it takes messages that its user adds while it works, by `api.steering.pull` (RNR-87)."""
    stateful_session: bool = False
    self_managed_context: bool = True


class AgentRunnerContextPolicy(_Declaration):
    """How much history to inline; by default none (RNR-09, RNR-10)."""

    ownership: Literal["self_managed", "host_bootstrap", "hybrid"] = "self_managed"
    bootstrap: Literal["none", "current_event", "recent_tail", "summary_tail"] = "current_event"
    max_inline_events: int = 0
    max_inline_bytes: int = 0
    supports_history_pull: bool = True
    supports_history_search: bool = False
    supports_artifact_pull: bool = True
    owns_compaction: bool = True
    wants_static_context_refs: bool = True


class DynamicFormItem(BaseModel):
    """A field of a binding's configuration form (RNR-04). Unknown members are kept."""

    model_config = ConfigDict(extra="allow", frozen=True)

    name: str
    type: str
    label: I18nText | None = None
    description: I18nText | None = None
    required: bool = False
    default: Any = None


class AgentRunnerManifest(_Declaration):
    """An entry of the discovery list (RNR-01, RNR-02)."""

    id: RunnerId
    name: Annotated[str, StringConstraints(min_length=1, max_length=128)]
    label: I18nText
    description: I18nText | None = None
    capabilities: AgentRunnerCapabilities = AgentRunnerCapabilities()
    permissions: AgentRunnerPermissions = AgentRunnerPermissions()
    context: AgentRunnerContextPolicy = AgentRunnerContextPolicy()
    config_schema: tuple[DynamicFormItem, ...] = ()
    metadata: dict[str, Any] = {}


class WorkspaceSurface(_Declaration):
    """`workspace` in a manifest's `metadata`: the events the runner takes."""

    events: Annotated[frozenset[WorkspaceEvent], Field(min_length=1)]


def surface_of(metadata: Mapping[str, Any]) -> WorkspaceSurface | None:
    """Read the workspace in a manifest's metadata, None without one. Raises ValueError if it is malformed."""
    declared = metadata.get(WORKSPACE)
    return None if declared is None else WorkspaceSurface.model_validate(declared)


class ListAgentRunnersResponse(_Declaration):
    runners: tuple[AgentRunnerManifest, ...]


LIST_AGENT_RUNNERS: Final = "LIST_AGENT_RUNNERS"
RUN_AGENT: Final = "RUN_AGENT"
