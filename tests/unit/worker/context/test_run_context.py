"""What a runner is given for one run: the event, what it may use, and as much of the past as was asked for."""

import json
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.run_bodies import CAST, CLIENT_TIME, PICTURE, THREAD, body, parsed, props, user
from yarrow.agents import bindings
from yarrow.agents.permissions import RunScope, grant
from yarrow.agents.policies import ContextWindow, RuntimeConfig
from yarrow.agents.system_agents import SystemAgent
from yarrow.protocol.runner.api import ToolDetail, TranscriptItem
from yarrow.protocol.runner.manifest import (
    AgentRunnerCapabilities,
    AgentRunnerContextPolicy,
    AgentRunnerManifest,
    AgentRunnerPermissions,
    DynamicFormItem,
)
from yarrow.protocol.runner.models import (
    ActorContext,
    AgentEventContext,
    AgentInput,
    AgentRunContext,
    AgentTrigger,
    ArtifactRef,
    ConversationContext,
    SubjectContext,
)
from yarrow.protocol.runner.vocabulary import StateScope
from yarrow.runs.run_event import event_of
from yarrow.store.runs import Run
from yarrow.store.transcript import TranscriptEnd
from yarrow.worker.context.bootstrap import BootstrapHistory, inline, items_wanted
from yarrow.worker.context.entry import Entry, entry_of
from yarrow.worker.context.run_context import run_context
from yarrow_agents.divination.runner import RUNNER

CREATED_AT = "2026-04-03T20:30:00.250+08:00"
EPOCH = 1_775_219_400
RUN = Run(
    key="key",
    user_id="user",
    thread_id=THREAD,
    run_id="run-001",
    agent="echo",
    runtime_mode="chat",
    fingerprint="",
    made_session=True,
    created_at=CREATED_AT,
    locale="en-GB",
    zoneinfo="Europe/London",
)
SCOPE = RunScope(
    run_key="key",
    user_id="user",
    thread_id=THREAD,
    event_id="msg-001",
    deadline_at=EPOCH + 300.0,
    enabled_tools=frozenset({"read"}),
)
TOOLS = {"read": ToolDetail(tool_name="read", description="reads", parameters={"type": "object"})}
WINDOW = ContextWindow(window_mode="number", window_count=1_000)
TAIL = AgentRunnerContextPolicy(bootstrap="recent_tail", max_inline_events=3, max_inline_bytes=10_000)
STATE: dict[StateScope, dict[str, Any]] = {scope: {"key": scope} for scope in get_args(StateScope)}
PICTURE_REF = ArtifactRef(artifact_id="art-1", artifact_type="image", mime_type="image/png")


def policy(**members: Any) -> SystemAgent:
    return SystemAgent.model_validate({"runner": "plugin:acme/echo/default", "modes": {"chat": {}}, **members})


def manifest(**members: Any) -> AgentRunnerManifest:
    return AgentRunnerManifest(id="plugin:acme/echo/default", name="default", label={"en_US": "Echo"}, **members)


def entry(run: Run = RUN, attachments: tuple[ArtifactRef, ...] = (), **members: Any) -> Entry:
    sent = (
        body(forwardedProps={"runtime_mode": "chat"}, **members) if "forwardedProps" not in members else body(**members)
    )
    return entry_of(run, parsed(sent), {}, attachments)


def items(count: int, content: str = "…") -> tuple[TranscriptItem, ...]:
    """Return the messages of user and assistant in turn, an hour between them, the last an hour before the event."""
    event = datetime.fromisoformat(CREATED_AT)
    return tuple(
        TranscriptItem(
            item_id=f"item-{index}",
            seq=index + 1,
            cursor=f"c{index}",
            role="user" if index % 2 == 0 else "assistant",
            content=f"{index}{content}",
            created_at=(event - timedelta(hours=count - index)).astimezone(UTC).isoformat(),
        )
        for index in range(count)
    )


def past(count: int = 0, read: int | None = None, **members: Any) -> BootstrapHistory:
    """A conversation of so many messages, of which the latest were read."""
    every = items(count)
    return BootstrapHistory(
        items=every if read is None else every[max(0, count - read) :], count=count, at=CREATED_AT, **members
    )


