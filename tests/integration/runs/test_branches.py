"""Where a run of an AG-UI client goes on: editing, regenerating, going back, and what is superseded by it (C38)."""

import itertools
import uuid
from dataclasses import replace
from typing import Any, Literal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.agui.app import App, body, tool
from tests.support.agui.conversation import Client, confirm, looked_up
from tests.support.effort import examples
from tests.support.runners.scripted import DONE, Use, completed
from yarrow.runs.agui import branching
from yarrow.runs.get_history import latest_by_session, whole_session
from yarrow.store import branches, event_log, runs, sessions, tool_use, transcript

pytestmark = [pytest.mark.usefixtures("aws"), pytest.mark.memory]
"""On moto alone: what counts here is what is read."""

CONFIRM = tool({"tool_name": "confirmAction"})


def send(client: Client, run: str, *messages: dict[str, Any], says: str = "", **changes: Any) -> list[dict[str, Any]]:
    """Send this list, for the agent to say that; returns what the model could hear."""
    client.use(completed(says or f"{run}!"), DONE)
    client.app.post(body(run, *messages, tools=[CONFIRM], **changes))
    session = sessions.must_read(client.session)
    return [
        {"role": item.role, "content": item.content}
        for item in transcript.tail(client.session, 99, 10**6, session.path)
    ]


def message(name: str, text: str, role: str = "user") -> dict[str, Any]:
    return {"id": name, "role": role, "content": text}


def test_a_regenerated_answer_takes_the_place_of_the_one_before(client: Client) -> None:
    """C38: the question stays once; history, list of sessions, snapshot and model have the new answer alone."""
    question = client.ask("一")
    client.ask_again(question, completed("一!!"), DONE)
    assert client.history() == ["一", "一!!"]
    assert [message.content for message in latest_by_session(client.app.case.user).messages] == ["一!!"]
    assert [message.content for message in sessions.messages(client.session)] == [
        "一",
        "一!",
        "一!!",
    ]  # kept all the same
    client.ask("二")
    assert client.history() == ["一", "一!!", "二", "二!"]
    client.check()


def test_an_edited_message_takes_the_place_of_the_one_before(client: Client) -> None:
    """C38: under an id of its own, or under the same one."""
    client.ask("一")
    second = client.ask("二")
    client.ask("三")
    at = next(index for index, message in enumerate(client.messages) if message["id"] == second)
    kept = client.messages[:at]
    send(client, "edit_1", *kept, message("new", "二'"))
    assert client.history() == ["一", "一!", "二'", "edit_1!"]
    send(client, "edit_2", *kept, message("new", "二''"))
    assert client.history() == ["一", "一!", "二''", "edit_2!"]


def test_the_first_message_is_edited_by_its_run(client: Client) -> None:
    """C38: `metadata.branch` with its run; or under the same id. Without either, new messages branch nothing."""
    send(client, "run_1", message("u1", "一"))
    assert [item["content"] for item in send(client, "run_2", message("u2", "二"))] == ["一", "run_1!", "二", "run_2!"]
    heard = send(client, "run_3", message("u3", "三"), metadata={"branch": "run_1"})
    assert [message["content"] for message in heard] == ["三", "run_3!"]
    heard = send(client, "run_4", message("u4", "四"), metadata={"branch": "run_3"})
    assert [message["content"] for message in heard] == ["四", "run_4!"]
    heard = send(client, "run_5", message("u4", "四'"))
    assert [message["content"] for message in heard] == ["四'", "run_5!"]
    assert client.history() == ["四'", "run_5!"]


def test_a_run_goes_on_after_the_run_that_it_names(client: Client) -> None:
    """C38: with its new message alone. A run that nobody knows branches nothing."""
    for number in (1, 2, 3):
        send(client, f"run_{number}", message(f"u{number}", str(number)))
    heard = send(client, "run_4", message("u4", "4"), metadata={"branch": "run_2"})
    assert [message["content"] for message in heard] == ["1", "run_1!", "2", "run_2!", "4", "run_4!"]
    heard = send(client, "run_5", message("u5", "5"), metadata={"branch": "of another service"})
    assert [message["content"] for message in heard][-3:] == ["run_4!", "5", "run_5!"]


@pytest.mark.parametrize("parent", ["run_1", "run_2"])
def test_the_run_that_spawned_this_one_removes_nothing(client: Client, parent: str) -> None:
    """C38, RUN-25: `parentRunId` is only repeated, with a new message alone as with the whole list."""
    for number in (1, 2):
        send(client, f"run_{number}", message(f"u{number}", str(number)))
    heard = send(client, "run_3", message("u3", "3"), parentRunId=parent)
    assert [message["content"] for message in heard] == ["1", "run_1!", "2", "run_2!", "3", "run_3!"]
    run = runs.must_read(runs.key_of(client.app.case.user, client.session, "run_3"))
    assert run.parent_run_id == parent


