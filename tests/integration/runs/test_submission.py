"""Submitting runs against the table: stored whole or not at all, repeated safely, refused clearly."""

import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import pytest

from tests.support.divination_runs import ALICE, BOB, THREAD, body, end, refusal, submit
from tests.support.example_cast import EXAMPLE
from tests.support.journals import numbered
from yarrow.protocol.problems import Code, Problem, ProblemCode
from yarrow.protocol.run_input.body import read_messages
from yarrow.protocol.run_input.messages import Message
from yarrow.runs.earlier_messages import earlier_messages
from yarrow.runs.submission.door import PlainDoor
from yarrow.runs.submission.reading import read_submission
from yarrow.runs.submit_run import TaskAccepted, submit_run
from yarrow.runs.submit_run import submit as submit_read
from yarrow.settings import settings
from yarrow.store import clients, runs, sessions, submit_snapshot
from yarrow.store.limits import run_slots, usage
from yarrow_agents.divination import error_codes

pytestmark = pytest.mark.usefixtures("aws")


def test_a_first_run_makes_its_session_and_is_accepted() -> None:
    """RUN-01, RUN-19, FUP-01."""
    accepted = submit()
    assert accepted.document() == {
        "taskId": accepted.task_id,
        "threadId": THREAD,
        "runId": "run-1",
        "created": True,
    }
    assert sessions.read_owned(THREAD, "alice").agent == "divination"


def test_the_message_and_the_first_event_are_stored_before_the_execution_is_started() -> None:
    """RUN-20, RUN-27, EVT-07, EVT-27: the execution is given an id and nothing else."""
    accepted = submit(parentRunId="run-0")
    assert [(message.role, message.content, message.seq) for message in sessions.messages(THREAD)] == [
        ("user", "我最近换工作是否合适?", 1)
    ]
    assert [(number, json.loads(line)) for number, line in numbered(accepted.task_id)] == [
        (1, {"type": "RUN_STARTED", "threadId": THREAD, "runId": "run-1", "parentRunId": "run-0"})
    ]
    execution = only_execution()
    assert execution["name"] == accepted.task_id
    assert json.loads(execution["input"]) == {"runKey": accepted.task_id}


def only_execution() -> Any:
    client = clients.step_functions()
    (execution,) = client.list_executions(stateMachineArn=settings.state_machine_arn)["executions"]
    return client.describe_execution(executionArn=execution["executionArn"])


def test_the_same_submit_again_answers_the_same_and_makes_nothing() -> None:
    """RUN-23, also when the members come in another order."""
    first = submit()
    reordered = json.dumps(dict(reversed(body().items()))).encode()
    assert submit_run(reordered, ALICE) == first
    assert len(list(sessions.messages(THREAD))) == 1
    only_execution()


def test_a_repeat_that_reads_half_of_the_first_looks_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """RUN-23: readings of several items are not kept apart from a transaction that writes them."""
    first = submit()
    whole = submit_snapshot.read_with
    position, others = whole(THREAD, first.task_id, run_slots.key("alice"), usage.key("alice"))
    readings = iter([(position._replace(run=None), others)])
    monkeypatch.setattr(submit_snapshot, "read_with", lambda *keys: next(readings, None) or whole(*keys))
    assert submit() == first
    assert next(readings, None) is None


def test_the_same_run_id_with_another_body_is_a_conflict() -> None:
    """RUN-23."""
    submit()
    other = [{"id": "msg-1", "role": "user", "content": "另一个问题"}]
    assert refusal(messages=other) is Code.AGENT_RUN_CONFLICT


def test_a_repeat_starts_an_execution_whose_start_was_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """RUN-23: the run was stored, then Step Functions was out of reach."""

    class Unreachable(Exception):
        pass

    def fail(**_: Any) -> None:
        raise Unreachable

    with monkeypatch.context() as patched:
        patched.setattr(clients.step_functions(), "start_execution", fail)
        with pytest.raises(Unreachable):
            submit()
    accepted = submit()
    assert accepted.created
    assert only_execution()["name"] == accepted.task_id


def test_the_case_of_a_thread_id_does_not_matter_but_is_kept() -> None:
    """RUN-04: some platforms write UUIDs in capitals."""
    submit(threadId=THREAD.upper())
    assert sessions.read_owned(THREAD, "alice").thread_id == THREAD.upper()
    assert refusal(runId="run-2") is Code.AGENT_RUN_IN_PROGRESS


