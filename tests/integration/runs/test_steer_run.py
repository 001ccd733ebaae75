"""Messages that a user adds to a run that goes on (RNR-87)."""

from collections.abc import AsyncGenerator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from tests.support.divination_runs import THREAD, end, submit
from tests.support.functions import api_calls
from tests.support.functions.api_calls import ApiCalls
from tests.support.journals import stored
from tests.support.run_lives import Life, lives
from yarrow.packages import event_types
from yarrow.protocol.agui.events import Profile
from yarrow.protocol.problems import Code, Problem, ProblemCode
from yarrow.protocol.run_message import RunMessage, read_run_message
from yarrow.protocol.runner.api import AgentAPIException
from yarrow.protocol.runner.models import AgentRunContext, AgentRunResult, InstalledRunner
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.protocol.runner.vocabulary import MAX_ADDED
from yarrow.runs.steer_run import steer_run
from yarrow.store import journal, runs, sessions
from yarrow.store.runner import added_messages, steps
from yarrow.worker import execute_run
from yarrow.worker.invocation.registry import registry
from yarrow_agents.divination import runner as divination

pytestmark = [pytest.mark.usefixtures("aws"), pytest.mark.memory]


def add(name: str, content: str = "and in Celsius, please", user: str = "alice") -> int:
    return steer_run(user, THREAD, "run-1", RunMessage(id=name, content=content)).place


def refused(name: str, content: str = "and in Celsius, please", user: str = "alice") -> tuple[ProblemCode, Any]:
    with pytest.raises(Problem) as caught:
        add(name, content, user)
    return caught.value.code, caught.value.params


class Steered:
    """A runner that says what it pulls; `acts` are called between its words, in turn."""

    def __init__(self, *acts: Callable[[], object]) -> None:
        self.acts = acts
        self.heard: list[list[str]] = []

    async def run(self, context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        for number, act in enumerate(self.acts, 1):
            content = f"part {number}"
            data = {"message": {"role": "assistant", "content": content}}
            yield AgentRunResult(run_id=context.run_id, type="message.completed", data=data)
            act()
            self.heard.append([message.content for message in await api.steering.pull()])
        data = {"message": {"role": "assistant", "content": "the end"}}
        yield AgentRunResult(run_id=context.run_id, type="message.completed", data=data)


Install = Callable[..., Steered]


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch) -> Install:
    """Have every run call a runner that takes messages, or, if it is not `steered`, one that does not."""

    def install(*acts: Callable[[], object], steered: bool = True) -> Steered:
        runner, manifest = Steered(*acts), divination.RUNNER.manifest
        capabilities = manifest.capabilities.model_copy(update={"steering": steered})
        manifest = manifest.model_copy(update={"capabilities": capabilities})
        monkeypatch.setattr(registry, "find", lambda _: InstalledRunner(manifest, lambda: runner))
        return runner

    return install


def history() -> list[tuple[str, str]]:
    return [(message.role, message.content) for message in sessions.messages(THREAD)][1:]


def customs(run_key: str, name: str) -> list[Any]:
    return [event["value"] for event in stored(run_key) if event.get("name") == name]


def work() -> str:
    submit()
    run_key = runs.key_of("alice", THREAD, "run-1")
    execute_run.work(run_key)
    return run_key


def test_a_message_is_taken_at_the_next_step_and_stands_in_its_place(use: Install) -> None:
    """RNR-87: in order, once, seen by viewers where it was taken, and in the history there."""
    runner = use(lambda: [add("m-1", "one"), add("m-2", "two")], lambda: None, lambda: add("m-3", "three"))
    run_key = work()
    assert runner.heard == [["one", "two"], [], ["three"]]
    said = [("assistant", "part 1"), ("user", "one"), ("user", "two"), ("assistant", "part 2"), ("assistant", "part 3")]
    assert history() == [*said, ("user", "three"), ("assistant", "the end")]
    taken = customs(run_key, "yarrow.message-taken")
    assert [(value["id"], value["content"]) for value in taken] == [("m-1", "one"), ("m-2", "two"), ("m-3", "three")]
    session = sessions.must_read(THREAD)
    assert (session.unanswered, session.message_count) == (False, 8)


