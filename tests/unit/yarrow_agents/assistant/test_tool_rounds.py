"""Calls of both kinds in any order, whose results come at once, in part, late or again, over several requests: each is
made once, and the model hears it once, with its answer.

The assistant, the reading of requests and what is recalled are real; the store is a list.
"""

import asyncio
import itertools
import json
import uuid
from collections import Counter
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.effort import examples
from tests.support.runners.assistant import RUN_ID, Host, ask, backend, context, frontend, say
from tests.support.runners.work import RUN, STARTED, Journal
from yarrow.agents.bindings import deployed
from yarrow.agents.policies import ContextWindow
from yarrow.protocol.agui import request as agui_input
from yarrow.protocol.run_input.body import parse_run_input
from yarrow.protocol.runner.api import TranscriptItem
from yarrow.protocol.runner.models import AgentRunContext
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.runs.tool_history import ToolHistory
from yarrow.store.tool_use import PlacedToolUse
from yarrow.worker.context import bootstrap
from yarrow.worker.context.model_history import Extras
from yarrow.worker.orchestrator import Orchestrator
from yarrow_agents.assistant.runner import RUNNER, AssistantRunner

NOW: Final = "2026-11-22T10:00:00+00:00"
WINDOW: Final = ContextWindow(window_mode="number", window_count=20)
PLAN: Final = "plan"
"""The user's message for which the model makes its calls."""


class Model(Host):
    """A model that wants some tools called, and calls whichever of them it does not find in what it is told."""

    def __init__(self, plan: Sequence[str]) -> None:
        super().__init__(say(""), **{name: f"{name} done" for name in plan if name.startswith("s")})
        self.plan = plan
        self.is_asking = False

    async def stream(self, _action: str, arguments: Mapping[str, Any]) -> AsyncGenerator[dict[str, Any]]:
        self.requests.append(dict(arguments))
        messages = arguments["messages"]
        called = {call["function"]["name"] for message in messages for call in message["tool_calls"]}
        request = next(message["content"] for message in reversed(messages) if message["role"] == "user")
        missing = [name for name in self.plan if name not in called] if request == PLAN else []
        self.is_asking = bool(missing)
        for chunk in say(calls=[ask(name) for name in missing]) if missing else say("ok"):
            yield chunk.model_dump(mode="json")


