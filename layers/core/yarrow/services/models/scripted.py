"""A scripted model for deployments without a model; its answers say that they are scripted.

`/call tool {"argument": 1}` in the user's message, one a line, calls tools in one step; the default arguments are the
smallest valid ones. So do a few requests in plain words (`scripted_requests`). With a shared state (C46), `/call
update_state {"changes": {"count": 2}}` changes it. Tool results are quoted; a `response_schema` gets its smallest
instance. Deterministic.
"""

import json
import re
from collections.abc import AsyncGenerator, Iterable, Mapping
from typing import Any, Final, NamedTuple

from yarrow.protocol.runner.api import (
    AgentAPIException,
    FunctionCall,
    ModelChunk,
    ModelMessage,
    ModelReply,
    ModelTool,
    ModelToolCall,
)
from yarrow.services.models.call import ChatMessage, ModelCall, StreamLimits
from yarrow.services.models.schema_instance import NoInstanceError, smallest

_QUOTED = 300
"""The most characters quoted from a message or result."""

_COMMAND: Final = re.compile(r"^[ \t]*/call[ \t]+(\S+)[ \t]*(.*)$", re.MULTILINE)
_CHINESE: Final = re.compile(r"[㐀-鿿]")
_TRADITIONAL: Final = re.compile("[們這說請問為時會開關來對過還學經點麼樣應該題換職業記憶歡嗎現們麗龍車東]")
"""Frequent characters that simplified Chinese does not have."""
_PIECE: Final = re.compile(r"[\x21-\x7e]+\s*|[^\x21-\x7e]{1,4}")
"""A word, or a few Chinese characters."""


class _Phrases(NamedTuple):
    script: str
    quote: str
    pictures: str
    tools: str
    hint: str
    no_tool: str
    bad_arguments: str
    result: str


_ENGLISH: Final = _Phrases(
    script="No language model is configured for “{model}”, so this is a script answering.",
    quote="You said: “{text}”",
    pictures="Pictures in the conversation: {count}.",
    tools="These tools are at hand: {tools}.",
    hint="A line like “/call {tool} {arguments}” calls one.",
    no_tool="There is no tool “{tool}” here.",
    bad_arguments="The arguments of “{tool}” have to be a JSON object.",
    result="“{tool}” answered: {text}",
)
_CHINESE_PHRASES: Final = _Phrases(
    script="“{model}”没有配置语言模型，这是脚本的回答。",
    quote="你说：“{text}”",
    pictures="对话中有 {count} 张图片。",
    tools="可用的工具：{tools}。",
    hint="写一行“/call {tool} {arguments}”即可调用。",
    no_tool="这里没有工具“{tool}”。",
    bad_arguments="“{tool}”的参数须是 JSON 对象。",
    result="“{tool}”的结果：{text}",
)

_TRADITIONAL_PHRASES: Final = _Phrases(
    script="“{model}”沒有設定語言模型，這是腳本的回答。",
    quote="你說：“{text}”",
    pictures="對話中有 {count} 張圖片。",
    tools="可用的工具：{tools}。",
    hint="寫一行“/call {tool} {arguments}”即可呼叫。",
    no_tool="這裡沒有工具“{tool}”。",
    bad_arguments="“{tool}”的引數須是 JSON 物件。",
    result="“{tool}”的結果：{text}",
)