def test_a_repeat_may_spell_the_thread_id_in_another_case() -> None:
    """RUN-04, RUN-23: it is the same run. A runId is no UUID but any name, and as it is."""
    first = submit()
    assert submit(threadId=THREAD.upper()) == first
    by_snake = {name: value for name, value in body().items() if name != "threadId"} | {"thread_id": THREAD.title()}
    assert submit_run(json.dumps(by_snake).encode(), ALICE) == first
    assert refusal(runId="Run-1") is Code.AGENT_RUN_IN_PROGRESS
    end(first.task_id)
    assert submit(runId="Run-1").task_id != first.task_id


@pytest.mark.parametrize(
    ("names", "wrong"),
    [([""], 0), (["查天气", "x" * 257], 1), (["confirm", "a b", "confirm"], 2), (["查天气", "calendar_read"], 1)],
)
def test_a_tool_of_the_front_end_needs_a_name_of_its_own(names: list[str], wrong: int) -> None:
    """TOOL-01, TOOL-05, C44: of 1 to 256 characters, whatever they are."""
    tools = [{"name": name, "description": "…", "parameters": {}} for name in names]
    with pytest.raises(Problem) as caught:
        submit(tools=tools)
    assert (caught.value.status, caught.value.detail) == (422, f"invalid RunAgentInput.tools[{wrong}].name")
    assert caught.value.params
    assert sessions.read(THREAD) is None


def test_the_same_run_id_of_two_users_names_two_runs() -> None:
    """RUN-23, SEC-06."""
    other_thread = "650e8400-e29b-41d4-a716-446655440000"
    assert submit().task_id != submit(BOB, threadId=other_thread).task_id


def test_another_users_thread_is_forbidden() -> None:
    """RUN-24, SEC-03, ERR-05."""
    submit()
    assert refusal(BOB) is Code.AGENT_FORBIDDEN
    assert refusal(BOB, runId="run-2") is Code.AGENT_FORBIDDEN
    assert len(list(sessions.messages(THREAD))) == 1


def test_a_session_takes_one_run_at_a_time() -> None:
    """CMP-12: the second is refused until the first has ended."""
    accepted = submit()
    assert refusal(runId="run-2") is Code.AGENT_RUN_IN_PROGRESS
    end(accepted.task_id)
    second = submit(runId="run-2", messages=[{"id": "msg-2", "role": "user", "content": "然后呢?"}])
    assert not second.created
    assert [message.seq for message in sessions.messages(THREAD)] == [1, 2]


@pytest.mark.parametrize(
    ("again", "expected"),
    [
        ({}, ["我最近换工作是否合适?"]),
        ({"id": "msg-2"}, ["我最近换工作是否合适?"] * 2),
        ({"content": "然后呢?"}, ["我最近换工作是否合适?", "然后呢?"]),
    ],
)
def test_a_question_that_was_not_answered_may_be_asked_again(again: dict[str, Any], expected: list[str]) -> None:
    """HIS-17, HIS-19: the message stands in the history once, as long as it is the same."""
    end(submit().task_id)
    question = body()["messages"][0]
    end(submit(runId="run-2", messages=[question | again]).task_id)
    assert [message.content for message in sessions.messages(THREAD)] == expected


@dataclass(frozen=True, slots=True)
class Elsewhere(PlainDoor):
    """A door whose new sessions continue a conversation that was held elsewhere."""

    earlier: Sequence[Message] = ()

    def earlier_messages(self, run: runs.Run) -> Sequence[sessions.StoredMessage]:
        return earlier_messages(run, self.earlier)


def submitted_after(raw: bytes, earlier: Sequence[Message]) -> TaskAccepted:
    submission = read_submission(raw, ALICE, None, None)
    return submit_read(replace(submission, door=Elsewhere(earlier=earlier)))


