"""The agents with which frameworks' documentations begin, behind Yarrow, with a model provider on loopback."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path

from tests.support.models import responses_format
from tests.support.models.provider_formats import WIRES
from tests.support.models.server import Answer, ModelServer, serving
from tests.support.stack.process import running

FEATURES = {
    "streaming": "text, calls and results are streamed, usage is counted",
    "resuming": "a stream that was cut goes on",
    "cancel": "a cancel closes the request to the model",
    "taking over": "another worker asks the model only what had not ended",
    "pictures": "pictures reach the model",
    "client tools": "the client's tools are offered",
    "host tools": "the host's tools are offered, and the host calls them",
    "failures": "a failure of the model fails the run",
}
"""What is shown of each quick start, by the sentences of `docs/frameworks.md`."""

CallOf = tuple[str, str, str]
"""The id, name and arguments of a call."""


def _called(wire: str) -> Callable[[CallOf], Answer]:
    return lambda call: WIRES[wire].streamed(*WIRES[wire].calling(call), *WIRES[wire].ended("calls"))


def _said(wire: str) -> Callable[..., Answer]:
    return lambda *pieces: WIRES[wire].streamed(*WIRES[wire].begun(*pieces), *WIRES[wire].ended())


@dataclass(frozen=True)
class QuickStart:
    framework: str
    module: str
    """What is imported if the framework is installed."""
    package: str
    question: str
    call: CallOf | None
    result: str
    called: Callable[[CallOf], Answer]
    said: Callable[..., Answer]
    refused: Answer
    lacks: frozenset[str] = frozenset()
    """What it does not do, of FEATURES."""

    @property
    def agent(self) -> str:
        return f"{self.framework}_start"

    @property
    def file(self) -> Path:
        return Path(__file__).with_name(f"{self.agent}.py")

    @property
    def is_installed(self) -> bool:
        return find_spec(self.module) is not None

    def answers(self, *pieces: str, pause: float = 0) -> list[Answer]:
        """What the provider says: the call, if there is a tool, and the pieces of a text, each after a pause."""
        call = [] if self.call is None else [self.called(self.call)]
        return [*call, replace(self.said(*pieces), pause=pause)]


QUICK_STARTS = (
    QuickStart(
        "pydantic_ai",
        "pydantic_ai",
        "pydantic-ai-slim",
        'Where does "hello world" come from?',
        None,
        "",
        _called("openai"),
        _said("openai"),
        WIRES["openai"].refused(400, "no such model"),
    ),
    QuickStart(
        "langgraph",
        "langchain_openai",
        "langgraph, langchain-openai",
        "Multiply 3 and 4.",
        ("call_1", "multiply", '{"a": 3, "b": 4}'),
        "12",
        _called("openai"),
        _said("openai"),
        WIRES["openai"].refused(400, "no such model"),
        # Its nodes ask the model in a thread, which nothing can stop.
        lacks=frozenset({"cancel", "client tools", "host tools"}),
    ),
    QuickStart(
        "openai_agents",
        "agents",
        "openai-agents",
        "Tell me something surprising about ancient life on Earth.",
        ("call_1", "history_fun_fact", "{}"),
        "Sharks are older than trees.",
        responses_format.called,
        responses_format.said,
        WIRES["openai"].refused(400, "no such model"),
    ),
    QuickStart(
        "strands",
        "strands",
        "strands-agents",
        'Tell me how many letter R\'s are in the word "strawberry"',
        ("call_1", "letter_counter", '{"word": "strawberry", "letter": "R"}'),
        "3",
        _called("bedrock"),
        _said("bedrock"),
        WIRES["bedrock"].refused(400, "no such model"),
    ),
)


@contextmanager
def served(start: QuickStart) -> Iterator[tuple[ModelServer, str]]:
    """The provider, and the address of a stack with the agent."""
    with serving() as provider:
        environment = {
            "AGENT": str(start.file),
            "OPENAI_BASE_URL": f"{provider.address}/v1",
            "OPENAI_API_KEY": "key",
            "AWS_ENDPOINT_URL_BEDROCK_RUNTIME": provider.address,
            "OTEL_SDK_DISABLED": "true",
        }
        with running(environment=environment) as url:
            yield provider, url