class Session:
    """A session, and the client that has it on its screen. `apart`: it makes a message of each call (CopilotKit)."""

    def __init__(self, plan: Sequence[str], *, apart: bool) -> None:
        self.model = Model(plan)
        self.made: Counter[str] = Counter()
        self.results: dict[str, str] = {}
        """What the client has sent for each of its tools."""
        self.screen: list[dict[str, Any]] = []
        self._ids: dict[str, str] = {}
        self._apart = apart
        self._tools = [text for text in plan if text.startswith("c")]
        self._said: list[TranscriptItem] = []
        self._turns: list[PlacedToolUse] = []
        self._state: dict[str, Any] = {}

    def say(self, text: str) -> None:
        self.screen.append({"id": str(uuid.uuid4()), "role": "user", "content": text})
        self.send()

    def answer(self, *names: str, at_end: bool = False) -> None:
        """These tools of the client have answered: right behind their calls, or at the end of the list."""
        for name in names:
            self.results.setdefault(name, f"{name} chosen")
            call = self._ids[name]
            message = {"id": f"r-{call}", "role": "tool", "toolCallId": call, "content": self.results[name]}
            if message in self.screen:
                continue
            asking = next(
                place
                for place, item in enumerate(self.screen)
                if any(made["id"] == call for made in item.get("toolCalls", ()))
            )
            self.screen.insert(len(self.screen) if at_end else asking + 1, message)
        self.send()

    def send(self) -> None:
        """Send all that is on the screen, and take what the run tells."""
        body = {
            "threadId": "t",
            "runId": "r",
            "messages": self.screen,
            "tools": [{"name": name, "description": ""} for name in self._tools],
        }
        read = agui_input.read(json.dumps(body).encode(), (), lambda *_: None, lambda *_: None)
        run_input = parse_run_input({**read.body, "threadId": str(uuid.uuid4())})
        assert run_input.user_message is not None
        data = deployed()["assistant"].rules.data(run_input)
        question = run_input.user_message
        if all(item.item_id != question.id for item in self._said):
            self._keep(question.id, "user", question.text())
        self._run(self._context(question.id, question.text(), data))
        check(self)

    def _context(self, question: str, text: str, data: dict[str, Any]) -> AgentRunContext:
        own = max(item.seq for item in self._said if item.item_id == question)
        items = [item for item in self._said if item.seq != own]
        brought = ToolHistory(data.get("tool_results", ())).tool_use()
        latest = [] if brought is None else [PlacedToolUse(len(self._said), brought)]
        beside = Extras([*self._turns, *latest], input_seq=own)
        inlined, _ = bootstrap.inline(
            RUNNER.manifest.context, WINDOW, bootstrap.BootstrapHistory(items, len(items), NOW, extras=beside)
        )
        tools = [backend(text) if text.startswith("s") else frontend(text) for text in self.model.plan]
        return context(text, *tools, data=data, state=self._state, bootstrap=inlined, message_id=question)

    def _run(self, value: AgentRunContext) -> None:
        journal = Journal(STARTED, None)
        orchestrator = Orchestrator(RUN, ("router", "worker"), journal)
        # The ids of calls are made of the run's: the API has another one each time.
        outcome = asyncio.run(orchestrator.run(AssistantRunner(), value, api(str(uuid.uuid4()), self.model)))
        after = len(self._said)
        for message in outcome.messages:
            self._keep(message.message_id, "assistant", message.content)
        if outcome.tool_calls is not None:
            self._turns.append(PlacedToolUse(after, outcome.tool_calls))
        self._state |= outcome.state.get("conversation", {})
        self._show([json.loads(line) for line in journal.lines])

    def _keep(self, item_id: str, role: Any, content: str) -> None:
        seq = len(self._said) + 1
        self._said.append(
            TranscriptItem(item_id=item_id, seq=seq, cursor=str(seq), role=role, content=content, created_at=NOW)
        )

    def _show(self, events: list[dict[str, Any]]) -> None:
        """Take a run's events as a client does."""
        by_id: dict[str, dict[str, Any]] = {}
        for event in events:
            match event["type"]:
                case "TEXT_MESSAGE_CONTENT":
                    message = by_id.setdefault(
                        event["messageId"], {"id": event["messageId"], "role": "assistant", "content": ""}
                    )
                    message["content"] += event["delta"]
                case "TOOL_CALL_START":
                    name, call = event["toolCallName"], event["toolCallId"]
                    self.made[name] += 1
                    self._ids[name] = call
                    parent = call if self._apart else event.get("parentMessageId", call)
                    message = by_id.setdefault(parent, {"id": parent, "role": "assistant", "toolCalls": []})
                    function = {"name": name, "arguments": "{}"}
                    message["toolCalls"].append({"id": call, "type": "function", "function": function})
                case "TOOL_CALL_RESULT":
                    by_id[event["messageId"]] = {
                        "id": event["messageId"],
                        "role": "tool",
                        "toolCallId": event["toolCallId"],
                        "content": event["content"],
                    }
        if self._apart:  # each result right behind its call
            order = {call: place for place, call in enumerate(self._ids.values())}
            place = {member["id"]: (order.get(member["id"], 99), 0) for member in by_id.values()}
            place |= {
                message["id"]: (order[message["toolCallId"]], 1)
                for message in by_id.values()
                if message["role"] == "tool"
            }
            self.screen += sorted(by_id.values(), key=lambda item: place[item["id"]])
        else:
            self.screen += by_id.values()


