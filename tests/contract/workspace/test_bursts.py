"""A page that sends faster than the service answers: bursts, its queue after a time offline, cancels at any moment.

The page sends one WebSocket frame a message. API Gateway hands the frames of a connection to several functions at once.
"""

import json
from collections.abc import Callable, Sequence
from itertools import pairwise, permutations, product

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.effort import examples
from tests.support.memory_aws.aws import MemoryAws
from tests.support.workspace.agent import TASK, Agent
from tests.support.workspace.comparison import comparable, faults
from tests.support.workspace.documented import command
from tests.support.workspace.door import Door
from tests.support.workspace.page import Page
from yarrow.store import clock

Load = Callable[..., Page]

QUEUE = 100
"""Messages that the page keeps while it is offline."""
ACTIONS = ("pause", "resume", "retry", "cancel")
SEQUENCES = 40


def snapshots(page: Page) -> int:
    return sum(frame["type"] == "agent_state_snapshot" for frame in page.frames)


def texts_of(page: Page) -> list[str]:
    """What the user said, in the order in which the page shows it."""
    return [message["content"] for message in page.messages() if message["role"] == "user"]


def heard(agent: Agent, since: int) -> list[list[str]]:
    """Return the texts of each run, in the order of the runs."""
    data = [context.event.data for context in agent.contexts[since:] if context.event.event_type == "workspace.input"]
    return [str(item["text"]).split("\n\n") for item in data]


def check(door: Door, page: Page) -> None:
    """The page has what a new one gets, and nobody saw anything twice."""
    assert comparable(page) == comparable(door.fresh())
    assert list(faults(page)) == []
    statuses = {subtask["status"] for subtask in page.state.subtasks.get(page.state.active, [])}
    assert "running" not in statuses


def handle_all(door: Door, page: Page) -> None:
    """All that the page sent, before any run or push."""
    line = door.line_of(page)
    while line.inbox:
        door.handle(line)
    door.settle()


def raised(actions: Sequence[str]) -> set[str]:
    """The flags after these controls, in this order: a cancelled session cannot be paused."""
    flags: set[str] = set()
    for action in actions:
        if action == "cancel":
            flags = {"canceled"}
        elif action == "pause":
            flags = flags or {"paused"}
        else:
            flags = set()
    return flags


def sent(*frames: str) -> list[tuple[str, int]]:
    """Frames with the times at which API Gateway received them, a millisecond apart, from now on."""
    start = clock.now_ms()
    return [(text, start + number) for number, text in enumerate(frames)]


@pytest.mark.parametrize("count", [1, 5, QUEUE])
def test_what_was_sent_in_a_burst_is_shown_and_answered_in_its_order(
    door: Door, load: Load, agent: Agent, count: int
) -> None:
    """WSP-09, WSP-19, WSP-21: by updates alone, without a snapshot after those that its two inits ask for."""
    page = load()
    at_first, runs = snapshots(page), len(agent.contexts)
    assert at_first == 2
    texts = [f"text {number}" for number in range(count)]
    for text in texts:
        page.say(text)
    handle_all(door, page)
    assert texts_of(page) == texts
    assert [text for run in heard(agent, runs) for text in run] == texts
    assert snapshots(page) == at_first
    check(door, page)


def test_a_queue_of_a_hundred_is_sent_after_a_time_offline(door: Door, load: Load, agent: Agent) -> None:
    """WSP-38: The new connection gets one snapshot."""
    page = load()
    before, runs = snapshots(page), len(agent.contexts)
    door.disconnect(door.line_of(page), notify=False)
    texts = [f"text {number}" for number in range(QUEUE)]
    for text in texts:
        page.say(text)
    door.connect(page)
    handle_all(door, page)
    assert texts_of(page) == texts
    assert [text for run in heard(agent, runs) for text in run] == texts
    assert page.alerts == []
    assert snapshots(page) == before + 1
    check(door, page)


def test_a_snapshot_says_that_older_messages_are_left_out(door: Door, load: Load) -> None:
    """WSP-37: of 30 long messages not all fit; the ones that are there are the latest, in their order."""
    page = load()
    active = page.state.active
    texts = [f"{number:02} {'x' * 9_000}" for number in range(30)]
    for text in texts[:3]:
        door.send(page, command("agent_user_input", active, text=text))
    whole = door.fresh().messages(active)
    assert not any(item["id"].startswith("older-") for item in whole)
    for text in texts[3:]:
        door.send(page, command("agent_user_input", active, text=text))
    first, *others = sorted(door.fresh().messages(active), key=lambda message: int(message["createdAt"]))
    assert (first["id"], first["role"]) == (f"older-{active}", "assistant")
    assert first["content"] == "Older messages are not shown here. They are in the history."
    shown = [other["content"] for other in others if other["role"] == "user"]
    assert 0 < len(shown) < len(texts)
    assert shown == [message["content"] for message in page.messages() if message["role"] == "user"][-len(shown) :]