def test_agui_clients_get_a_users_message_and_older_ones_an_event_of_the_service(use: Install) -> None:
    """RNR-87, EVT-28: in one event of the protocol, which clients before 1.0 may not know with this role."""
    use(lambda: add("m-1", "one"))
    run = runs.must_read(work())
    lines = [line for event in journal.read(run.key, journal.Position()) for line in event.lines]
    new, old = (Profile(run.ids, event_types.find, protocol_version=version) for version in ("1.0", None))
    chunk = '{"type":"TEXT_MESSAGE_CHUNK","messageId":"m-1","role":"user","delta":"one"}'
    assert chunk in [new.line(line) for line in lines]
    assert not any("TEXT_MESSAGE_CHUNK" in (old.line(line) or "") for line in lines)


def test_what_the_runner_leaves_stays_in_the_history_without_an_answer(use: Install) -> None:
    """RNR-87: the last event but one tells clients."""

    async def never_pulls(context: AgentRunContext, _api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        add("m-1", "one")
        data = {"message": {"role": "assistant", "content": "the end"}}
        yield AgentRunResult(run_id=context.run_id, type="message.completed", data=data)

    use().run = never_pulls  # type: ignore[assignment, method-assign]
    run_key = work()
    assert history() == [("assistant", "the end"), ("user", "one")]
    assert stored(run_key)[-2]["value"] == {"ids": ["m-1"]}
    session = sessions.must_read(THREAD)
    assert (session.unanswered, session.last_asked, session.newest) == (True, "m-1", "m-1")


def test_a_run_that_fails_loses_no_message(use: Install) -> None:
    """RNR-87: taken or not."""

    def fail() -> None:
        add("m-2", "two")
        raise ValueError

    use(lambda: add("m-1", "one"), fail)
    run_key = work()
    assert runs.must_read(run_key).phase == "failed"
    assert history() == [("user", "one"), ("user", "two")]
    assert customs(run_key, "yarrow.messages-unread") == [{"ids": ["m-2"]}]


def test_who_may_add_a_message_and_when(use: Install) -> None:
    """RNR-87, SEC-03: the user, while the run works, to an agent that takes it; each id once."""
    found: list[Any] = []

    def act() -> None:
        found.append((add("m-1", "one"), add("m-1", "one"), refused("m-1", "other")[0], refused("msg-1")[0]))
        found.append(refused("m-2", user="bob")[0])
        found.append([add(f"m-{number}") for number in range(2, MAX_ADDED + 1)])
        found.append(refused("m-99"))

    use(act)
    submit()
    assert refused("m-1") == (Code.AGENT_RUN_NOT_STEERABLE, {"reason": "not_begun"})
    execute_run.work(runs.key_of("alice", THREAD, "run-1"))
    conflict = Code.AGENT_RUN_MESSAGE_CONFLICT
    full = (Code.AGENT_RUN_MESSAGE_LIMIT, {"limit": MAX_ADDED})
    assert found == [(1, 1, conflict, conflict), Code.AGENT_FORBIDDEN, [*range(2, MAX_ADDED + 1)], full]
    assert refused("m-100") == (Code.AGENT_RUN_NOT_STEERABLE, {"reason": "ended"})
    assert (add("m-1", "one"), refused("m-1", "other")[0]) == (1, conflict)


def test_an_agent_that_takes_no_messages_gets_none(use: Install) -> None:
    """RNR-87, RNR-28: the route refuses the user, the API the runner."""
    found: list[Any] = []
    runner = use(lambda: found.append(refused("m-1")), steered=False)
    run_key = work()
    assert found == [(Code.AGENT_RUN_NOT_STEERABLE, {"reason": "agent"})]
    assert (runner.heard, runs.must_read(run_key).phase) == ([], "failed")


def test_messages_at_once_have_places_of_their_own(use: Install) -> None:
    """RNR-87: the same one at once is one."""
    places: list[int] = []

    def act() -> None:
        with ThreadPoolExecutor(4) as threads:
            places.extend(threads.map(add, ["m-1", "m-2", "m-1", "m-2"]))

    runner = use(act)
    work()
    assert sorted(places) == [1, 1, 2, 2]
    assert len(runner.heard[0]) == 2


def test_a_message_that_comes_while_the_run_ends_is_refused_or_kept(use: Install, calls: ApiCalls) -> None:
    """RNR-87: whichever call of the end it comes before."""
    use()
    outcomes = set()

    def late(life: Life) -> Callable[[], object]:
        def send() -> None:
            with suppress(Problem):
                steer_run("alice", life.thread, "run-1", RunMessage(id="late", content="one more"))

        return send

    for life in lives(calls, lambda life: api_calls.interrupted_by(late(life)), "execute", before=("submit",)):
        life.execute()
        accepted = [message.id for message in added_messages.read_all(life.key)]
        assert accepted == [message.id for message in sessions.messages(life.thread) if message.id == "late"]
        outcomes.add(bool(accepted))
    assert outcomes == {True, False}


@pytest.fixture
def calls(aws: None) -> Iterator[ApiCalls]:
    with api_calls.watched() as watched:
        yield watched


@pytest.mark.parametrize("fault", [api_calls.killed_before, api_calls.killed_after], ids=["before", "after"])
def test_a_worker_may_die_at_any_call(calls: ApiCalls, use: Install, fault: Any) -> None:
    """RNR-87, STP-01: between the pull and its use as well; no message is lost, or shown or kept twice."""
    threads: list[str] = []

    def add_again(name: str) -> None:
        """Add a message, which a rerun finds there."""
        steer_run("alice", threads[-1], "run-1", RunMessage(id=name, content=name))

    runner = use(*(partial(add_again, name) for name in ("m-1", "m-2")))

    def noted(life: Life) -> Any:
        threads.append(life.thread)
        return fault

    for life in lives(calls, noted, "execute", before=("submit",)):
        life.execute()
        assert life.check()["type"] == "RUN_FINISHED"
        assert runner.heard[-2:] == [["m-1"], ["m-2"]]
        assert [value["id"] for value in customs(life.key, "yarrow.message-taken")] == ["m-1", "m-2"]
        kept = [message.content for message in sessions.messages(life.thread)][1:]
        assert kept == ["part 1", "m-1", "part 2", "m-2", "the end"]


@pytest.mark.parametrize("fault", [api_calls.killed_before, api_calls.killed_after], ids=["before", "after"])
def test_a_rerun_streams_the_same_messages_around_one_that_was_taken(calls: ApiCalls, use: Install, fault: Any) -> None:
    """RNR-87, STP-01: the message ends what the agent was saying, in each worker."""
    threads: list[str] = []

    async def streams(context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        for piece in ("one ", "two "):
            chunk = {"role": "assistant", "content": piece}
            yield AgentRunResult(run_id=context.run_id, type="message.delta", data={"chunk": chunk})
            steer_run("alice", threads[-1], "run-1", RunMessage(id="m-1", content="more"))
            await api.steering.pull()

    use().run = streams  # type: ignore[method-assign]

    def noted(life: Life) -> Any:
        threads.append(life.thread)
        return fault

    for life in lives(calls, noted, "execute", before=("submit",)):
        life.execute()
        assert life.check()["type"] == "RUN_FINISHED"
        kept = [(message.role, message.content) for message in sessions.messages(life.thread)][1:]
        assert kept == [("assistant", "one "), ("user", "more"), ("assistant", "two ")]


@pytest.mark.parametrize("fails", [False, True])
def test_a_run_ends_with_the_most_and_the_longest_messages(use: Install, fails: bool) -> None:
    """RNR-87: unread ones, which together are larger than an item of the table."""
    text = "龍" * 10_000

    async def never_pulls(context: AgentRunContext, _api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        for number in range(MAX_ADDED):
            add(f"m-{number}", text)
        if fails:
            raise ValueError
        data = {"message": {"role": "assistant", "content": "the end"}}
        yield AgentRunResult(run_id=context.run_id, type="message.completed", data=data)

    use().run = never_pulls  # type: ignore[assignment, method-assign]
    run_key = work()
    said = [] if fails else [("assistant", "the end")]
    assert history() == [*said, *[("user", text)] * MAX_ADDED]
    assert customs(run_key, "yarrow.messages-unread") == [{"ids": [f"m-{number}" for number in range(MAX_ADDED)]}]


def added_to_a_claimed_run(*names: str) -> runs.Run:
    """Return a run that its first worker has, with these messages."""
    submit()
    run = runs.claim(runs.key_of("alice", THREAD, "run-1"))
    assert run is not None
    for name in names:
        added_messages.add(run, name, name)
    return run


def take(run: runs.Run, step: str, limit: int = MAX_ADDED, attempt: int = 1) -> list[str]:
    return [message.id for message in added_messages.take(run.key, step, attempt, limit)]


def test_a_repeated_take_gets_its_own_messages_and_no_other_step_does() -> None:
    """RNR-87: however many came since."""
    run = added_to_a_claimed_run("m-1", "m-2", "m-3")
    assert (take(run, "a", 1), take(run, "b"), take(run, "a"), take(run, "c")) == (["m-1"], ["m-2", "m-3"], ["m-1"], [])
    end(run.key)
    with pytest.raises(added_messages.EndedError):
        added_messages.add(run, "m-4", "m-4")


def test_a_worker_that_was_replaced_takes_nothing() -> None:
    """RNR-87: its successor's step may have its result already."""
    run = added_to_a_claimed_run("m-1")
    runs.claim(run.key)
    with pytest.raises(added_messages.ReplacedError):
        take(run, "a")
    assert take(run, "b", attempt=2) == ["m-1"]


def test_what_a_step_took_and_did_not_get_is_left_to_the_next() -> None:
    """RNR-87, STP-01: the first stored result of a step counts, of whichever worker."""
    run = added_to_a_claimed_run("m-1", "m-2", "m-3")
    assert (take(run, "a", 1), take(run, "b")) == (["m-1"], ["m-2", "m-3"])
    added_messages.release(run.key, "b", ["m-2"])
    added_messages.release(run.key, "c", [])
    assert (take(run, "b"), take(run, "c")) == (["m-2"], ["m-3"])


def test_a_result_that_an_earlier_worker_stored_late_loses_no_message(
    use: Install, monkeypatch: pytest.MonkeyPatch
) -> None:
    """RNR-87, STP-01: it is of before the message was added, which the next pull then gets."""
    submit()
    run_key, end_step = runs.key_of("alice", THREAD, "run-1"), steps.end

    def end_late(log_key: str, step: steps.Step) -> steps.Step:
        if step.id.endswith(".0001"):  # of equal calls
            end_step(log_key, replace(step, attempt=1, result='{"messages":[]}'))
        return end_step(log_key, step)

    monkeypatch.setattr(steps, "end", end_late)
    runs.claim(run_key)
    runner = use(lambda: add("m-1", "one"), lambda: None)
    execute_run.work(run_key)
    assert runner.heard == [[], ["one"]]
    assert [value["id"] for value in customs(run_key, "yarrow.message-taken")] == ["m-1"]


@pytest.mark.parametrize("raw", [b"{}", b'{"id": "m", "content": " "}', b'{"id": "m", "content": "x", "role": "user"}'])
def test_a_malformed_message_is_refused(raw: bytes) -> None:
    """RNR-87: with the code of a run's messages."""
    with pytest.raises(Problem) as caught:
        read_run_message(raw)
    assert caught.value.code is Code.AGENT_RUN_MESSAGES_INVALID


def test_a_text_has_the_limit_of_a_users_message() -> None:
    """RNR-87: 10,000 characters."""
    assert read_run_message(b'{"id": "m", "content": "' + b"x" * 10_000 + b'"}')
    with pytest.raises(Problem):
        read_run_message(b'{"id": "m", "content": "' + b"x" * 10_001 + b'"}')


def test_a_runner_without_the_capability_may_not_pull(use: Install) -> None:
    """RNR-28: its call is refused as unauthorized."""
    codes: list[str] = []

    async def pulls(context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        try:
            await api.steering.pull()
        except AgentAPIException as error:
            codes.append(error.code)
        yield AgentRunResult(run_id=context.run_id, type="run.completed", data={})

    use(steered=False).run = pulls  # type: ignore[method-assign]
    work()
    assert codes == ["unauthorized"]
