"""The second stage: the model answers, with calls of tools in between.

It ends when the model asks for no more tools, when the client has to run one, or after MAX_STEPS answers. MAX_ROUNDS
limits the runs that client results lead to, together.
"""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any, Final

from yarrow.protocol.runner.api import AgentAPIException, ModelMessage, ModelReply, ModelUsage
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.protocol.runner.vocabulary import RESULT_CHARACTERS
from yarrow.runners.assistant import failure
from yarrow.runners.assistant.conversation import Conversation, size_of
from yarrow.runners.assistant.prompt import Prompts, shortened
from yarrow.runners.assistant.toolbox import AnsweredCall, RequestedCall, Toolbox, refused

MAX_STEPS: Final = 16
"""Model answers per run."""
MAX_ROUNDS: Final = 32
"""Answers with calls per user message, over all runs that continue it."""

Result = tuple[str, dict[str, Any]]
"""Type and data of a result."""


class Worker:
    """Works on one conversation and appends to it. `room` is the bytes of a request.

    After `work`, `waiting` holds the calls for the client, and `usage` the models' tokens.
    """

    def __init__(
        self,
        api: AgentRunAPIProxy,
        model: str,
        prompt: str,
        conversation: Conversation,
        toolbox: Toolbox,
        prompts: Prompts,
        room: int,
    ) -> None:
        self.waiting: list[str] = []
        self.usage = ModelUsage()
        self._api = api
        self._model = model
        self._prompt = prompt
        self._conversation = conversation
        self._toolbox = toolbox
        self._prompts = prompts
        room -= sum(len(tool.model_dump_json().encode()) for tool in toolbox.offered)
        # Messages and calls of the turn are never cut: the model must hear what tools answer beside long ones.
        self._room = max(room, size_of([each for each in conversation.turn if each.role != "tool"]) + room // 4)
        self._reply: ModelReply | None = None

    async def work(self) -> AsyncGenerator[Result]:
        """Yield the results. Raises AssistantFailedError."""
        has_spoken = False
        rounds = sum(bool(each.tool_calls) for each in self._conversation.turn)
        last = max(1, min(MAX_STEPS, MAX_ROUNDS + 1 - rounds))
        for step in range(1, last + 1):
            prompt = self._prompt if step < last else f"{self._prompt}\n\n{self._prompts.last_step}"
            async with aclosing(self._ask(prompt)) as told:
                async for result in told:
                    has_spoken = True
                    yield result
            calls = self._take()
            if not calls:
                if not has_spoken:
                    raise failure.no_answer()
                return
            if step == last:
                raise failure.too_many_steps()
            async with aclosing(self._make(calls)) as told:
                async for result in told:
                    yield result
            if self.waiting:
                return

    async def _ask(self, prompt: str) -> AsyncGenerator[Result]:
        """Have the model answer into `_reply`; if the conversation is too long, retry with less of it."""
        system = ModelMessage(role="system", content=prompt)
        before: list[ModelMessage] = []
        while True:
            fitted = self._conversation.fitted(self._room - size_of([system]), self._prompts.not_shown)
            messages = [system, *fitted.history, *fitted.turn]
            pieces: list[str] = []
            self._reply = None
            try:
                chunks = self._api.models.stream(self._model, messages, self._toolbox.offered)
                async with aclosing(chunks):
                    async for chunk in chunks:
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
        if whole:
            yield "message.completed", {"message": {"role": "assistant", "content": whole}}

    def _take(self) -> list[RequestedCall]:
        """Take over the reply: the calls it asks for. Raises AssistantFailedError if it was truncated."""
        reply = self._reply
        if reply is None:
            raise failure.no_answer()
        self.usage = added(self.usage, reply.usage)
        calls = self._toolbox.admit(reply.message.tool_calls)
        asked = tuple(call.as_asked() for call in calls)
        said = ModelMessage(role="assistant", content=_text(reply) or None, tool_calls=asked)
        self._conversation.turn.append(said)
        return calls

    async def _make(self, calls: list[RequestedCall]) -> AsyncGenerator[Result]:
        """Make the calls and append the host's results."""
        texts = {call.id: refused(call.refusal) for call in calls if call.refusal is not None}
        made = [call for call in calls if call.refusal is None]
        for call in made:
            named = {"tool_call_id": call.id, "tool_name": call.name, "parameters": call.arguments}
            yield "tool.call.started", named if call is made[-1] else {**named, "more": True}
        async with aclosing(self._toolbox.make([call for call in made if call.kind != "frontend"])) as answers:
            async for answered in answers:
                texts[answered.call.id] = shortened(answered.text(), RESULT_CHARACTERS, self._prompts)
                if answered.delta:
                    yield "state.delta", {"delta": list(answered.delta)}
                yield "tool.call.completed", _completed(answered)
        self._conversation.turn += [
            ModelMessage(role="tool", tool_call_id=call.id, content=texts[call.id])
            for call in calls
            if call.id in texts
        ]
        self.waiting = [call.id for call in made if call.kind == "frontend"]


def _completed(answered: AnsweredCall) -> dict[str, Any]:
    named = {"tool_call_id": answered.call.id, "tool_name": answered.call.name}
    return {**named, "result": answered.result} if answered.error is None else {**named, "error": answered.error}


def _text(reply: ModelReply | None) -> str:
    """The text of a reply, which may come in parts."""
    content = None if reply is None else reply.message.content
    if content is None or isinstance(content, str):
        return content or ""
    return "".join(part["text"] for part in content if part.get("type") == "text")


def added(one: ModelUsage, other: ModelUsage) -> ModelUsage:
    """The sum of both."""
    return ModelUsage(
        input_tokens=one.input_tokens + other.input_tokens, output_tokens=one.output_tokens + other.output_tokens
    )
