"""An agent that plays a scene for each thing a user may say: the four of `agui-http-agent.md`, and what they leave out.

A scene is the results of a run, and of the next one, which brings what the client's tools answered.
"""

import asyncio
import json
from collections.abc import AsyncGenerator
from typing import Any, Final

from yarrow.protocol.runner.manifest import AgentRunnerCapabilities, AgentRunnerContextPolicy, AgentRunnerManifest
from yarrow.protocol.runner.models import AgentRunContext, AgentRunResult, InstalledRunner
from yarrow.protocol.runner.proxy import AgentRunAPIProxy

Result = tuple[str, dict[str, Any]]


def piece(text: str, *, is_final: bool = False) -> Result:
    """A piece of a message, the last one if it is final."""
    return "message.delta", {"chunk": {"role": "assistant", "content": text, "is_final": is_final}}


def message(text: str) -> Result:
    """Return a whole message."""
    return piece(text, is_final=True)


def calls(call: str, tool: str, **arguments: Any) -> Result:
    """A tool is called."""
    return "tool.call.started", {"tool_call_id": call, "tool_name": tool, "parameters": arguments}


def answered(call: str, tool: str, result: str) -> Result:
    """And has answered."""
    return "tool.call.completed", {"tool_call_id": call, "tool_name": tool, "result": result}


FOREVER: Final[Result] = ("", {})


def pause(seconds: float) -> Result:
    """Yield nothing for so long."""
    return "", {"seconds": seconds}


SCENES: Final[dict[str, tuple[Result, ...]]] = {
    "你好": (piece("你好"), message("!有什么可以帮你的吗?")),
    "帮我搜索本地的报告文件": (calls("call_002", "search_local_files", keyword="报告"),),
    "北京天气怎么样?": (
        message("让我查一下"),
        calls("call_001", "get_weather", city="北京"),
        answered("call_001", "get_weather", "晴天,25°C"),
        message("北京今天晴天,25°C。"),
    ),
    "删除所有临时文件": (
        message("即将删除 15 个临时文件"),
        calls("call_003", "confirmAction", action="删除临时文件", count=15),
    ),
    "two at once": (
        piece("Both "),
        calls("call_004", "get_weather", city="北京"),
        piece("at "),
        calls("call_005", "get_weather", city="上海"),
        piece("once."),
        answered("call_005", "get_weather", "雨"),
        answered("call_004", "get_weather", "晴"),
        message("晴 and 雨."),
    ),
    "fail": (
        piece("I will"),
        ("run.failed", {"code": "acme.broken", "message": "the agent cannot go on", "retryable": False}),
    ),
    "think": (
        ("reasoning.delta", {"content": "Hm, "}),
        ("reasoning.delta", {"content": "well"}),
        ("reasoning.completed", {"content": "Hm, well", "encrypted_value": "yarrow1.sealed"}),
        calls("call_006", "get_weather", city="北京"),
        answered("call_006", "get_weather", "晴"),
        ("reasoning.completed", {"content": "", "encrypted_value": "yarrow1.hidden"}),
        message("Yes."),
    ),
    "wait": (piece("Waiting"), FOREVER),
    "slowly": (*(part for number in range(60) for part in (piece(f"{number} "), pause(0.05))), message("done")),
}

CONTINUED: Final[dict[str, tuple[Result, ...]]] = {
    "帮我搜索本地的报告文件": (message("找到了 2 个文件:2024年度报告.pdf 和 Q3报告.docx"),),
    "删除所有临时文件": (message("已删除 15 个临时文件。"),),
}


async def dictated(port: str, name: str) -> AsyncGenerator[Result]:
    """A piece for each line that somebody on this machine says, who is told the name first."""
    lines, writer = await asyncio.open_connection("127.0.0.1", int(port))
    try:
        writer.write(f"{name}\n".encode())
        async for line in lines:
            yield piece(line.decode().rstrip("\n"))
    finally:
        writer.close()


def recalled(context: AgentRunContext) -> Result:
    """The reasoning that the client sent with earlier messages."""
    outputs = () if context.bootstrap is None else context.bootstrap.messages
    return message(
        " ".join(f"{item.content}({item.encrypted_value})" for message in outputs for item in message.reasoning)
    )


async def asked(api: AgentRunAPIProxy) -> AsyncGenerator[Result]:
    """A tool, a question about it, and what the user answered."""
    yield calls("call_007", "send_mail", to="alice")
    yield message("One moment.")
    answer = await api.ask("Shall I send it?")
    yield answered("call_007", "send_mail", "sent" if answer.is_yes else "not sent")
    yield message(f"The user has {answer.status}.")