def test_lists_that_are_cut_at_the_front_or_have_other_ids_branch_nothing(client: Client) -> None:
    """C38: only later messages can be left out. Ids that the service never told name nothing."""
    client.ask("一")
    client.ask("二")
    answer = client.messages[-1]
    send(client, "tail", answer, message("u3", "三"))
    renamed = [
        {**message, "id": f"own-{message['id']}"} if message["role"] == "assistant" else message
        for message in client.messages
    ]
    send(client, "renamed", *renamed, message("u3", "三"), message("own-a3", "tail!", "assistant"), message("u4", "四"))
    assert client.history() == ["一", "一!", "二", "二!", "三", "tail!", "四", "renamed!"]
    # The same client edits the second question.
    send(client, "edited", *renamed[:2], message("u5", "二'"))
    assert client.history() == ["一", "一!", "二'", "edited!"]
    send(client, "alone", message("u6", "六"))
    assert client.history()[-2:] == ["六", "alone!"]


def test_a_client_goes_back_to_a_branch_it_left(client: Client) -> None:
    """C38: a superseded message that is named is on the path again, with what came before it."""
    send(client, "run_1", message("u1", "一"), says="甲")
    *_, first = sessions.messages(client.session)
    send(client, "run_2", message("u1", "一"), says="乙")
    assert client.history() == ["一", "乙"]
    old = message(first.id, "甲", "assistant")
    heard = send(client, "run_3", message("u1", "一"), old, message("u2", "二"))
    assert [message["content"] for message in heard] == ["一", "甲", "二", "run_3!"]


def called(client: Client) -> list[tuple[int, str]]:
    """The calls on the path, each with the place it has there."""
    placed = tool_use.since(client.session, 0, 10**6, sessions.must_read(client.session).path)
    return [(after, made.id) for after, turn in placed for round_ in turn.rounds for made in round_.calls]


def test_calls_name_their_message_and_turns_go_with_the_branch(client: Client) -> None:
    """C38, EVT-21: a regenerated answer hears what tools have told; a regenerated turn calls them anew."""
    question = client.ask("一", *looked_up("c1", "", "晴"))
    call, result = client.messages[1], client.messages[2]
    send(client, "run_again", client.messages[0], {**call, "id": "own"}, result)
    assert client.history() == ["一", "run_again!"]
    assert called(client) == [(1, "c1")]
    client.messages = client.messages[:1]
    client.ask_again(question, *looked_up("c2", "", "雨"))
    assert called(client) == [(1, "c2")]


def test_an_answer_after_the_clients_tool_is_regenerated(client: Client) -> None:
    """C38, EVT-20: the call and its result stay."""
    client.ask("一", *confirm("c1", "可以吗?"))
    client.answer("yes")
    requests = list(client.messages)
    client.run(completed("好"), DONE)
    client.messages = requests
    client.run(completed("好的"), DONE)
    assert client.history() == ["一", "可以吗?", "好的"]
    client.check()


def test_the_same_request_again_is_the_same_run_and_branches_once(client: Client) -> None:
    """C38, RUN-23."""
    send(client, "run_1", message("u1", "一"))
    for _ in range(2):
        send(client, "run_2", message("u1", "一"))
    session = sessions.must_read(client.session)
    assert len(session.branches) == 1
    assert client.history() == ["一", "run_2!"]