def api(run_id: str, model: Model) -> AgentRunAPIProxy:
    """The host's API for a run of this id."""

    class Renamed:
        async def call(self, action: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
            return await model.call(action, {**arguments, "run_id": RUN_ID})

        async def stream(self, action: str, arguments: Mapping[str, Any]) -> AsyncGenerator[dict[str, Any]]:
            async for chunk in model.stream(action, {**arguments, "run_id": RUN_ID}):
                yield chunk

    return AgentRunAPIProxy(run_id, Renamed())


def check(session: Session) -> None:
    """Hold every request so far to what providers take, and the last one to what is known by now."""
    for request in session.model.requests:
        valid(request["messages"])
    assert set(session.made.values()) == {1}, f"made again: {session.made}"
    assert len(session.model.calls) == sum(name.startswith("s") for name in session.model.plan)
    if session.model.is_asking:  # and waits for the client
        return
    heard = answers(session.model.requests[-1]["messages"])
    for name in session.model.plan:
        wanted = f"{name} done" if name.startswith("s") else session.results.get(name)
        if wanted is not None:
            assert heard.get(name) == [wanted], f"{name} in {heard}"
        else:
            assert len(heard.get(name, [])) <= 1


def valid(messages: Sequence[Mapping[str, Any]]) -> None:
    """Every call is followed by its one result before anything else is said."""
    waiting: set[str] = set()
    seen: set[str] = set()
    for message in messages:
        if message["role"] == "tool":
            waiting.remove(message["tool_call_id"])
            continue
        assert not waiting, f"no result of {waiting}"
        waiting = {call["id"] for call in message["tool_calls"]}
        assert not waiting & seen, "a call twice"
        seen |= waiting
    assert not waiting, f"no result of {waiting}"


def answers(messages: Sequence[Mapping[str, Any]]) -> dict[str, list[str]]:
    names = {call["id"]: call["function"]["name"] for message in messages for call in message["tool_calls"]}
    found: dict[str, list[str]] = {}
    for message in messages:
        if message["role"] == "tool":
            found.setdefault(names[message["tool_call_id"]], []).append(message["content"])
    return found


def plans() -> Iterator[tuple[str, ...]]:
    """Yield every order of up to four calls of both kinds."""
    for length in range(1, 5):
        for kinds in itertools.product("cs", repeat=length):
            yield tuple(f"{kind}{number}" for number, kind in enumerate(kinds))


@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize("at_once", [True, False])
def test_calls_in_every_order_are_made_once_and_heard_once(at_once: bool, apart: bool) -> None:
    """EVT-20 … EVT-22, MSG-08: whether the client sends its results together, or one after another."""
    for plan in plans():
        session = Session(plan, apart=apart)
        session.say(PLAN)
        mine = [name for name in plan if name.startswith("c")]
        for batch in [mine] if at_once else [[name] for name in reversed(mine)]:
            if batch:
                session.answer(*batch)
        session.say("and now?")
        session.say("thanks")


@given(st.sampled_from([plan for plan in plans() if any(name[0] == "c" for name in plan)]), st.booleans(), st.data())
@settings(max_examples=examples(60), deadline=None)
def test_results_that_are_partial_late_or_repeated_are_heard_once(
    plan: tuple[str, ...], apart: bool, data: st.DataObject
) -> None:
    """EVT-21, MSG-08, CMP-11: They come in any order, with other questions between them, or are sent again."""
    session = Session(plan, apart=apart)
    session.say(PLAN)
    mine = [name for name in plan if name.startswith("c")]
    late = False
    for _ in range(data.draw(st.integers(1, 5), "requests")):
        match data.draw(st.sampled_from(["answer", "answer", "again", "ask"]), "move"):
            case "answer":
                some = data.draw(st.lists(st.sampled_from(mine), min_size=1, unique=True), "answered")
                session.answer(*some, at_end=late)
            case "again" if session.results:
                session.send()
            case "again":
                continue  # without any result, it asks for another answer
            case _:
                session.say("another question")
                late = True
