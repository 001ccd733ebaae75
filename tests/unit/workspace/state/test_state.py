"""The state of a workspace: the fold of its log, pure, total and bounded."""

from collections.abc import Mapping
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from yarrow.formats import json_text
from yarrow.protocol.workspace.models import Execution
from yarrow.workspace.state import changes, session
from yarrow.workspace.state import state as fold
from yarrow.workspace.state.changes import Change
from yarrow.workspace.state.session import MAX_MESSAGES
from yarrow.workspace.state.state import MAX_BYTES, MAX_SESSIONS, WorkspaceState

CHOICE = {"id": "q", "text": "t", "options": [{"id": "a", "label": "A"}], "selectedOptionId": ""}
RUNNING: Execution = {"paused": False, "canceled": False, "started": True}


def folded(*entries: list[Change]) -> WorkspaceState:
    state = WorkspaceState()
    for number, entry in enumerate(entries):
        state = fold.apply(state, entry, f"cause-{number}")
    return state


def one(*entry: Change) -> session.WorkspaceSession:
    """Return the session `s` after these changes."""
    found = folded([changes.session_added("s", "S", 1, "en"), *entry]).session("s")
    assert found is not None
    return found


def message(number: int, size: int = 1) -> Change:
    shown = {"id": f"m{number}", "role": "user", "content": "x" * size, "createdAt": number}
    return {"op": changes.MESSAGE, "session": "s", "message": shown}


def command(run_id: str, type_: str = "workspace.input") -> Mapping[str, Any]:
    return {"run_id": run_id, "type": type_, "data": {}, "text": "t"}


def test_lists_let_go_of_what_is_old() -> None:
    many = one(*map(message, range(MAX_MESSAGES + 5)))
    assert len(many.messages) == MAX_MESSAGES
    assert many.messages[-1]["id"] == f"m{MAX_MESSAGES + 4}"
    state = folded([changes.session_added(str(index), "S", index, "en") for index in range(MAX_SESSIONS + 3)])
    assert [session.id for session in state.sessions] == [str(index) for index in range(3, MAX_SESSIONS + 3)]


def test_the_state_fits_in_an_item() -> None:
    state = folded(
        [changes.session_added("s", "S", 1, "en"), changes.session_added("t", "T", 1, "en")],
        *([message(index, 20_000)] for index in range(40)),
    )
    assert len(json_text.dumps(state.document())) < MAX_BYTES + 10_000
    assert state.sessions[0].messages[-1]["id"] == "m39"


def test_an_unknown_change_or_session_changes_nothing() -> None:
    assert one({"op": "new", "session": "s"}) == one()
    assert folded([message(1)]).sessions == ()


def test_a_run_takes_its_command_and_gives_its_place_back() -> None:
    """WSP-09: one at a time; what came first goes first."""
    waiting = [changes.queued("s", command("r1")), changes.queued("s", command("r2"))]
    active = one(*waiting, changes.started("s", "k1", "r1", 5))
    assert [run["run_id"] for run in active.waiting] == ["r2"]
    assert active.thinking is None
    assert active.started
    done = one(*waiting, changes.started("s", "k1", "r1", 5), changes.ended("s", "k1"))
    assert done.run is None
    assert (
        one(
            *waiting, changes.started("s", "k1", "r1", 5), changes.ended("s", "k1"), changes.started("s", "k1", "r1", 5)
        )
        == done
    )


def test_a_pause_stops_the_run_and_keeps_its_command() -> None:
    """WSP-16, C29: also of a run that is told only afterwards."""
    pause = [changes.execution("s", {**RUNNING, "paused": True}, 1, "pause"), changes.held("s")]
    begin = [changes.queued("s", command("r1"))]
    start = changes.started("s", "k1", "r1", 5)
    for paused in (one(*begin, start, *pause), one(*begin, *pause, start)):
        assert paused.stopping == "k1"
        assert paused.held == command("r1")
    resumed = one(*begin, start, *pause, changes.ended("s", "k1"), changes.execution("s", RUNNING, 2, "resume"))
    assert (resumed.stopping, resumed.held) == (None, None)


