"""The frameworks that a project can be written for: one entry each, and the agent's module `files/agents/ID.py.txt`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, get_args

Deployment = Literal["layer", "function", "image"]
"""In an AgentsLayer, or as a remote runner: in a function with a layer of its own, or in a container image."""

DEPLOYMENTS: Final[tuple[Deployment, ...]] = get_args(Deployment)

_HISTORY: Final = "{ context: { source: latest_chat, window_mode: number, window_count: 50 } }"


@dataclass(frozen=True, slots=True)
class Framework:
    """What differs from framework to framework, besides the agent's module.

    `requirements` are its packages besides Yarrow's core, `modules` what the agent cannot do without, `block`
    more lines of the agent's block, `test` how its test makes the agent answer "It is 5.", `variables` more lines of
    the Makefile.
    """

    title: str
    requirements: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    deployment: Deployment = "layer"
    mode: str = _HISTORY
    block: tuple[str, ...] = ()
    test: Literal["host", "text", "tool"] = "tool"
    variables: tuple[str, ...] = ()


FRAMEWORKS: Final[Mapping[str, Framework]] = {
    "plain": Framework(
        "plain Python",
        mode="{}",
        block=("    resources:", "      models: [chat]"),
        test="host",
        variables=('export MODELS ?= {"chat": "openai-chat:gpt-5-mini"}',),
    ),
    "pydantic_ai": Framework(
        "Pydantic AI",
        ("pydantic-ai-slim[ag-ui,openai]>=2.68",),
        ("pydantic_ai", "ag_ui"),
        variables=("export PYDANTIC_AI_NO_BANNER ?= 1",),
    ),
    "langgraph": Framework("LangGraph", ("langgraph>=1.2", "langchain-openai>=1.7"), ("langgraph", "langchain_openai")),
    "openai_agents": Framework("the OpenAI Agents SDK", ("openai-agents>=0.24,<0.25",), ("agents",)),
    "strands": Framework("Strands", ("strands-agents>=1.62", "openai>=3"), ("strands", "openai")),
    "crewai": Framework(
        "CrewAI",
        ("crewai>=1.15",),
        ("crewai",),
        deployment="image",
        mode="{}",
        test="text",
        variables=("export CREWAI_DISABLE_TELEMETRY ?= true",),
    ),
    "agui": Framework(
        "any framework that speaks AG-UI", ("ag-ui-protocol>=1", "openai>=3"), ("ag_ui", "openai"), test="text"
    ),
}
