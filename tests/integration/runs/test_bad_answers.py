"""Answers that are refused: each kind has its registered code, and nothing is lost by it (ASK-04)."""

import asyncio
import json
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any, Final, NamedTuple

import pytest

from tests.support.agui.app import body as agui_body
from tests.support.divination_runs import ALICE, BOB, THREAD, body, execute, submit
from tests.support.journals import text
from tests.support.runners.asking import (
    YES,
    Asked,
    Asker,
    answered,
    cancelled,
    choice,
    confirm,
    entry,
    form,
    in_words,
    refused,
    resumed,
)
from yarrow.protocol.interrupts import MAX_BODY_BYTES, read_answer_body
from yarrow.protocol.questions import MAX_ANSWER_BYTES
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.runs.answer_questions import answer_question
from yarrow.runs.cancel_run import cancel_run
from yarrow.runs.delete_session import delete_session
from yarrow.runs.list_interrupts import list_interrupts
from yarrow.runs.send_message import send_message
from yarrow.store import questions, sessions

pytestmark = [pytest.mark.usefixtures("aws"), pytest.mark.memory]

Code = tuple[int, str]
INVALID: Final[Code] = (422, "AGENT_INTERRUPT_ANSWER_INVALID")
TOO_LARGE: Final[Code] = (413, "AGENT_INTERRUPT_ANSWER_INVALID")
UNREADABLE: Final[Code] = (400, "REQUEST_INVALID")
NOT_FOUND: Final[Code] = (404, "AGENT_INTERRUPT_NOT_FOUND")
ANSWERED: Final[Code] = (409, "AGENT_INTERRUPT_ANSWERED")
EXPIRED: Final[Code] = (410, "AGENT_INTERRUPT_EXPIRED")
INCOMPLETE: Final[Code] = (422, "AGENT_INTERRUPT_INCOMPLETE")
MALFORMED: Final[Code] = (422, "AGENT_RUN_INPUT_INVALID")
ACTIVE: Final[Code] = (409, "AGENT_RUN_IN_PROGRESS")
OPEN: Final[Code] = (409, "AGENT_INTERRUPT_OPEN")
FORBIDDEN: Final[Code] = (403, "AGENT_FORBIDDEN")
NO_SESSION: Final[Code] = (404, "AGENT_SESSION_NOT_FOUND")


def _resolved(payload: Any) -> bytes:
    return json.dumps({"status": "resolved", "payload": payload}).encode()


def _raw(payload: str) -> bytes:
    return b'{"status": "resolved", "payload": %s}' % payload.encode()


BODIES: Final[dict[str, tuple[Any, bytes, Code]]] = {
    "nothing": (confirm, b"", UNREADABLE),
    "half a body": (confirm, b'{"status": "resol', UNREADABLE),
    "a byte order mark": (confirm, b"\xef\xbb\xbf" + _resolved(YES), UNREADABLE),
    "bytes that are no UTF-8": (in_words, b'{"status": "resolved", "payload": "\xff"}', UNREADABLE),
    "half a character": (in_words, _raw('"\\ud800"'), UNREADABLE),
    "NaN": (form, _raw('{"seats": NaN}'), UNREADABLE),
    "Infinity": (form, _raw('{"seats": Infinity}'), UNREADABLE),
    "a number beyond floats": (form, _raw('{"seats": 1e999}'), UNREADABLE),
    "thousands of digits": (form, _raw(f'{{"seats": {"9" * 5_000}}}'), UNREADABLE),
    "a name twice": (confirm, _raw('{"approved": true, "approved": false}'), UNREADABLE),
    "a payload that is too deep": (form, _raw("[" * 300 + "]" * 300), UNREADABLE),
    "a payload that is deep": (form, _raw("[" * 150 + "]" * 150), INVALID),
    "a list": (confirm, b'["resolved"]', INVALID),
    "a word": (confirm, b'"resolved"', INVALID),
    "no status": (confirm, b"{}", INVALID),
    "another status": (confirm, b'{"status": "failed"}', INVALID),
    "a status in capitals": (confirm, b'{"status": "RESOLVED", "payload": {"approved": true}}', INVALID),
    "a status that is null": (confirm, b'{"status": null, "payload": {"approved": true}}', INVALID),
    "a status that is a number": (confirm, b'{"status": 1}', INVALID),
    "no payload": (confirm, b'{"status": "resolved"}', INVALID),
    "null": (confirm, _resolved(None), INVALID),
    "a bare yes": (confirm, _resolved(True), INVALID),
    "a yes as JSON in a string": (confirm, _resolved('{"approved": true}'), INVALID),
    "nothing approved": (confirm, _resolved({}), INVALID),
    "a yes in words": (confirm, _resolved({"approved": "true"}), INVALID),
    "a yes as a number": (confirm, _resolved({"approved": 1}), INVALID),
    "a yes that is null": (confirm, _resolved({"approved": None}), INVALID),
    "a reason that is no text": (confirm, _resolved({"approved": False, "reason": 7}), INVALID),
    "a reason without end": (confirm, _resolved({"approved": False, "reason": "x" * 2_001}), INVALID),
    "an answer of another kind": (choice, _resolved(YES), INVALID),
    "no option": (choice, _resolved("up"), INVALID),
    "an option by its index": (choice, _resolved(0), INVALID),
    "two options": (choice, _resolved(["left", "right"]), INVALID),
    "an empty text": (in_words, _resolved(""), INVALID),
    "a text that is too long": (in_words, _resolved("x" * 10_001), INVALID),
    "a text that is an object": (in_words, _resolved({}), INVALID),
    "a form without what it needs": (form, _resolved({"name": "A"}), INVALID),
    "a form with another member": (form, _resolved({"seats": 2, "class": 1}), INVALID),
    "a form out of its bounds": (form, _resolved({"seats": 10}), INVALID),
    "a form with half a seat": (form, _resolved({"seats": 1.5}), INVALID),
    "a form with a number in words": (form, _resolved({"seats": "2"}), INVALID),
    "a form that is a list": (form, _resolved([{"seats": 1}]), INVALID),
    "an answer that is too large": (form, _resolved({"seats": 1, "name": "x" * MAX_ANSWER_BYTES}), TOO_LARGE),
    "a body that is too large": (in_words, _resolved("x" * MAX_BODY_BYTES), TOO_LARGE),
    "a megabyte": (in_words, _resolved("x" * 2**20), TOO_LARGE),
}


