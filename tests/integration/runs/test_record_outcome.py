"""How readings turned out: what is recorded, by whom and of what, and what the history shows of it."""

import json
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import count
from typing import Any

import pytest

from tests.support.divination_runs import ALICE, THREAD, body, execute, submit
from tests.support.functions import api_calls
from tests.support.functions.api_calls import Killed
from tests.support.runners.scripted import DONE, Use
from yarrow.protocol.outcome_request import MAX_BODY_BYTES, MAX_NOTE_LENGTH, read_outcome_request
from yarrow.protocol.problems import Code, Problem, ProblemCode
from yarrow.protocol.reading_outcome import SessionOutcome
from yarrow.protocol.response_body import to_json
from yarrow.runs.delete_session import delete_session
from yarrow.runs.get_history import latest_by_session, whole_session
from yarrow.runs.record_outcome import record_outcome
from yarrow.store import sessions, table
from yarrow.store.branches import Branch, to_text
from yarrow.store.feedback import session_outcomes
from yarrow.store.items.updates import EXISTS, Update

pytestmark = pytest.mark.usefixtures("aws")

FOLLOW_UP = body()["forwardedProps"] | {"runtime_mode": "follow_up"}


def thread(number: int) -> str:
    return f"{number:08d}-e29b-41d4-a716-446655440000"


def record(thread_id: str = THREAD, user: str = "alice", /, **members: Any) -> SessionOutcome:
    request = read_outcome_request(json.dumps({"outcome": "came_true"} | members).encode())
    return record_outcome(user, thread_id, request)


def refused(act: Callable[[], object]) -> ProblemCode:
    with pytest.raises(Problem) as caught:
        act()
    return caught.value.code


def store_run(text: str, run_id: str, mode: str = "follow_up", thread_id: str = THREAD) -> None:
    """A run that says this of the session's cast, or with the cast again."""
    payload = body()["forwardedProps"]["divinationPayload"]
    props = {"runtime_mode": mode, "divinationPayload": payload | ({"question": text} if mode == "chat" else {})}
    message = {"id": f"msg-{run_id}", "role": "user", "content": text}
    execute(submit(threadId=thread_id, runId=run_id, messages=[message], forwardedProps=props).task_id)


def read(thread_id: str = THREAD) -> None:
    """Store a session with a reading and a follow-up to it."""
    execute(submit(threadId=thread_id).task_id)
    store_run("那需要等多久?", "run-2", thread_id=thread_id)


def shown(snapshot: Any) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(to_json(snapshot))
    return document


def test_an_outcome_is_about_the_latest_reading_and_shown_with_the_session() -> None:
    """A follow-up is no reading."""
    read()
    assert "outcome" not in shown(whole_session(THREAD, "alice"))
    outcome = record(note="  周五收到了录用通知。 ")
    assert (outcome.thread_id, outcome.run_id, outcome.outcome) == (THREAD, "run-1", "came_true")
    assert outcome.note == "周五收到了录用通知。"
    assert shown(whole_session(THREAD, "alice", ui=True))["outcome"] == shown(outcome)
    listed = shown(latest_by_session("alice"))
    assert [message["outcome"] for message in listed["messages"]] == ["came_true"]
    assert listed["record"] == {"cameTrue": 1, "partly": 0, "didNot": 0, "rate": 1.0}
    assert "record" not in shown(latest_by_session("bob"))


def test_a_later_outcome_replaces_an_earlier_one_and_the_same_changes_nothing() -> None:
    read()
    first = record(outcome="did_not")
    assert record(outcome="did_not") == first
    with_note = record(outcome="did_not", note="没有")
    second = record(outcome="partly")
    assert (with_note.note, second.note) == ("没有", None)
    assert session_outcomes.counts("alice") == {"did_not": 0, "partly": 1}
    assert shown(whole_session(THREAD, "alice"))["outcome"] == shown(second)
    with api_calls.watched() as calls:
        record(outcome="partly")
    assert set(calls.made) <= {"GetItem", "Query"}


def test_the_record_counts_all_sessions_in_one_read() -> None:
    for number, outcome in enumerate(("came_true", "came_true", "did_not"), 1):
        execute(submit(threadId=thread(number)).task_id)
        record(thread(number), outcome=outcome)
    page = shown(latest_by_session("alice", "1"))
    assert page["record"] == {"cameTrue": 2, "partly": 0, "didNot": 1, "rate": 0.667}
    assert "record" not in shown(latest_by_session("alice", "1", thread(3)))