FORM: Final = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "title": "Name", "minLength": 2, "description": "As it is in the passport."},
        "seats": {"type": "integer", "title": "Seats", "minimum": 1, "maximum": 9, "default": 2},
        "day": {"type": "string", "title": "Day", "format": "date"},
        "class": {"title": "Class", "enum": ["economy", "business"]},
        "meals": {"title": "Meals", "type": "array", "items": {"enum": ["breakfast", "lunch", "dinner"]}},
        "insured": {"type": "boolean", "title": "With insurance"},
    },
    "required": ["name", "seats", "class"],
}
"""A form with a field of each kind."""


async def questions(text: str, api: AgentRunAPIProxy) -> AsyncGenerator[Result]:
    """Ask what the words name, and say what was answered."""
    yield message("Let me see.")
    match text:
        case "ask for a choice":
            left = {"value": "left", "label": "The left one", "description": "It is shorter, and steep."}
            answer = await api.ask("Which way?", "choice", options=[left, {"value": "right", "label": "The right one"}])
        case "ask for a text":
            answer = await api.ask("What shall I write to Alice?", "text")
        case "ask for a form":
            answer = await api.ask("Who travels?", "form", response_schema=FORM)
        case "ask briefly":
            answer = await api.ask("Shall I, at once?", expires_in=10)
        case "ask twice":
            first, second = await asyncio.gather(api.ask("Shall I begin?"), api.ask("And end it?"))
            answer = second if first.is_yes else first
        case "ask about a call":
            yield calls("call_008", "send_mail", to="alice")
            answer = await api.ask("Shall I send this mail?", tool_call_id="call_008")
            yield answered("call_008", "send_mail", "sent" if answer.is_yes else "not sent")
        case "ask in turn":
            await api.ask("The first?")
            answer = await api.ask("The second?")
        case _:
            answer = await api.ask("Shall I delete 15 files?")
    yield message(f"{answer.status}: {json.dumps(answer.value, ensure_ascii=False)}")


async def scene(text: str, *, continued: bool) -> AsyncGenerator[Result]:
    """Yield the one that a user's words name."""
    if text.startswith("dictated "):
        _, port, name = text.split()
        async for item in dictated(port, name):
            yield item
        return
    for item in (CONTINUED if continued else SCENES)[text]:
        yield item


class Scenes:
    """Plays the scene that the user's words name."""

    async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        """Yield the results of the scene."""
        if context.input.text == "ask me":
            async for type_, data in asked(api):
                yield AgentRunResult(run_id=context.run_id, type=type_, data=data)
            return
        if (context.input.text or "").startswith("ask "):
            async for type_, data in questions(context.input.text or "", api):
                yield AgentRunResult(run_id=context.run_id, type=type_, data=data)
            return
        continued = bool(context.event.data.get("tool_results"))
        if context.input.text == "what did you think?":
            type_, data = recalled(context)
            yield AgentRunResult(run_id=context.run_id, type=type_, data=data)
            return
        async for type_, data in scene(context.input.text or "", continued=continued):
            if not type_:
                if data == FOREVER[1]:
                    await asyncio.Event().wait()
                await asyncio.sleep(data["seconds"])
                continue
            yield AgentRunResult(run_id=context.run_id, type=type_, data=data)


RUNNER = InstalledRunner(
    AgentRunnerManifest(
        id="plugin:tests/scenes/default",
        name="default",
        label={"en_US": "Scenes"},
        capabilities=AgentRunnerCapabilities(streaming=True, tool_calling=True),
        context=AgentRunnerContextPolicy(bootstrap="recent_tail", max_inline_events=20, max_inline_bytes=100_000),
        metadata={"tool_messages": True, "message_members": True},
    ),
    Scenes,
)


class Attentive:
    """Takes what its user adds to a run, at each line that somebody on this machine says; other words it repeats."""

    async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        """Yield at each step the line and what was added before it."""
        text = context.input.text or ""
        if not text.startswith("dictated "):
            type_, data = message(f"you said {text}")
            yield AgentRunResult(run_id=context.run_id, type=type_, data=data)
            return
        _, port, name = text.split()
        async for _, step in dictated(port, name):
            added = ", ".join(message.content for message in await api.steering.pull())
            type_, data = message(f"{step['chunk']['content']}: {added or 'nothing'}")
            yield AgentRunResult(run_id=context.run_id, type=type_, data=data)


ATTENTIVE = InstalledRunner(
    AgentRunnerManifest(
        id="plugin:tests/attentive/default",
        name="default",
        label={"en_US": "Attentive"},
        capabilities=AgentRunnerCapabilities(streaming=True, steering=True),
        context=AgentRunnerContextPolicy(bootstrap="recent_tail", max_inline_events=20, max_inline_bytes=100_000),
    ),
    Attentive,
)