def context(
    given_entry: Entry | None = None,
    declared: AgentRunnerManifest | None = None,
    allowed: SystemAgent | None = None,
    config: RuntimeConfig | None = None,
    before: BootstrapHistory | None = None,
    scope: RunScope = SCOPE,
) -> AgentRunContext:
    declared, allowed = declared or manifest(), allowed or policy()
    return run_context(
        given_entry or entry(),
        grant(declared, "echo-binding", allowed, scope, TOOLS.get),
        declared,
        allowed,
        config or RuntimeConfig(),
        TranscriptEnd(latest_cursor="opaque", transcript_seq=5),
        before or past(),
        STATE,
    )


# ---- The event -------------------------------------------------------------------------------------------------------
def test_a_message_of_a_user_is_the_event() -> None:
    """RNR-14, RNR-15, RNR-16, RNR-17, RNR-18, RNR-85, C20."""
    made = context()
    assert made.run_id == "key"
    assert made.trigger == AgentTrigger(type="message.received", source="api", timestamp=EPOCH)
    assert made.event.model_dump() == {
        "event_id": event_of(RUN).event_id,
        "event_type": "message.received",
        "event_time": EPOCH,
        "source": "api",
        "source_event_type": "RunAgentInput",
        "raw_ref": {"ref_id": "key", "storage_key": None},
        "data": {"runtime_mode": "chat"},
    }
    assert made.conversation == ConversationContext(conversation_id=THREAD, thread_id=THREAD)
    assert made.actor == ActorContext(actor_type="user", actor_id="user")
    assert made.subject == SubjectContext(subject_type="message", subject_id="msg-001")
    assert made.input.text == "我最近换工作是否合适?"
    assert made.input.contents == ({"type": "text", "text": "我最近换工作是否合适?"},)


def test_the_facts_of_a_divination_are_in_its_event() -> None:
    """RNR-17, DIV-07: with the client's time, if it sent one."""
    run_input = parsed(body(forwardedProps=props(client_time=dict(CLIENT_TIME))))
    binding = bindings.deployed()["divination"]
    data = entry_of(RUN, run_input, binding.rules.data(run_input)).event.data
    assert data == {"runtime_mode": "chat", "divinationPayload": CAST, "client_time": CLIENT_TIME}


def test_a_schedule_may_be_the_event_as_well() -> None:
    """RNR-16, RNR-17, RNR-18: whatever door it came by, the context is made of the entry."""
    scheduled = Entry(
        trigger=AgentTrigger(type="schedule.triggered", source="scheduler"),
        event=AgentEventContext(event_id="slot-1", event_type="schedule.triggered", source="scheduler"),
        conversation=ConversationContext(conversation_id=THREAD),
        actor=ActorContext(actor_type="system"),
        subject=SubjectContext(subject_type="schedule", subject_id="job-1"),
        input=AgentInput(text="each morning"),
        runtime_mode="automation",
        locale="zh-CN",
    )
    made = context(scheduled, allowed=policy(modes={"automation": {}}))
    assert (made.trigger, made.event, made.actor, made.subject) == (
        scheduled.trigger,
        scheduled.event,
        scheduled.actor,
        scheduled.subject,
    )
    assert (made.runtime.locale, made.runtime.timezone) == ("zh-CN", "UTC")


def test_other_messages_of_the_client_are_not_passed_on() -> None:
    """RNR-10, RNR-15, C22: history is the host's to tell."""
    sent = [user("now?"), {"id": "msg-000", "role": "assistant", "content": "claimed to have been said"}]
    made = context(entry(messages=sent))
    assert made.input.text == "now?"
    assert "claimed" not in made.model_dump_json()


def test_what_only_this_door_has_is_apart() -> None:
    """RNR-26, TOOL-02: the context entries and the state that the client sent; nothing at all when it sent neither."""
    assert context().adapter is None
    made = context(entry(state={"draft": 1}, context=[{"description": "page", "value": "/home"}]))
    assert made.adapter is not None
    assert made.adapter.extra == {"state": {"draft": 1}, "context": [{"description": "page", "value": "/home"}]}
    assert "draft" not in made.state.model_dump_json()


MIXED = [
    {"type": "text", "text": "what is"},
    {**PICTURE},
    {"type": "text", "text": "this?"},
]