class ScriptedModel:
    """A ModelClient (RNR-52) for the logical id `name`."""

    def __init__(self, name: str) -> None:
        self._name = name

    async def invoke(self, call: ModelCall, _seconds: float, /) -> ModelReply:
        """Answer by the script. Raises `invalid_argument` if `response_schema` has no known instance."""
        text, calls = self._answer(call)
        message = ModelMessage(role="assistant", content=text or None, tool_calls=tuple(calls))
        return ModelReply(message=message, scripted=True)

    async def stream(self, call: ModelCall, limits: StreamLimits, /) -> AsyncGenerator[ModelChunk]:
        reply = await self.invoke(call, limits.whole)
        for piece in _PIECE.findall(str(reply.message.content or "")):
            yield ModelChunk(content=piece, scripted=True)
        yield ModelChunk(reply=reply)

    def _answer(self, call: ModelCall) -> tuple[str, list[ModelToolCall]]:
        text = next((message.text for message in reversed(call.messages) if message.role == "user"), "")
        phrases = _phrases(text)
        lines = [phrases.script.format(model=self._name)]
        results = _results(call)
        if not results:
            calls, complaints = _commands(text, call, phrases)
            calls = calls or _requests(text, call)
            if calls:
                return "", calls
            if call.options.response_schema is None and (reply := _reply(text)) is not None:
                return reply, []
            lines += complaints or [phrases.quote.format(text=_clipped(text))]
        if call.options.response_schema is not None:
            return _json(_instance(call.options.response_schema)), []
        lines += [phrases.result.format(tool=message.tool_name, text=_clipped(message.text)) for message in results]
        if pictures := sum(not isinstance(part, str) for message in call.messages for part in message.content):
            lines.append(phrases.pictures.format(count=pictures))
        if call.tools and not results:
            lines.append(phrases.tools.format(tools=", ".join(tool.name for tool in call.tools)))
            if hinted := _smallest_call(call.tools):
                lines.append(phrases.hint.format(tool=hinted[0], arguments=hinted[1]))
        return "\n".join(lines), []


def _phrases(text: str) -> _Phrases:
    if not _CHINESE.search(text):
        return _ENGLISH
    return _TRADITIONAL_PHRASES if _TRADITIONAL.search(text) else _CHINESE_PHRASES


def _reply(text: str) -> str | None:
    """Return the first stand-in answer of a package, if any."""
    from yarrow.packages.stand_ins import stand_ins  # not at a function's start

    locale = "zh-Hant" if _TRADITIONAL.search(text) else "zh-CN" if _CHINESE.search(text) else "en"
    replies = (stand_in.reply(text, locale) for stand_in in stand_ins())
    return next((reply for reply in replies if reply is not None), None)


def _requests(text: str, call: ModelCall) -> list[ModelToolCall]:
    from yarrow.services.models.scripted_requests import requested  # not at a function's start

    made = sum(len(message.tool_calls) for message in call.messages)
    return [
        ModelToolCall(id=f"call_{made + number}", function=FunctionCall(name=name, arguments=_json(arguments)))
        for number, (name, arguments) in enumerate(requested(text, {tool.name for tool in call.tools}), 1)
    ]


def _results(call: ModelCall) -> list[ChatMessage]:
    others = (index for index, message in enumerate(reversed(call.messages)) if message.role != "tool")
    return list(call.messages[len(call.messages) - next(others, len(call.messages)) :])


def _commands(text: str, call: ModelCall, phrases: _Phrases) -> tuple[list[ModelToolCall], list[str]]:
    """Return the calls a message asks for, and error texts for invalid ones."""
    tools = {tool.name: tool for tool in call.tools}
    made = sum(len(message.tool_calls) for message in call.messages)
    calls: list[ModelToolCall] = []
    complaints = []
    for name, raw in _COMMAND.findall(text):
        if name not in tools:
            complaints.append(phrases.no_tool.format(tool=name))
            continue
        arguments = _arguments(raw.strip(), tools[name].parameters)
        if arguments is None:
            complaints.append(phrases.bad_arguments.format(tool=name))
            continue
        function = FunctionCall(name=name, arguments=_json(arguments))
        calls.append(ModelToolCall(id=f"call_{made + len(calls) + 1}", function=function))
    return calls, complaints


def _arguments(raw: str, parameters: Mapping[str, Any]) -> dict[str, Any] | None:
    try:
        arguments = json.loads(raw) if raw else smallest(parameters or {"type": "object"})
    except (ValueError, NoInstanceError):
        return None
    return arguments if isinstance(arguments, dict) else None


def _smallest_call(tools: Iterable[ModelTool]) -> tuple[str, str] | None:
    """Return the tool with the shortest valid arguments, and these, if any."""
    found = ((tool.name, _arguments("", tool.parameters)) for tool in tools)
    written = [(name, _json(arguments)) for name, arguments in found if arguments is not None]
    return min(written, key=lambda call: len(call[1]), default=None)


def _instance(schema: Mapping[str, Any]) -> Any:
    try:
        return smallest(schema)
    except NoInstanceError:
        raise AgentAPIException(
            "invalid_argument", "No model is configured, and the script finds no instance of the response_schema."
        ) from None


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _clipped(text: str) -> str:
    return text if len(text) <= _QUOTED else f"{text[:_QUOTED]}…"
