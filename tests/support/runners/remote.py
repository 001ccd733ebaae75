"""What the tests' remote runner does, by the text of the run's input; and how a test and it wait for each other."""

import asyncio
import threading
from collections.abc import AsyncGenerator
from functools import partial
from queue import Queue
from typing import Any

from yarrow.protocol.runner.api import AgentAPIException
from yarrow.protocol.runner.manifest import AgentRunnerManifest
from yarrow.protocol.runner.models import AgentRunContext, AgentRunResult, InstalledRunner
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.sdk import serve, trace_parent
from yarrow.web.lambda_bytes import StreamingBytes

MANIFEST = AgentRunnerManifest(
    id="plugin:tests/scripted/default",
    name="default",
    label={"en_US": "Scripted"},
    metadata={"workspace": {"events": ["workspace.option"]}},
)
PATIENCE_SECONDS = 60

released = threading.Event()
"""Set by a test when the runner may go on."""
yielded: Queue[Any] = Queue()
"""What the runner tells the test aside from its results."""
SLEEP_SECONDS = 3_600
worked: list[int] = []
"""The pieces of work that it did."""


class Scripted:
    async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[Any]:
        def say(text: str) -> AgentRunResult:
            chunk = {"role": "assistant", "content": text}
            return AgentRunResult(run_id=context.run_id, type="message.delta", data={"chunk": chunk})

        match context.input.text:
            case "stream":
                yield say("first")
                await asyncio.to_thread(released.wait, PATIENCE_SECONDS)
                yield say("last")
            case "wait":
                yielded.put(api.transport)
                try:
                    yield say("first")
                    await asyncio.Event().wait()
                finally:
                    yielded.put("cancelled")
            case "call":
                await api.state.set("conversation", "seen", {"times": 1})
                yield say(str((await api.state.get("conversation", "seen"))["times"]))
                yield say((await api.tools.call("get_current_time", {"time_zone": "UTC"}))["time_zone"])
                chunks = [event async for event in api.models.stream("chat", [{"role": "user", "content": "hello"}])]
                assert chunks[-1].reply is not None
                yield say("streamed" if len(chunks) > 1 else "in one piece")
                awaited = await api.models.stream("chat", [{"role": "user", "content": "hello"}])
                assert [chunk async for chunk in awaited] == chunks
            case "workspace":
                chosen = {"id": context.event.data["optionId"], "label": context.event.event_type}
                question = {"id": "q", "text": "Which?", "options": [chosen], "selectedOptionId": chosen["id"]}
                yield AgentRunResult(
                    run_id=context.run_id, type="workspace.prompt", data={"text": "", "questions": [question]}
                )
                yield AgentRunResult(run_id=context.run_id, type="workspace.message", data={"content": "recorded"})
            case "card":
                event = {"title": "站会", "starts_at": "2026-03-17T09:00:00", "event_timezone": "UTC"}
                _, card = await api.tools.call_with_card("calendar_write", event)
                yield AgentRunResult(
                    run_id=context.run_id,
                    type="message.completed",
                    data={
                        "message": {"role": "assistant", "content": "done"},
                        "output": {"ui_hints": {"cards": [card]}},
                    },
                )
            case "sleep" | "work" | "approve" | "trace" as texts:
                async for text in _texts(texts, api):
                    yield say(text)
            case "garbage":
                yield say("first")
                yield None
            case "forbidden":
                for refused in (
                    api.tools.call("another", {}),
                    api.state.get("actor", "seen"),
                    AgentRunAPIProxy("another-run", api.transport).state.get("conversation", "seen"),
                    api.transport.call("no.such", {"run_id": context.run_id}),
                ):
                    try:
                        await refused
                    except AgentAPIException as error:
                        yield say(error.error.code)
                try:
                    async for _ in api.models.stream("unseen", [{"role": "user", "content": "hello"}]):
                        pass
                except AgentAPIException as error:
                    yield say(error.error.code)
        yield AgentRunResult(run_id=context.run_id, type="run.completed")


async def _texts(what: str, api: AgentRunAPIProxy) -> AsyncGenerator[str]:
    """Yield what runs say that do one thing, most of them in several turns."""
    if what == "trace":
        yield str(trace_parent())
    elif what == "sleep":
        yield "first"
        await api.sleep(seconds=SLEEP_SECONDS)
        yield "last"
    elif what == "approve":
        same = {"to": "landlord", "amount": 900}
        rent, again, name = await asyncio.gather(
            api.tools.call("transfer", same), api.tools.call("transfer", same), api.ask("What name?", "text")
        )
        yield f"{rent.get('transferred')} {again.get('transferred')} {name.value}"
    else:
        for number in range(6):
            yield str(await api.step("work", partial(_work, number)))


async def _work(number: int) -> int:
    worked.append(number)
    await asyncio.sleep(0.1)
    return number


def _unmakable() -> Scripted:
    raise ValueError("secret")


UNMAKABLE = MANIFEST.model_copy(update={"id": "plugin:tests/unmakable/default"})

scripted = serve(InstalledRunner(MANIFEST, Scripted), InstalledRunner(UNMAKABLE, _unmakable))


async def _break(event: dict[str, Any]) -> AsyncGenerator[bytes]:
    yield b'{"run_id": "%s", "type": "message.delta"}\n{"run' % event["context"]["run_id"].encode()
    raise MemoryError("the sandbox is gone")


breaking = StreamingBytes(_break, "application/x-ndjson")
"""A function whose process dies in the middle of a line."""