@pytest.mark.parametrize("later", ACTIONS)
@pytest.mark.parametrize("earlier", ACTIONS)
def test_two_controls_have_the_effect_of_the_order_in_which_they_were_sent(
    door: Door, load: Load, earlier: str, later: str
) -> None:
    """WSP-15: applied the other way round; each is answered by the state."""
    page = load()
    line, active = door.line_of(page), page.state.active
    page.say("hello")
    door.handle(line)
    frames = sent(*(command("agent_execution_control", active, action=text) for text in (earlier, later)))
    door.receive(line, frames[1][0], at_ms=frames[1][1])
    count = len(page.frames)
    door.receive(line, frames[0][0], at_ms=frames[0][1])
    assert [frame["type"] for frame in page.frames[count:]].count("agent_execution_update") >= 1
    door.settle()
    state = page.state.execution_states[active]
    assert {name for name in ("paused", "canceled") if state[name]} == raised([earlier, later])
    check(door, page)


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_three_controls_in_every_order(deployment: None, agent: Agent, order: tuple[int, ...]) -> None:
    """WSP-15: the flags are those of the order in which they were sent."""
    for actions in product(ACTIONS, repeat=3):
        with Door(MemoryAws(), TASK).installed() as door:
            page = Page(TASK, "renderer-1", "en")
            line = door.load(page)
            active = page.state.active
            frames = sent(*(command("agent_execution_control", active, action=action) for action in actions))
            for number in order:
                text, at = frames[number]
                door.receive(line, text, at_ms=at)
            door.settle()
            state = page.state.execution_states[active]
            assert {name for name in ("paused", "canceled") if state[name]} == raised(actions), actions


def test_a_text_that_a_cancel_overtakes_is_shown_and_not_worked_on(door: Door, load: Load, agent: Agent) -> None:
    """WSP-17: as if it had come first; a retry works on it, as on any text that was cancelled."""
    page = load()
    line, active, runs = door.line_of(page), page.state.active, len(agent.contexts)
    text, cancel = sent(
        command("agent_user_input", active, text="hello"),
        command("agent_execution_control", active, action="cancel"),
    )
    door.receive(line, cancel[0], at_ms=cancel[1])
    door.receive(line, text[0], at_ms=text[1])
    door.settle()
    assert texts_of(page) == ["hello"]
    assert heard(agent, runs) == []
    assert page.label() == "Canceled"
    check(door, page)


@pytest.mark.parametrize("moment", range(1, 8))
def test_a_cancel_at_any_moment_of_a_run(door: Door, load: Load, agent: Agent, moment: int) -> None:
    """WSP-17: It comes before any result of the run, or after its end."""
    page = load()
    line, seen = door.line_of(page), iter(range(1, 100))

    def look() -> None:
        if next(seen) == moment:
            page.control("cancel")
            door.handle(line)

    agent.before_each = look
    page.say("hello")
    door.settle()
    agent.before_each = None
    if moment >= next(seen):
        page.control("cancel")
        door.settle()
    assert page.label() == "Canceled"
    assert not {subtask["status"] for subtask in page.state.subtasks.get(page.state.active, [])} & {"pending", "review"}
    check(door, page)


@pytest.mark.timeout(300)
@given(data=st.data(), texts=st.integers(1, 12), actions=st.lists(st.sampled_from(ACTIONS), max_size=3))
@settings(max_examples=examples(SEQUENCES), deadline=None, suppress_health_check=list(HealthCheck))
def test_a_burst_of_commands_is_processed_in_any_order(
    deployment: None, agent: Agent, data: st.DataObject, texts: int, actions: list[str]
) -> None:
    """WSP-15, WSP-17, WSP-19: no text twice, those of a run in order, and flags as if all were."""
    agent.contexts.clear()
    with Door(MemoryAws(), TASK).installed() as door:
        page = Page(TASK, "renderer-1", "en")
        line = door.load(page)
        active, runs = page.state.active, len(agent.contexts)
        inputs = [command("agent_user_input", active, text=f"text {number}") for number in range(texts)]
        controls = [command("agent_execution_control", active, action=action) for action in actions]
        burst = sent(*data.draw(st.permutations([*inputs, *controls])))
        for text, at in data.draw(st.permutations(burst)):
            door.receive(line, text, at_ms=at)
            if data.draw(st.booleans()):
                door.push()
            if data.draw(st.booleans()):
                door.work()
        door.settle()
        shown = texts_of(page)
        assert len(shown) == len(set(shown))
        for run in heard(agent, runs):
            numbers = [_sent_at(burst, text) for text in run]
            assert all(first < second for first, second in pairwise(numbers))
        made = [json.loads(text)["payload"]["action"] for text, _ in burst if "action" in json.loads(text)["payload"]]
        state = page.state.execution_states.get(active, {})
        assert {name for name in ("paused", "canceled") if state.get(name)} == raised(made)
        if not controls:
            assert sorted(shown) == sorted(f"text {number}" for number in range(texts))
        check(door, page)


def _sent_at(burst: list[tuple[str, int]], text: str) -> int:
    return next(at for frame, at in burst if json.loads(frame)["payload"].get("text") == text)