def test_what_was_said_elsewhere_becomes_part_of_a_new_session_alone() -> None:
    """C22, RUN-23: words of user and assistant; never of a session that is here, and never of the run itself."""
    earlier = read_messages(
        [
            {"id": "a", "role": "user", "content": "早"},
            {"id": "b", "role": "assistant", "content": "您好"},
            {"id": "c", "role": "system", "content": "secret"},
            {"id": "d", "role": "assistant", "content": None},
        ]
    )
    raw, again = (json.dumps(body(runId=run_id)).encode() for run_id in ("run-1", "run-2"))
    first = submitted_after(raw, earlier)
    assert submitted_after(raw, earlier) == first == submit_run(raw, ALICE)
    end(first.task_id)
    submitted_after(again, earlier)
    assert [(message.seq, message.role, message.content) for message in sessions.messages(THREAD)] == [
        (1, "user", "早"),
        (2, "assistant", "您好"),
        (3, "user", "我最近换工作是否合适?"),
    ]
    assert "您好" not in json.dumps(runs.read_input(first.task_id), ensure_ascii=False)


@pytest.mark.parametrize(("number", "size", "kept"), [(41, 10, 40), (70, 1_000, 21)])
def test_of_what_was_said_elsewhere_the_latest_is_kept_as_far_as_there_is_room(
    number: int, size: int, kept: int
) -> None:
    """C22, RUN-27."""
    messages = [{"id": str(index), "role": "assistant", "content": "卦" * size} for index in range(number)]
    submitted_after(json.dumps(body()).encode(), read_messages(messages))
    *before, question = sessions.messages(THREAD)
    assert [message.id for message in before] == [str(index) for index in range(number - kept, number)]
    assert question.seq == kept + 1


def test_what_only_the_other_door_may_say_is_passed_over() -> None:
    """RUN-23, C22: a run is the same with it and without."""
    first = submit(passedOn={"toolResults": 7, "forwardedProps": {"mine": 1}})
    assert submit() == first
    assert "passedOn" not in runs.read_input(first.task_id)


def test_a_follow_up_needs_a_session() -> None:
    """FUP-02, ERR-05."""
    props = body()["forwardedProps"] | {"runtime_mode": "follow_up"}
    assert refusal(forwardedProps=props) is Code.AGENT_SESSION_NOT_FOUND
    assert sessions.read(THREAD) is None


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"threadId": "thread_001"}, Code.AGENT_RUN_INPUT_INVALID),
        ({"messages": []}, Code.AGENT_RUN_MESSAGES_INVALID),
        ({"forwardedProps": {"runtime_mode": "chat"}}, error_codes.REQUIRED),
        (
            {"forwardedProps": {"runtime_mode": "automation", "divinationPayload": EXAMPLE}},
            Code.AGENT_RUNTIME_MODE_INVALID,
        ),
        ({"state": None}, Code.AGENT_RUN_INPUT_INVALID),
        (
            {
                "messages": [
                    {
                        "id": "m",
                        "role": "user",
                        "content": [{"type": "binary", "mimeType": "image/png", "url": "https://example.com/a.png"}],
                    }
                ]
            },
            Code.AGENT_RUN_MESSAGES_INVALID,
        ),
    ],
)
def test_a_refused_run_leaves_nothing(changes: dict[str, Any], code: Code) -> None:
    """RUN-15, RUN-16, RUN-18, DIV-07: There is no session, no run and no execution."""
    assert refusal(**changes) is code
    found = clients.dynamodb().scan(TableName=settings.table_name)
    assert found["Count"] == 0


def test_what_was_sent_is_stored_as_it_came() -> None:
    """RUN-03, RUN-27: a body within the limit always has room, however long its numbers are written out."""
    accepted = submit_run(
        json.dumps(body()).replace('"state": {}', '"state": {"n": [' + "1e15," * 40_000 + "1]}").encode(), ALICE
    )
    assert runs.read_input(accepted.task_id)["state"]["n"][0] == 1e15


def test_of_many_submits_at_once_one_run_is_made() -> None:
    """RUN-19, RUN-23: the same submit eight times over, and all are told the same."""
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: submit(), range(8)))
    assert set(answers) == {answers[0]}
    assert len(list(sessions.messages(THREAD))) == 1


def test_of_many_runs_at_once_one_is_taken() -> None:
    """CMP-12, RUN-19: the others are refused, and one alone made the session."""

    def attempt(number: int) -> TaskAccepted | ProblemCode:
        try:
            return submit(runId=f"run-{number}")
        except Problem as problem:
            return problem.code

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(attempt, range(8)))
    assert answers.count(Code.AGENT_RUN_IN_PROGRESS) == 7
    assert [answer.created for answer in answers if isinstance(answer, TaskAccepted)] == [True]