def test_a_run_can_be_named() -> None:
    """That of an earlier cast of the session; a follow-up has no outcome, nor has a run that goes on."""
    read()
    store_run("我下个月会搬家吗?", "run-3", "chat")
    assert record().run_id == "run-3"
    assert record(runId="run-1").run_id == "run-1"
    assert refused(lambda: record(runId="run-2")) is Code.AGENT_OUTCOME_NO_READING
    assert refused(lambda: record(runId="run-9")) is Code.AGENT_RUN_NOT_FOUND
    submit(runId="run-4", forwardedProps=FOLLOW_UP)
    assert refused(lambda: record(runId="run-4")) is Code.AGENT_OUTCOME_NO_READING


def test_a_declined_reading_has_no_outcome() -> None:
    """CARE-01, CARE-05: nor does a follow-up to one bring it a reading; an earlier reading of the session keeps its."""
    store_run("我不想活了，还有意义吗？", "run-1", "chat")
    store_run("那还有意义吗？", "run-2")
    assert refused(record) is Code.AGENT_OUTCOME_NO_READING
    assert refused(lambda: record(runId="run-1")) is Code.AGENT_OUTCOME_NO_READING
    session = sessions.read(THREAD)
    assert session is not None
    assert session.outcome is None
    execute(submit(threadId=thread(1)).task_id)
    store_run("我不想活了，还有意义吗？", "run-2", "chat", thread(1))
    assert record(thread(1)).run_id == "run-1"


def test_a_session_without_an_answer_has_no_outcome() -> None:
    submit()
    assert refused(record) is Code.AGENT_OUTCOME_NO_READING


def test_the_cast_of_an_assistant_is_a_reading(use: Use) -> None:
    """Its message has the card of the cast; an answer with another card is none."""
    cards = {"ui_hints": {"cards": [{"title": {"word": "cast"}, "body": "可行"}]}}
    other = {"ui_hints": {"cards": [{"title": {"word": "event_created"}}]}}
    for number, (output, is_reading) in enumerate(((cards, True), (other, False)), 1):
        data = {"message": {"role": "assistant", "content": "一"}, "output": output}
        use(("message.completed", data), DONE)
        execute(submit(threadId=thread(number)).task_id)
        if is_reading:
            assert record(thread(number)).run_id == "run-1"
        else:
            assert refused(partial(record, thread(number))) is Code.AGENT_OUTCOME_NO_READING


def test_a_reading_that_was_superseded_has_no_outcome() -> None:
    """C38: as the history does not show it."""
    execute(submit().task_id)
    branched = Update().set(branches=to_text([Branch(3, 1, 0)]))
    table.update_returning(table.session_key(THREAD), branched, EXISTS)
    assert refused(record) is Code.AGENT_OUTCOME_NO_READING
    assert refused(lambda: record(runId="run-1")) is Code.AGENT_OUTCOME_NO_READING