@pytest.mark.parametrize("kind", BODIES)
def test_a_bad_answer_has_a_code_and_changes_nothing(kind: str, ask: Asked) -> None:
    """ASK-04: the question stays open, for a good one."""
    act, raw, code = BODIES[kind]
    question = ask(act)
    before = sessions.must_read(THREAD)
    assert refused(lambda: answer_question(ALICE, read_answer_body(question, raw))) == code
    assert sessions.must_read(THREAD) == before
    assert [line.id for line in before.open_questions] == [question]
    cancelled(question)


class Situation(NamedTuple):
    """What has happened before; then the answer that is refused. `is_open`: the question can be answered after it."""

    before: Callable[["Scene"], object]
    answer: Callable[["Scene"], object]
    code: Code
    is_open: bool


class Scene:
    """A session whose first run has asked two questions."""

    def __init__(self, ask: Asked, later: Callable[[timedelta], None]) -> None:
        self.later = later
        self.question = ask(_both)
        self.other = sessions.must_read(THREAD).open_questions[1].id

    def in_another_session(self) -> str:
        """Have another session ask; returns its question."""
        thread = THREAD[:-1] + "1"
        execute(submit(threadId=thread, runId="run-a").task_id)
        return sessions.must_read(thread).open_questions[0].id

    def say(self, message: str, words: str, **members: Any) -> None:
        """Send a message by an AG-UI client."""
        new = {"id": message, "role": "user", "content": words}
        listed = [new] if message == "msg-1" else [{**body()["messages"][0]}, new]
        send_message(json.dumps(agui_body("run-7", *listed, threadId=THREAD, **members)).encode(), ALICE)


async def _both(_: Asker, api: AgentRunAPIProxy) -> Any:
    one, two = await asyncio.gather(api.ask("One?"), api.ask("Two?"))
    return f"{one.status} {two.status}"


def _nothing(_: Scene) -> None:
    pass


def _too_late(scene: Scene) -> None:
    scene.later(timedelta(days=8))


def _answer(scene: Scene) -> None:
    execute(answered(scene.question, YES).task_id)


def _delete(_: Scene) -> None:
    delete_session("alice", THREAD)


def _edit(scene: Scene) -> None:
    scene.say("msg-1", "Another question.")


def _leave(scene: Scene) -> None:
    scene.say("msg-2", "Never mind.")


def _leave_late(scene: Scene) -> None:
    _too_late(scene)
    _leave(scene)


def _answer_and_cancel(scene: Scene) -> None:
    accepted = answered(scene.other, YES)
    cancel_run("alice", THREAD, accepted.run_id)


def _resume(*entries: Callable[[Scene], Any], **changes: Any) -> Callable[[Scene], object]:
    return lambda scene: resumed(*(one(scene) for one in entries), **changes)


def _one(scene: Scene) -> dict[str, Any]:
    return entry(scene.question)


def _two(scene: Scene) -> dict[str, Any]:
    return entry(scene.other)


def _no(scene: Scene) -> dict[str, Any]:
    return entry(scene.question, {"approved": False})


def _id(value: Any) -> Callable[[Scene], Any]:
    return lambda _: {**entry("x"), "interruptId": value}