def test_a_picture_is_a_reference_in_its_place() -> None:
    """RNR-19."""
    declared = manifest(capabilities=AgentRunnerCapabilities(multimodal_input=True))
    made = context(entry(messages=[user(MIXED)], attachments=(PICTURE_REF,)), declared)
    assert made.input.text == "what is\nthis?"
    assert made.input.attachments == (PICTURE_REF,)
    assert made.input.contents == (
        {"type": "text", "text": "what is"},
        {"type": "artifact", "artifact_id": "art-1"},
        {"type": "text", "text": "this?"},
    )
    assert str(PICTURE["url"]) not in made.model_dump_json()


def test_a_runner_that_handles_only_text_gets_only_text() -> None:
    """RNR-06."""
    made = context(entry(messages=[user(MIXED)], attachments=(PICTURE_REF,)))
    assert made.input.attachments == ()
    assert [content["type"] for content in made.input.contents] == ["text", "text"]


def test_every_picture_has_its_artifact() -> None:
    """RNR-19: one that was not stored is not passed over."""
    with pytest.raises(ValueError, match="artifact"):
        entry(messages=[user(MIXED)])


# ---- Time and place --------------------------------------------------------------------------------------------------
@pytest.fixture(params=["America/Los_Angeles", "Asia/Kolkata"])
def elsewhere(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A server whose own time zone is another one."""
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.usefixtures("elsewhere")
@pytest.mark.parametrize(
    ("client_time", "zoneinfo", "expected"),
    [
        (CLIENT_TIME, "Europe/London", "Asia/Shanghai"),
        (CLIENT_TIME, None, "Asia/Shanghai"),
        (None, "Europe/London", "Europe/London"),
        (None, None, "UTC"),
    ],
)
def test_the_time_zone_is_the_devices_then_the_profiles_then_utc(
    client_time: Any, zoneinfo: str | None, expected: str
) -> None:
    """FWD-07, FWD-08, FWD-09, RNR-23: never the server's; nor does the server's move the event's time."""
    forwarded = {"runtime_mode": "chat", **({"client_time": dict(client_time)} if client_time else {})}
    made = context(entry(replace(RUN, zoneinfo=zoneinfo), forwardedProps=forwarded))
    assert made.runtime.timezone == expected
    assert made.event.event_time == EPOCH


def test_the_runtime_tells_until_when_and_in_which_language() -> None:
    """RNR-23, C37."""
    runtime = context().runtime
    assert (runtime.host, runtime.trace_id, runtime.deadline_at, runtime.locale) == (
        "yarrow",
        "key",
        EPOCH + 300,
        "en-GB",
    )
    assert runtime.langbot_version is None
    assert runtime.metadata == {"protocol_version": "1"}


FULL = policy(
    resources={"tools": ["read"], "history": ["page"], "events": ["get"], "storage": ["plugin"]},
    config={"tone": "plain"},
)
ASKING = manifest(
    permissions=AgentRunnerPermissions(
        tools=("detail", "call"), history=("page", "search"), events=("get", "page"), storage=("plugin",)
    )
)


def refs(**changes: Any) -> dict[str, str]:
    made = context(**{"declared": ASKING, "allowed": FULL, **changes})
    return {name: ref.hash for name, ref in made.runtime.static_refs.items()}


def test_static_references_stay_while_what_they_stand_for_does() -> None:
    """RNR-23: whatever the run, and change when it does."""
    at_first = refs()
    assert set(at_first) == {"tool_schemas", "resource_manifest", "system_policy"}
    assert all(value.startswith("sha256:") and len(value) == 71 for value in at_first.values())
    other_run = RunScope("other", "somebody", THREAD, "msg-2", 1.0, frozenset({"read"}), artifacts=("art-9",))
    assert refs(scope=other_run) == at_first
    assert refs(scope=replace(other_run, pictures=("art-8",))) == at_first
    with_tool = refs(given_entry=entry(tools=[{"name": "confirm", "description": "", "parameters": {}}]))
    assert {name for name in at_first if with_tool[name] != at_first[name]} == {"tool_schemas", "resource_manifest"}
    with_config = refs(allowed=FULL.model_copy(update={"config": {"tone": "warm"}}))
    assert {name for name in at_first if with_config[name] != at_first[name]} == {"system_policy"}


def test_a_runner_that_wants_no_static_references_gets_none() -> None:
    """RNR-09."""
    unwanted = AgentRunnerContextPolicy(wants_static_context_refs=False)
    assert refs(declared=ASKING.model_copy(update={"context": unwanted})) == {}


# ---- What it may use -------------------------------------------------------------------------------------------------
def test_the_resources_are_the_grants_and_the_tools_of_the_front_end() -> None:
    """RNR-25, TOOL-03, TOOL-06."""
    made = context(
        entry(tools=[{"name": "confirm", "description": "asks", "parameters": {"type": "object"}}]), ASKING, FULL
    )
    assert [(tool.tool_name, tool.tool_type, tool.operations) for tool in made.resources.tools] == [
        ("read", "backend", ("detail", "call")),
        ("confirm", "frontend", ()),
    ]


def test_the_apis_are_those_the_run_may_call() -> None:
    """RNR-21."""
    apis = context(declared=ASKING, allowed=FULL).context.available_apis
    assert {name for name, available in apis if available} == {"history_page", "event_get", "state", "storage"}
    stateless = context(allowed=policy(state={"enabled": False})).context.available_apis
    assert not any(available for _, available in stateless)


@pytest.mark.parametrize(
    ("state", "filled"),
    [
        ({}, {"conversation", "actor"}),
        ({"scopes": ["runner", "binding", "subject"]}, {"runner", "binding", "subject"}),
        ({"scopes": []}, set()),
        ({"enabled": False, "scopes": ["runner"]}, set()),
    ],
)
def test_only_scopes_of_state_that_the_agent_may_use_are_filled(state: dict[str, Any], filled: set[str]) -> None:
    """RNR-24."""
    shown = context(allowed=policy(state=state)).state
    assert {scope: values for scope, values in shown if values} == {scope: {"key": scope} for scope in filled}


def test_the_delivery_is_what_the_agent_says_it_is() -> None:
    """RNR-20."""
    plain = context().delivery
    assert (plain.surface, plain.supports_streaming, plain.max_message_size) == ("agui", True, None)
    assert (plain.supports_edit, plain.supports_reaction, plain.platform_capabilities) == (False, False, {})
    other = context(allowed=policy(delivery={"surface": "mail", "streaming": False, "max_message_size": 500})).delivery
    assert (other.surface, other.supports_streaming, other.max_message_size) == ("mail", False, 500)


def test_the_config_is_the_agents_in_this_mode() -> None:
    """RNR-26, FWD-12: with how far back its runner is meant to look."""
    allowed = policy(config={"tone": "plain", "depth": 1}, modes={"chat": {"config": {"depth": 2}}})
    assert context(allowed=allowed).config == {"tone": "plain", "depth": 2}
    window = ContextWindow(window_mode="day", window_count=7)
    assert context(allowed=allowed, config=RuntimeConfig(context=window)).config["context"] == {
        "source": "latest_chat",
        "window_mode": "day",
        "window_count": 7,
    }


def test_the_config_has_the_defaults_of_its_schema() -> None:
    """RNR-04, RNR-26: what the agent says goes before them; no run can change them for the next."""
    schema = (
        DynamicFormItem(name="api-base", type="string", default="https://api.example"),
        DynamicFormItem(name="prompt", type="prompt-editor", default=[{"role": "system"}]),
        DynamicFormItem(name="tone", type="string", default="warm"),
        DynamicFormItem(name="remove-think", type="boolean", default=False),
        DynamicFormItem(name="api-key", type="string", required=True),
    )
    declared, allowed = manifest(config_schema=schema), policy(config={"tone": "plain"})
    for _ in range(2):
        config = context(declared=declared, allowed=allowed).config
        assert config["prompt"] == [{"role": "system"}]
        config["prompt"].clear()
    assert (config["api-base"], config["tone"], config["remove-think"]) == ("https://api.example", "plain", False)
    assert "api-key" not in config


def test_the_binding_is_not_shown() -> None:
    """RNR-27: neither its name nor its policies; and all that is shown is JSON."""
    shown = context(declared=ASKING, allowed=FULL).model_dump_json()
    assert AgentRunContext.model_validate_json(shown) == context(declared=ASKING, allowed=FULL)
    assert "echo-binding" not in shown
    assert not {"binding_id", "stages", "implied_by", "policy"} & set(names(json.loads(shown)))


def names(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from value
        for inner in value.values():
            yield from names(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from names(inner)


# ---- The past --------------------------------------------------------------------------------------------------------
def test_by_default_nothing_of_the_past_is_inlined() -> None:
    """RNR-09, RNR-10, RNR-21, RNR-22, C22: only handles to it; the cursor goes through as the host wrote it."""
    made = context(before=past(4), config=RuntimeConfig(context=WINDOW))
    assert made.bootstrap is None
    access = made.context
    assert (access.conversation_id, access.thread_id, access.latest_cursor) == (THREAD, THREAD, "opaque")
    assert (access.event_seq, access.transcript_seq, access.has_history_before) == (None, 5, True)
    assert access.inline_policy.model_dump() == {
        "mode": "current_event",
        "delivered_count": 1,
        "source_total_count": 5,
        "messages_complete": False,
        "reason": None,
    }


def test_the_first_message_of_a_conversation_is_all_of_it() -> None:
    """RNR-11, RNR-21."""
    access = context(before=past(0)).context
    assert not access.has_history_before
    assert (access.inline_policy.source_total_count, access.inline_policy.messages_complete) == (1, True)


def test_the_divination_runner_is_given_no_past() -> None:
    """RNR-10."""
    assert items_wanted(RUNNER.manifest.context, WINDOW) == 0


def window(mode: Any, count: int) -> ContextWindow:
    return ContextWindow(window_mode=mode, window_count=count)


@pytest.mark.parametrize(
    ("changes", "within", "before", "mode", "delivered", "reason"),
    [
        ({"bootstrap": "none"}, WINDOW, past(9), "none", None, None),
        ({"bootstrap": "current_event"}, WINDOW, past(9), "current_event", "", None),
        ({}, WINDOW, past(9), "recent_tail", "678", "max_inline_events"),
        ({}, WINDOW, past(9, read=3), "recent_tail", "678", "max_inline_events"),
        ({}, WINDOW, past(3), "recent_tail", "012", None),
        ({}, WINDOW, past(0), "recent_tail", "", None),
        (
            {"max_inline_events": 0},
            WINDOW,
            past(9),
            "current_event",
            "",
            "the runner's context policy allows no context",
        ),
        (
            {"max_inline_bytes": 0},
            WINDOW,
            past(9),
            "current_event",
            "",
            "the runner's context policy allows no context",
        ),
        (
            {"max_inline_events": -1},
            WINDOW,
            past(9),
            "current_event",
            "",
            "the runner's context policy allows no context",
        ),
        ({"max_inline_events": 0}, WINDOW, past(0), "current_event", "", None),
        # "7…" takes 4 bytes, as every message here.
        ({"max_inline_bytes": 3}, WINDOW, past(8), "recent_tail", "", "max_inline_bytes"),
        ({"max_inline_bytes": 4}, WINDOW, past(8), "recent_tail", "7", "max_inline_bytes"),
        ({"max_inline_bytes": 11}, WINDOW, past(8), "recent_tail", "67", "max_inline_bytes"),
        # The agent has its say as well: how far back may be looked.
        ({}, None, past(9), "current_event", "", "the agent gives this mode no context"),
        ({}, window("number", 2), past(9), "recent_tail", "78", "context window"),
        ({}, window("number", 2), past(2), "recent_tail", "01", None),
        ({"max_inline_events": 9}, window("round", 2), past(8), "recent_tail", "4567", "context window"),
        ({"max_inline_events": 9}, window("round", 2), past(3), "recent_tail", "012", None),
        ({"max_inline_events": 9}, window("round", 2), past(7), "recent_tail", "456", "context window"),
        ({"max_inline_events": 90}, window("day", 1), past(26), "recent_tail", None, "context window"),
        # A summary, if the host has one.
        ({"bootstrap": "summary_tail"}, WINDOW, past(4), "recent_tail", "123", "there is no summary"),
        ({"bootstrap": "summary_tail"}, WINDOW, past(4, summary="早"), "summary_tail", "123", "max_inline_events"),
        ({"bootstrap": "summary_tail"}, WINDOW, past(3, summary="早"), "summary_tail", "012", None),
        (
            {"bootstrap": "summary_tail", "max_inline_bytes": 7},
            WINDOW,
            past(4, summary="早"),
            "summary_tail",
            "3",
            "max_inline_bytes",
        ),
        (
            {"bootstrap": "summary_tail", "max_inline_bytes": 2},
            WINDOW,
            past(4, summary="早"),
            "recent_tail",
            "",
            "max_inline_bytes",
        ),
        ({}, WINDOW, past(4, summary="早"), "recent_tail", "123", "max_inline_events"),
    ],
)
def test_what_is_inlined_is_what_runner_and_agent_both_want(
    changes: dict[str, Any],
    within: ContextWindow | None,
    before: BootstrapHistory,
    mode: str,
    delivered: str | None,
    reason: str | None,
) -> None:
    """RNR-11, RNR-12, RNR-09: and the policy tells the truth about it. A window of rounds is LangBot's max-round."""
    inlined, output = inline(TAIL.model_copy(update=changes), within, before)
    messages = inlined.messages if inlined else ()
    if delivered is not None:
        assert "".join(str(message.content)[0] for message in messages) == delivered
    assert (output.mode, output.reason) == (mode, reason)
    assert output.delivered_count == (0 if mode == "none" else len(messages) + 1)
    assert output.source_total_count == before.count + 1
    assert output.messages_complete == (output.delivered_count == output.source_total_count)
    assert (inlined is not None and inlined.summary is not None) == (mode == "summary_tail")


def test_a_day_is_measured_back_from_the_event() -> None:
    """RNR-11, FWD-12."""
    inlined, _ = inline(TAIL.model_copy(update={"max_inline_events": 90}), window("day", 1), past(26))
    assert inlined is not None
    assert len(inlined.messages) == 24


def test_a_message_that_is_neither_users_nor_assistants_ends_the_tail() -> None:
    """RNR-11: there is no gap in what is inlined."""
    every = items(3)
    odd = every[1].model_copy(update={"role": "tool"})
    inlined, output = inline(TAIL, WINDOW, BootstrapHistory(items=(every[0], odd, every[2]), count=3, at=CREATED_AT))
    assert inlined is not None
    assert [message.content for message in inlined.messages] == ["2…"]
    assert output.reason == "a message of another role"


POLICIES = st.builds(
    AgentRunnerContextPolicy,
    ownership=st.sampled_from(["self_managed", "host_bootstrap", "hybrid"]),
    bootstrap=st.sampled_from(["none", "current_event", "recent_tail", "summary_tail"]),
    max_inline_events=st.integers(-1, 12),
    max_inline_bytes=st.integers(-1, 60),
)
WINDOWS = st.none() | st.builds(
    ContextWindow, window_mode=st.sampled_from(["number", "round", "day"]), window_count=st.integers(1, 8)
)
SUMMARIES = st.none() | st.text("夏a", max_size=40)


@given(policy=POLICIES, within=WINDOWS, count=st.integers(0, 12), summary=SUMMARIES, read_all=st.booleans())
def test_no_cap_is_ever_passed_and_nothing_untrue_is_told(
    policy: AgentRunnerContextPolicy, within: ContextWindow | None, count: int, summary: str | None, read_all: bool
) -> None:
    """RNR-11: the messages are the latest, whole and in order."""
    wanted = items_wanted(policy, within)
    before = past(count, read=None if read_all else wanted, summary=summary)
    inlined, output = inline(policy, within, before)
    messages = inlined.messages if inlined else ()
    contents = [message.content for message in messages]
    assert contents == [item.content for item in items(count)][count - len(contents) :]
    assert len(messages) <= max(0, policy.max_inline_events)
    sizes = [len(str(content).encode()) for content in contents]
    told_summary = inlined.summary if inlined else None
    assert sum(sizes) + len((told_summary or "").encode()) <= max(0, policy.max_inline_bytes)
    assert (wanted == 0) <= (inlined is None)
    assert output.messages_complete == (len(messages) == count and output.mode != "none")
    assert output.delivered_count <= (output.source_total_count or 0) == count + 1
    if output.mode.endswith("tail") and not output.messages_complete:
        assert output.reason
