"""The second stage: the model answers and calls tools.

It ends when the model calls no more tools, when the client has to run one, or at its limits.
"""

import re
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, Final

from yarrow.protocol.runner.api import AgentAPIException, ModelChunk, ModelMessage, ModelReply, ModelUsage
from yarrow.protocol.runner.proxy import AgentRunAPIProxy, shown_contents
from yarrow.protocol.runner.vocabulary import DECLINED, RESULT_CHARACTERS, VERBATIM
from yarrow.protocol.ui_schema.hints import MEMBER, Card, message_hints
from yarrow_agents.assistant import failure
from yarrow_agents.assistant.conversation import Conversation, size_of, with_latest_pictures
from yarrow_agents.assistant.prompt import Prompts, shortened
from yarrow_agents.assistant.toolbox import AnsweredCall, RequestedCall, Toolbox, refused

Result = tuple[str, dict[str, Any]]
Content = str | tuple[dict[str, Any], ...]

_REASONING: Final = frozenset({"reasoning.delta", "reasoning.completed"})


@dataclass(frozen=True, slots=True)
class Limits:
    """`room` is the bytes of a request, `rounds` the model answers per run.

    One user message gets twice as many answers, over all runs that continue it.
    """

    room: int
    rounds: int


class Worker:
    """Continues one conversation in place.

    After `work`, `waiting` has the calls for the client, `usage` the models' tokens, and `declined` the kind of a
    question that got no reading.
    """

    def __init__(
        self,
        api: AgentRunAPIProxy,
        model: str,
        prompt: str,
        conversation: Conversation,
        toolbox: Toolbox,
        prompts: Prompts,
        limits: Limits,
    ) -> None:
        self.options: dict[str, Any] | None = None
        """The `extra_args` of the model's calls."""
        self.shows_reasoning = False
        self.waiting: list[str] = []
        self.declined: str | None = None
        self.usage = ModelUsage()
        self._api = api
        self._model = model
        self._prompt = prompt
        self._conversation = conversation
        self._toolbox = toolbox
        self._prompts = prompts
        room = limits.room - sum(len(tool.model_dump_json().encode()) for tool in toolbox.offered)
        # The turn's messages and calls are never cut.
        self._room = max(
            room, size_of([message for message in conversation.turn if message.role != "tool"]) + room // 4
        )
        self._rounds = limits.rounds
        self._reply: ModelReply | None = None
        self._verbatim: list[str] = []
        """Texts of tools that the user gets verbatim."""
        self.cards: list[Card] = []
        """Cards of tools that no message has shown yet."""

    async def work(self) -> AsyncGenerator[Result]:
        """Yield the results of the answers and tool calls. Raises AssistantFailedError."""
        has_spoken = False
        earlier = sum(bool(message.tool_calls) for message in self._conversation.turn)
        last = max(1, min(self._rounds, 2 * self._rounds + 1 - earlier))
        for number in range(1, last + 1):
            prompt = self._prompt if number < last else f"{self._prompt}\n\n{self._prompts.last_round}"
            async with aclosing(self._ask(prompt)) as results:
                async for result in results:
                    has_spoken |= result[0] not in _REASONING
                    yield result
            calls = self._take()
            if not calls:
                if not has_spoken:
                    raise failure.no_answer()
                return
            if number == last:
                raise failure.too_many_steps()
            async with aclosing(self._make(calls)) as results:
                async for result in results:
                    yield result
            if self._verbatim:
                for result in self._as_it_stands():
                    yield result
                return
            if self.waiting:
                return

    async def _ask(self, prompt: str) -> AsyncGenerator[Result]:
        """Set `_reply`; if the conversation is too long, retry with less of it."""
        system = ModelMessage(role="system", content=prompt)
        before: list[ModelMessage] = []
        while True:
            fitted = self._conversation.fitted(self._room - size_of([system]), self._prompts.not_shown)
            messages = [system, *fitted.history, *with_latest_pictures(fitted.turn)]
            pieces: list[str] = []
            self._reply = None
            try:
                chunks = self._api.models.stream(self._model, messages, self._toolbox.offered, self.options)
                async with aclosing(chunks):
                    async for chunk in chunks:
                        if self.shows_reasoning and (thought := _reasoning(chunk)):
                            yield thought
                        if chunk.content:
                            pieces.append(chunk.content)
                            yield "message.delta", {"chunk": {"role": "assistant", "content": chunk.content}}
                        self._reply = chunk.reply or self._reply
                break
            except AgentAPIException as error:
                if error.error.code != "payload_too_large" or pieces or messages == before:
                    raise failure.of_model(error.error) from error
                self._room, before = min(self._room, size_of(messages)) // 2, messages
        whole = _text(self._reply) or "".join(pieces)
        note = self._unfinished(whole)
        if note:
            yield "message.delta", {"chunk": {"role": "assistant", "content": note}}
        if whole:
            yield self._message(whole + note)

    def _unfinished(self, whole: str) -> str:
        """Return what to add to an answer that ended early. Raises AssistantFailedError if there is no text."""
        reply = self._reply
        if reply is None or reply.message.tool_calls or reply.finish_reason not in self._prompts.unfinished:
            return ""
        if not whole:
            raise failure.unfinished(reply.finish_reason)
        return f"\n\n{self._prompts.unfinished[reply.finish_reason]}"

    def _take(self) -> list[RequestedCall]:
        """Append the reply and return its calls. Raises AssistantFailedError if there is no reply."""
        reply = self._reply
        if reply is None:
            raise failure.no_answer()
        self.usage = added(self.usage, reply.usage)
        calls = self._toolbox.admit(reply.message.tool_calls)
        tool_calls = tuple(call.as_asked() for call in calls)
        reasoning = reply.message.reasoning
        message = ModelMessage(
            role="assistant", content=_text(reply) or None, tool_calls=tool_calls, reasoning=reasoning
        )
        self._conversation.turn.append(message)
        return calls

    async def _make(self, calls: list[RequestedCall]) -> AsyncGenerator[Result]:
        texts: dict[str, Content] = {call.id: refused(call.refusal) for call in calls if call.refusal is not None}
        made = [call for call in calls if call.refusal is None]
        cards: dict[str, Card] = {}
        verbatim: dict[str, AnsweredCall] = {}
        for call in made:
            named = {"tool_call_id": call.id, "tool_name": call.name, "parameters": call.arguments}
            yield "tool.call.started", named if call is made[-1] else {**named, "more": True}
        async with aclosing(self._toolbox.make([call for call in made if call.kind != "frontend"])) as answers:
            async for answered in answers:
                texts[answered.call.id] = self._content(answered)
                if _verbatim(answered) is not None:
                    verbatim[answered.call.id] = answered
                if answered.card is not None:
                    cards[answered.call.id] = answered.card
                if answered.delta:
                    yield "state.delta", {"delta": list(answered.delta)}
                yield "tool.call.completed", _completed(answered)
        self.cards += [cards[call.id] for call in made if call.id in cards]
        self._take_verbatim([verbatim[call.id] for call in made if call.id in verbatim])
        self._conversation.turn += [
            ModelMessage(role="tool", tool_call_id=call.id, content=texts[call.id])
            for call in calls
            if call.id in texts
        ]
        self.waiting = [call.id for call in made if call.kind == "frontend"]

    def _content(self, answered: AnsweredCall) -> Content:
        """Return a result for the model, its pictures after its words."""
        if not answered.contents:
            return shortened(answered.text(), RESULT_CHARACTERS, self._prompts)
        words = shortened(answered.words(), RESULT_CHARACTERS, self._prompts)
        return ({"type": "text", "text": words}, *answered.pictures)

    def _take_verbatim(self, answers: Sequence[AnsweredCall]) -> None:
        """Keep the verbatim texts; if a question got no reading, only its answer, without cards (CARE-05)."""
        declined = [answer for answer in answers if _declined(answer) is not None]
        if declined:
            self.declined, self.cards = _declined(declined[0]), []
        self._verbatim = [text for answer in declined or answers if (text := _verbatim(answer)) is not None]

    def _as_it_stands(self) -> Iterator[Result]:
        """Yield the verbatim texts without a model, which could change them."""
        whole = "\n\n".join(self._verbatim)
        for piece in re.findall(r".+?(?:\n+|$)", whole, re.DOTALL):
            yield "message.delta", {"chunk": {"role": "assistant", "content": piece}}
        yield self._message(whole)

    def _message(self, whole: str) -> Result:
        """Return a message with the cards since the last one (UIS-04)."""
        hints, self.cards = message_hints(self.cards), []
        output = {} if hints is None else {"output": {MEMBER: hints}}
        return "message.completed", {"message": {"role": "assistant", "content": whole}, **output}