REFUSED: dict[str, tuple[Any, str]] = {
    "no JSON": (b"{", "must be valid JSON"),
    "no object": (b"[]", "must be an object"),
    "no outcome": (b"{}", "is required"),
    "another outcome": (b'{"outcome": "maybe"}', 'must be "came_true", "partly" or "did_not"'),
    "a long note": (
        json.dumps({"outcome": "partly", "note": "好" * (MAX_NOTE_LENGTH + 1)}).encode(),
        f"must have {MAX_NOTE_LENGTH} or fewer characters",
    ),
    "no text": (b'{"outcome": "partly", "note": 1}', "must be a string"),
    "no run id": (b'{"outcome": "partly", "runId": ""}', "must have 1 or more characters"),
    "another member": (b'{"outcome": "partly", "secret": 1}', "is not a known member"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_body_that_is_none_is_refused_by_member(case: str) -> None:
    """ERR-11, SEC-05: what a client calls a member of its own is not repeated."""
    raw, reason = REFUSED[case]
    with pytest.raises(Problem) as caught:
        read_outcome_request(raw)
    assert (caught.value.code, caught.value.params) == (Code.AGENT_OUTCOME_INVALID, {"reason": reason})
    member = {"no JSON": "body", "no object": "body", "no run id": "runId", "another member": "member"}.get(case)
    assert caught.value.detail == f"invalid {member or ('note' if b'note' in raw else 'outcome')}"


def test_a_note_of_any_script_may_have_its_length() -> None:
    for letter in ("好", "😀", "a"):
        raw = json.dumps({"outcome": "partly", "note": letter * MAX_NOTE_LENGTH}).encode()
        assert read_outcome_request(raw).note == letter * MAX_NOTE_LENGTH
    with pytest.raises(Problem) as caught:
        read_outcome_request(b" " * (MAX_BODY_BYTES + 1))
    assert caught.value.code is Code.REQUEST_TOO_LARGE
    assert read_outcome_request(b'{"outcome": "partly"}'.ljust(MAX_BODY_BYTES)).outcome == "partly"


def test_an_outcome_is_of_the_owner_alone() -> None:
    """SEC-03, ERR-05."""
    read()
    assert refused(lambda: record(THREAD, "bob")) is Code.AGENT_FORBIDDEN
    assert refused(lambda: record(thread(9))) is Code.AGENT_SESSION_NOT_FOUND
    assert refused(lambda: record("thread_001")) is Code.AGENT_SESSION_ID_INVALID
    delete_session("alice", THREAD)
    assert refused(record) is Code.AGENT_SESSION_NOT_FOUND


def test_it_goes_with_its_session() -> None:
    """SES-01, SES-02: the note as well, and it counts no more, however often the session is deleted."""
    read()
    record(note="好")
    record(note="好", outcome="partly")
    for _ in range(2):
        delete_session("alice", THREAD)
        assert session_outcomes.counts("alice") == {"came_true": 0, "partly": 0}
        assert session_outcomes.read("alice", THREAD) is None
    assert "record" not in shown(latest_by_session("alice"))


def test_a_delete_that_broke_off_is_finished_by_the_next() -> None:
    """SES-02: wherever it broke off, the outcome is counted no more and only once less."""
    with api_calls.watched() as calls:
        for at in count(1):
            execute(submit(threadId=thread(at)).task_id)
            record(thread(at))
            calls.reset(at, api_calls.killed_after)
            with suppress(Killed):
                delete_session("alice", thread(at))
            struck = calls.struck
            calls.reset()
            delete_session("alice", thread(at))
            assert session_outcomes.counts("alice")["came_true"] == 0
            if not struck:
                break
    assert at > 2


ACTS: dict[str, Callable[[str], object]] = {
    "another outcome": lambda of: record(of, outcome="did_not"),
    "the same": lambda of: record(of, outcome="partly"),
    "a delete": lambda of: delete_session("alice", of),
    "a run": lambda of: submit(ALICE, threadId=of, runId="run-2", forwardedProps=FOLLOW_UP),
}


@pytest.mark.parametrize("other", ACTS)
@pytest.mark.parametrize("before", [None, "came_true"])
def test_whatever_comes_between_its_calls_the_counts_are_right(other: str, before: str | None) -> None:
    """CMP-12: the counts are those of the outcomes that sessions have, none of them deleted."""
    with api_calls.watched() as calls:
        for at in count(1):
            execute(submit(threadId=thread(at)).task_id)
            if before is not None:
                record(thread(at), outcome=before)
            calls.reset(at, api_calls.interrupted_by(partial(ACTS[other], thread(at))))
            with suppress(Problem):
                record(thread(at), outcome="partly")
            struck = calls.struck
            calls.reset()
            check_counts(at)
            if not struck:
                break
    assert at > 4


@pytest.mark.parametrize("fault", [api_calls.asked_twice, api_calls.collided])
def test_what_happens_to_a_call_changes_no_count(fault: api_calls.Fault) -> None:
    """CMP-12."""
    with api_calls.watched() as calls:
        for at in count(1):
            execute(submit(threadId=thread(at)).task_id)
            record(thread(at), outcome="did_not")
            calls.reset(at, fault)
            record(thread(at), outcome="partly")
            struck = calls.struck
            calls.reset()
            check_counts(at)
            if not struck:
                break
    assert at > 4


def check_counts(made: int) -> None:
    """Compare the counts with the sessions, one by one."""
    kept = [sessions.must_read(thread(number)) for number in range(1, made + 1)]
    words = [session.outcome for session in kept if session.deleted_at is None and session.outcome is not None]
    counted = {word: amount for word, amount in session_outcomes.counts("alice").items() if amount}
    assert counted == {word: words.count(word) for word in words}
    for session in kept:
        stored = session_outcomes.read("alice", session.thread_id)
        assert (stored.outcome if stored else None) == (None if session.deleted_at else session.outcome)
    assert table.get({"pk": "OUTCOMES#alice", "sk": "OUTCOMES"}) is not None or not words