def test_nothing_is_read_where_the_newest_message_is_named(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """C38: an unanswered question, too."""
    client.ask("一")
    monkeypatch.setattr(branching, "_BranchSearch", None)
    client.ask_again(client.ask("二", ("run.failed", {"message": "no more"})), completed("二!"), DONE)
    assert client.history() == ["一", "一!", "二", "二!"]


def test_a_message_alone_is_looked_for_at_both_ends(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """C38: a new one costs little to find out; the first question asked again comes alone, too."""
    first = client.ask("一")
    for text in "二三四":
        client.ask(text)
    read: list[int] = []
    messages_on = sessions.messages_on

    def recorded(*arguments: Any) -> Any:
        for message in messages_on(*arguments):
            read.append(message.seq)
            yield message

    monkeypatch.setattr(branching, "_FEW", 2)
    with monkeypatch.context() as patch:
        patch.setattr(sessions, "messages_on", recorded)
        send(client, "alone", message("u5", "五"))
    assert read == [8, 7, 1]
    assert client.history()[-2:] == ["五", "alone!"]
    send(client, "again", message(first, "一"))
    assert client.history() == ["一", "again!"]


def test_a_session_is_listed_again_with_the_answer_it_goes_back_to(client: Client) -> None:
    """C38, HIS-02: off the list while it has no answer, whatever becomes of the runs."""
    client.ask("一")
    answered = list(client.messages)
    failed = ("run.failed", {"message": "no more"})
    client.use(failed)
    client.app.post(body("edited", message("new", "一'"), tools=[CONFIRM], metadata={"branch": "run_0"}))
    user = client.app.case.user
    assert not latest_by_session(user).messages
    client.use(failed)
    client.app.post(body("back", *answered, message("u2", "二"), tools=[CONFIRM]))
    assert [message.content for message in latest_by_session(user).messages] == ["一!"]


def test_a_runner_finds_nothing_that_is_superseded(client: Client) -> None:
    """C38, RNR-55 … RNR-58: in pages, searches and events."""
    client.ask("一")
    second = client.ask("二")
    client.ask_again(second, completed("贰"), DONE, id="new", content="两")
    path = sessions.must_read(client.session).path
    directions: tuple[Literal["backward", "forward"], ...] = ("backward", "forward")
    for direction in directions:
        page = transcript.page(client.session, direction=direction, limit=2, path=path)
        rest = transcript.page(
            client.session,
            direction=direction,
            before_cursor=page.prev_cursor if direction == "backward" else None,
            after_cursor=page.next_cursor if direction == "forward" else None,
            path=path,
        )
        pages = (rest, page) if direction == "backward" else (page, rest)
        assert [item.content for page in pages for item in page.items] == ["一", "一!", "两", "贰"]
    assert transcript.search(client.session, "二", path=path) == []
    assert [item.summary for item in event_log.page(client.session, path=path).items] == ["两", "一"]
    hidden = [item.event_id for item in event_log.page(client.session).items if item.summary == "二"]
    assert event_log.get(client.session, hidden[0], path) is None


def test_a_session_has_so_many_branches(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """C38: branches that were left are forgotten first; then it is 409."""
    monkeypatch.setattr(branches, "MAX_BRANCHES", 4)
    send(client, "run_0", message("u0", "一"))
    for number in range(1, 9):
        send(client, f"run_{number}", message("u0", "一"))
    assert client.history() == ["一", "run_8!"]
    assert len(sessions.must_read(client.session).branches) <= 4
    monkeypatch.setattr(branches, "MAX_BRANCHES", 0)
    assert client.app.post(body("run_9", message("u0", "一"))).problem == (409, "AGENT_BRANCH_LIMIT")


def test_a_session_of_an_earlier_version_branches_as_well(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """C38: it does not say which message is its newest."""
    client.ask("一")
    stored = sessions.stored
    monkeypatch.setattr(sessions, "stored", lambda item: replace(stored(item), last_asked=None, last_answer=None))
    client.ask("二")
    assert client.history() == ["一", "一!", "二", "二!"]


@given(st.lists(st.tuples(st.sampled_from(("ask", "edit", "again", "alone", "tail")), st.integers(0, 9)), max_size=7))
@settings(max_examples=examples(12), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_conversation_is_what_the_client_shows(app: App, use: Use, steps: list[tuple[str, int]]) -> None:
    """C38: after any edits, regenerations and new messages, of clients that send all, the tail or the new one alone."""
    client = Client(App(replace(app.case, user=str(uuid.uuid4()))), use)
    screen: list[dict[str, Any]] = []
    for number, (action, pick) in enumerate([("ask", 0), *steps]):
        requests = [index for index, message in enumerate(screen) if message["role"] == "user"]
        at = requests[pick % len(requests)] if requests else 0
        new = message(str(uuid.uuid4()), f"question {number}")
        if action in ("edit", "again") and at > 0:
            screen = screen[:at]
        elif action == "again":
            screen = []
        shown = [*screen, new]
        if action == "again" and at > 0:
            shown = [*screen, *itertools.islice([new], 1)]
        changes: dict[str, Any] = {}
        if action == "again" and at == 0 and requests:
            changes["metadata"] = {"branch": "run_0" if not hasattr(client, "first") else client.first}
            client.first = f"run_{number}"  # type: ignore[attr-defined]
        sent = shown if action not in ("alone", "tail") else shown[-1:] if action == "alone" else shown[-2:]
        use(completed(f"answer {number}"), DONE)
        events = client.app.post(body(f"run_{number}", *sent, **changes)).events
        name = next(event["messageId"] for event in events if event["type"] == "TEXT_MESSAGE_START")
        screen = [*shown, message(name, f"answer {number}", "assistant")]
        history = whole_session(client.session, client.app.case.user).messages
        assert [(message.id, message.content) for message in history] == [
            (message["id"], message["content"]) for message in screen
        ]