def test_a_cancel_drops_what_waits_and_stops_what_was_submitted_meanwhile() -> None:
    """WSP-17."""
    items = [{"key": name, "status": name} for name in ("pending", "running", "review", "done", "failed")]
    canceled = one(
        changes.subtasks("s", items, 1),
        changes.queued("s", command("r1")),
        changes.queued("s", command("r2")),
        changes.abandoned("s", 9),
        changes.started("s", "k2", "r2", 10),
    )
    assert [subtask["status"] for subtask in canceled.subtasks] == ["failed", "failed", "failed", "done", "failed"]
    assert [subtask["updatedAt"] for subtask in canceled.subtasks] == [9, 9, 9, 1, 1]
    assert canceled.waiting == ()
    assert canceled.stopping == "k2"


def test_a_retry_resets_subtasks_and_answers() -> None:
    """WSP-18: messages stay."""
    number = {"id": "n", "text": "t", "type": "input", "answerValue": ""}
    upload = {"id": "u", "text": "t", "type": "upload"}
    request = {"text": "p", "questions": [CHOICE, number, upload]}
    reset = one(
        message(1),
        changes.prompt("s", request),
        changes.answered("s", "q", {"selectedOptionId": "a"}),
        changes.answered("s", "n", {"answerValue": "3"}),
        changes.answered("s", "u", {"uploaded": True}),
        changes.subtasks("s", [{"key": "a", "status": "done"}], 1),
        changes.reset("s", 9),
    )
    assert reset.prompt == request
    assert reset.subtasks == ({"key": "a", "status": "pending", "updatedAt": 9},)
    assert len(reset.messages) == 1


def test_questions_are_added_and_replaced() -> None:
    """WSP-26."""
    other = {**CHOICE, "text": "other"}
    assert one(changes.question("s", CHOICE)).prompt == {"text": "", "questions": [CHOICE]}
    assert one(changes.question("s", CHOICE), changes.question("s", other)).prompt == {"text": "", "questions": [other]}
    assert one(changes.question("s", CHOICE), changes.prompt("s", {})).prompt is None


OPS = st.sampled_from(
    [
        message(1),
        message(2, 3_000),
        changes.session_added("t", "T", 3, "zh"),
        changes.session_removed("t"),
        changes.touched("s", 7),
        changes.prompt("s", {"text": "p", "questions": [CHOICE]}),
        changes.prompt("s", {}),
        changes.question("s", CHOICE),
        changes.answered("s", "q", {"selectedOptionId": "a"}),
        changes.selected("s", "m1", "a"),
        changes.subtasks("s", [{"key": "a", "status": "done"}], 4),
        changes.execution("s", {**RUNNING, "paused": True}, 1, "pause"),
        changes.context("s", {"mode": "env"}),
        changes.queued("s", command("r1")),
        changes.dropped("s", "r1"),
        changes.started("s", "k1", "r1", 5),
        changes.progressed("s", "k1", 4, 2),
        changes.ended("s", "k1"),
        changes.held("s"),
        changes.abandoned("s", 6),
        changes.reset("s", 6),
        changes.rendered("s", "zh"),
        changes.seen("s", ["x"]),
        changes.settings("zh", None, "m"),
    ]
)


@given(st.lists(st.lists(OPS, max_size=3), max_size=12), st.integers(0, 12))
def test_the_fold_of_a_compacted_log_is_the_fold_of_all(entries: list[list[Change]], cut: int) -> None:
    """Wherever it was compacted, and through JSON."""
    entries = [[changes.session_added("s", "S", 1, "en")], *entries]
    head = folded(*entries[:cut])
    state = WorkspaceState.from_document(json_text.loads(json_text.dumps(head.document()).encode()))
    for number, entry in enumerate(entries[cut:], cut):
        state = fold.apply(state, json_text.loads(json_text.dumps(entry).encode()), f"cause-{number}")
    whole = folded(*entries)
    assert json_text.dumps(state.document()) == json_text.dumps(whole.document())


def test_texts_that_join_are_in_the_order_of_their_times() -> None:
    """WSP-09: functions may apply them in another. Those of one time stay as they were applied."""
    first = {**command("r1"), "text": "b", "data": {"text": "b"}, "parts": [{"at": 2, "text": "b"}]}
    parts = [{"at": 3, "text": "d"}, {"at": 1, "text": "a"}, {"at": 2, "text": "c"}]
    joined = one(changes.queued("s", first), *(changes.joined("s", "r1", part) for part in parts))
    (waiting,) = joined.waiting
    assert waiting["text"] == "a\n\nb\n\nc\n\nd"
    assert waiting["data"] == {"text": waiting["text"]}
    assert joined.latest == waiting