def _reasoning(chunk: ModelChunk) -> Result | None:
    if chunk.reasoned is not None:
        return "reasoning.completed", chunk.reasoned.model_dump()
    return ("reasoning.delta", {"content": chunk.reasoning}) if chunk.reasoning else None


def _verbatim(answered: AnsweredCall) -> str | None:
    """Return a result's verbatim text, if any; results of client tools come with the next run."""
    text = answered.result.get(VERBATIM) if isinstance(answered.result, dict) else None
    return text if isinstance(text, str) and text else None


def _declined(answered: AnsweredCall) -> str | None:
    kind = answered.result.get(DECLINED) if _verbatim(answered) is not None else None
    return kind if isinstance(kind, str) else None


def _completed(answered: AnsweredCall) -> dict[str, Any]:
    named = {"tool_call_id": answered.call.id, "tool_name": answered.call.name}
    if answered.error is not None:
        return {**named, "error": answered.error}
    content = {"content": shown_contents(answered.contents)} if answered.contents else {}
    return {**named, "result": answered.result, **content}


def _text(reply: ModelReply | None) -> str:
    """Return a reply's text, which may come in parts."""
    content = None if reply is None else reply.message.content
    if content is None or isinstance(content, str):
        return content or ""
    return "".join(part["text"] for part in content if part.get("type") == "text")


def added(one: ModelUsage, other: ModelUsage) -> ModelUsage:
    return ModelUsage(
        input_tokens=one.input_tokens + other.input_tokens, output_tokens=one.output_tokens + other.output_tokens
    )