SITUATIONS: Final[dict[str, Situation]] = {
    "another user": Situation(_nothing, lambda scene: answered(scene.question, YES, BOB), NOT_FOUND, True),
    "another user's resume": Situation(_nothing, _resume(_one, _two, caller=BOB), FORBIDDEN, True),
    "an unknown id": Situation(_nothing, lambda _: answered("0" * 32, YES), NOT_FOUND, True),
    "an id that is none": Situation(_nothing, lambda _: answered("../OPEN#~", YES), NOT_FOUND, True),
    "an id in capitals": Situation(_nothing, lambda scene: answered(scene.question.upper(), YES), NOT_FOUND, True),
    "an expired question": Situation(_too_late, lambda scene: answered(scene.question, YES), EXPIRED, True),
    "a resume of expired questions": Situation(_too_late, _resume(_one, _two), EXPIRED, True),
    "another answer": Situation(_answer, lambda scene: answered(scene.question, {"approved": False}), ANSWERED, False),
    "a cancel after the answer": Situation(_answer, lambda scene: cancelled(scene.question), ANSWERED, False),
    "another answer by the other door": Situation(_answer, _resume(_no, _two), ANSWERED, False),
    "an answer while the other's run goes on": Situation(
        lambda scene: answered(scene.other, YES), lambda scene: answered(scene.question, YES), ACTIVE, False
    ),
    "a deleted session": Situation(_delete, lambda scene: answered(scene.question, YES), NO_SESSION, False),
    "a resume of a deleted session": Situation(_delete, _resume(_one, _two), NO_SESSION, False),
    "an edited branch": Situation(_edit, lambda scene: answered(scene.question, YES), ANSWERED, False),
    "a resume of an edited branch": Situation(_edit, _resume(_one, _two), ANSWERED, False),
    "a question that was left": Situation(_leave, lambda scene: answered(scene.question, YES), ANSWERED, False),
    "a question that was left late": Situation(
        _leave_late, lambda scene: answered(scene.question, YES), EXPIRED, False
    ),
    "a question whose run was cancelled": Situation(
        _answer_and_cancel, lambda scene: answered(scene.question, YES), ANSWERED, False
    ),
    "half of a resume": Situation(_nothing, _resume(_one), INCOMPLETE, True),
    "a resume with an unknown id": Situation(_nothing, _resume(_one, _two, _id("0" * 32)), NOT_FOUND, True),
    "a resume with a question of another session": Situation(
        _nothing, lambda scene: resumed(_one(scene), _two(scene), entry(scene.in_another_session())), NOT_FOUND, True
    ),
    "a resume in another session": Situation(
        lambda scene: scene.in_another_session(), _resume(_one, _two, threadId=THREAD[:-1] + "1"), NOT_FOUND, True
    ),
    "a resume of no session": Situation(_nothing, _resume(_one, threadId=THREAD[:-1] + "9"), NO_SESSION, True),
    "a resume with one question twice": Situation(_nothing, _resume(_one, _two, _no), MALFORMED, True),
    "a resume without an id": Situation(_nothing, _resume(_one, _id(None)), MALFORMED, True),
    "a resume with an id that is a number": Situation(_nothing, _resume(_one, _id(7)), MALFORMED, True),
    "a resume with an empty id": Situation(_nothing, _resume(_one, _id("")), MALFORMED, True),
    "a resume with an id without end": Situation(_nothing, _resume(_one, _id("x" * 129)), MALFORMED, True),
    "a resume that is a word": Situation(_nothing, lambda _: resumed(resume="yes"), MALFORMED, True),
    "a resume of words": Situation(_nothing, lambda _: resumed(resume=["yes"]), MALFORMED, True),
    "a resume of six": Situation(_nothing, _resume(*(_id(str(number)) for number in range(6))), MALFORMED, True),
    "a resume of which one does not match": Situation(
        _nothing, _resume(_one, lambda scene: entry(scene.other, {"approved": 1})), INVALID, True
    ),
    "a run without a resume": Situation(_nothing, lambda _: submit(runId="run-2"), OPEN, True),
    "a message without a resume": Situation(
        _nothing, lambda scene: scene.say("msg-2", "Well?", protocolVersion="1.0"), OPEN, True
    ),
}


def _stored(scene: Scene) -> object:
    """What there is of the session and its questions, but not of rates."""
    return sessions.read(THREAD), questions.read("alice", [scene.question, scene.other])


@pytest.mark.parametrize("name", SITUATIONS)
def test_an_answer_that_cannot_be_taken_is_refused(name: str, ask: Asked, later: Callable[[timedelta], None]) -> None:
    """ASK-02, ASK-04, ASK-07: nothing is lost: what was open is, and what was answered keeps its answer."""
    situation, scene = SITUATIONS[name], Scene(ask, later)
    situation.before(scene)
    before = _stored(scene)
    assert refused(partial(situation.answer, scene)) == situation.code
    assert _stored(scene) == before
    if situation.is_open:
        later(timedelta(0))
        assert {item.id for item in list_interrupts("alice").interrupts} >= {scene.question, scene.other}
        good = resumed(entry(scene.question), entry(scene.other, {"approved": False}), run_id="run-8")
        execute(good.task_id)
        assert text(good.task_id) == "So be it: answered refused"
