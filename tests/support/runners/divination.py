"""A model as the divination runner meets it, and the runs in which it does."""

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from typing import Any, Final

from liuyao import Divination, DivinationPayload, derive
from liuyao.reading import Language, read
from tests.support.example_cast import EXAMPLE
from tests.support.run_contexts import run_context
from yarrow.protocol.runner.api import AgentAPIException, ModelChunk, ModelMessage, ModelReply, ModelUsage
from yarrow.protocol.runner.models import AgentResources, AgentRunContext, AgentRunState, ContextAPICapabilities
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.protocol.runner.resources import KnowledgeBaseResource, ModelResource
from yarrow_agents.divination import brief
from yarrow_agents.divination.runner import DivinationRunner

RUN_ID: Final = "run-key"
LOCALES: Final = {Language.SIMPLIFIED: "zh-CN", Language.TRADITIONAL: "zh-TW", Language.ENGLISH: "en"}
PIECE: Final = 7
USAGE: Final = ModelUsage(input_tokens=900, output_tokens=300)

CAST: Final = derive(DivinationPayload.model_validate(EXAMPLE))
"""水火既济 to 风雷益 on 丁未 in 卯月; 用神 五爻官鬼戌土; 中下签."""

READING: Final = "这一卦看换工作，眼下不宜动。\n\n官鬼戌土受月建所克，新的机会还撑不起来；世爻回头克，勉强不得。"
"""Words that may be told of it."""
OWN: Final = read(CAST, language=Language.SIMPLIFIED)
"""The rules' own reading of it."""
PHRASED: Final = "\n\n".join((OWN.lead, READING, OWN.timing))
ANSWER: Final = "可以留意戌日和辰日。用神还弱，不必急着定下来。"

Reply = ModelReply | AgentAPIException | dict[str, Any] | str | Callable[[], Awaitable[ModelReply]]


def replied(content: Any, **members: Any) -> ModelReply:
    text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
    return ModelReply(message=ModelMessage(role="assistant", content=text), usage=USAGE, **members)


class Host:
    """An ApiTransport whose model streams one reply after another, the last one again and again."""

    def __init__(self, *replies: Reply, **documents: dict[str, Any] | AgentAPIException) -> None:
        self.requests: list[dict[str, Any]] = []
        self.streamed = 0
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self._replies = list(replies)
        self.judgement: Reply = {"fault": "none"}
        self.judged: list[dict[str, Any]] = []
        self.opinion: Reply = {"concern": "none"}
        """What the model answers to the question whether words get a reading."""
        self.opinions: list[dict[str, Any]] = []
        self._documents = documents

    async def call(self, action: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        assert arguments["run_id"] == RUN_ID
        if action == "models.invoke" and "concern" in json.dumps(arguments["extra_args"]):
            self.opinions.append(dict(arguments))
            return await self._answered(self.opinion)
        if arguments.get("model_id") == "judge":
            self.judged.append(dict(arguments))
            return await self._answered(self.judgement)
        self.calls.append((action, dict(arguments)))
        if action not in ("models.invoke", "models.stream"):
            document = self._documents[action.replace(".", "_")]
            if isinstance(document, AgentAPIException):
                raise document
            return document
        self.requests.append(dict(arguments))
        return await self._answered(self._replies.pop(0) if len(self._replies) > 1 else self._replies[0])

    @staticmethod
    async def _answered(reply: Reply) -> dict[str, Any]:
        if callable(reply):
            reply = await reply()
        if isinstance(reply, AgentAPIException):
            raise reply
        return (reply if isinstance(reply, ModelReply) else replied(reply)).model_dump(mode="json")

    async def stream(self, action: str, arguments: Mapping[str, Any]) -> AsyncGenerator[dict[str, Any]]:
        """A reply in pieces of a few characters; `streamed` counts those that were taken."""
        reply = ModelReply.model_validate(await self.call(action, arguments))
        text = str(reply.message.content)
        self.streamed = 0
        for at in range(0, len(text), PIECE):
            self.streamed += 1
            yield ModelChunk(content=text[at : at + PIECE], scripted=reply.scripted).model_dump(mode="json")
        yield ModelChunk(reply=reply).model_dump(mode="json")

    def prompt_text(self, number: int = -1) -> str:
        """Everything that a request says to the model."""
        return "\n".join(message["content"] for message in self.requests[number]["messages"])


def granted(mode: str = "chat", locale: str = "zh-CN", **changes: Any) -> AgentRunContext:
    """Return a run with a model, a knowledge base and the history of its conversation, about the example's cast."""
    cast = {**EXAMPLE, **changes}
    derived = derive(DivinationPayload.model_validate(cast))
    plain = run_context(RUN_ID, "什么时候有结果?" if mode == "follow_up" else cast["question"])
    arguments = {
        "event": plain.event.model_copy(update={"data": {"runtime_mode": mode, "divinationPayload": cast}}),
        "runtime": plain.runtime.model_copy(update={"locale": locale}),
        "state": AgentRunState(conversation={"divination": derived.model_dump(mode="json")}),
        "resources": AgentResources(
            models=(ModelResource(model_id="reading", operations=("invoke", "stream")),),
            knowledge_bases=(KnowledgeBaseResource(kb_id="liu-yao"),),
        ),
        "context": plain.context.model_copy(
            update={"latest_cursor": "here", "available_apis": ContextAPICapabilities(history_page=True)}
        ),
    }
    return plain.model_copy(update=arguments)


def without_a_model(context: AgentRunContext) -> AgentRunContext:
    """The same run where none is granted."""
    return context.model_copy(update={"resources": AgentResources()})


def results(host: Any, context: AgentRunContext) -> list[tuple[str, dict[str, Any]]]:
    """Return the types and data of everything the runner yields."""

    async def hear() -> list[tuple[str, dict[str, Any]]]:
        runner = DivinationRunner()
        return [(event.type, event.data) async for event in runner.run(context, AgentRunAPIProxy(RUN_ID, host))]

    return asyncio.run(hear())


def output_of(events: list[tuple[str, dict[str, Any]]]) -> dict[str, Any]:
    (output,) = [data["output"] for type_, data in events if type_ == "message.completed"]
    return dict(output)


def report_of(events: list[tuple[str, dict[str, Any]]]) -> dict[str, Any]:
    """What the host is told at the end."""
    type_, data = events[-1]
    assert type_ == "run.completed"
    return data


def own_words(divination: Divination, language: Language) -> str:
    """Return the rules' own reasons."""
    return "\n".join(read(divination, language=language).focus_points)


TASKS = {language: brief.of_cast(CAST, read(CAST, language=language), language) for language in Language}
