"""The snapshot of the public shapes, and that nothing clients need goes without a migration note."""

from copy import deepcopy

import pytest

from tools import make_shapes
from tools.make_shapes import CHANGELOG, REQUIRED, TARGET, Snapshot, breaks, migration_notes, snapshot, stored, unnoted

NOTES = "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- `Problem.code`\n\n### Migration notes\n\n- {}\n\n## [0.1.0]\n"


@pytest.fixture(scope="module")
def current() -> Snapshot:
    return snapshot()


def without(shapes: Snapshot, direction: str, shape: str, member: str) -> Snapshot:
    changed = deepcopy(shapes)
    del changed[direction][shape][member]
    return changed


def test_nothing_clients_need_changes_without_a_migration_note(current: Snapshot) -> None:
    """DIV-35: name what this lists in the migration notes, or keep it."""
    assert unnoted(stored(), current, CHANGELOG.read_text(encoding="utf-8")) == []


def test_the_snapshot_is_up_to_date(current: Snapshot) -> None:
    """DIV-35: If it fails, run `python -m tools.make_shapes`."""
    assert TARGET.read_text(encoding="utf-8") == make_shapes.text(current)


def test_routes_events_and_frames_are_in_it(current: Snapshot) -> None:
    """DIV-35."""
    responses, requests = current["responses"], current["requests"]
    assert responses["AssistantItem"]["threadId"] == "required string"
    assert responses["RunStarted"]["runId"] == "required string"
    assert responses["ChatOutput"]["divination_derived"] == "required Divination"
    assert responses["workspace agent_error"]["data.code"] == "required string"
    assert responses["workspace agent_error"]["requestId"] == "optional string"
    assert responses["workspace Message"]["createdAt"] == "required integer"
    assert responses["UiSchemaRenderer"]["root"] == "required GridNode | StackNode"
    assert requests["DivinationRunInput"]["threadId"].startswith(REQUIRED)
    assert requests["GET /api/v1/agent/history"]["query ui"] == 'optional "2.0"'


def test_every_required_member_that_goes_is_found(current: Snapshot) -> None:
    """DIV-35: whichever it is; and that it becomes optional, too."""
    count = 0
    for shape, members in current["responses"].items():
        for member, text in members.items():
            if text.startswith(REQUIRED):
                gone = {**current, "responses": {shape: {text: members[text] for text in members if text != member}}}
                old = {**current, "responses": {shape: members}}
                assert [item.name for item in breaks(old, gone)] == [f"{shape}.{member}"]
                loose = {**current, "responses": {shape: {**members, member: text.replace(REQUIRED, "optional ", 1)}}}
                assert [item.what for item in breaks(old, loose)] == ["is optional"]
                count += 1
    assert count > 300


@pytest.mark.parametrize(
    ("direction", "shape", "member", "after"),
    [
        ("responses", "AssistantItem", "seq", "required string"),
        ("responses", "AssistantItem", "id", "required null | string"),
        ("responses", "CardAssistantItem", "role", 'required "model"'),
        ("responses", "Event", "*", "required RunStarted"),
        ("requests", "GET /api/v1/agent/history", "query before", "required string date"),
        ("requests", "GET /api/v1/agent/history", "query scope", 'optional "history_day"'),
        ("requests", "GET /api/v1/agent/history", "query new", "required string"),
        ("requests", "workspace command", "type", 'required "agent_init"'),
    ],
)
def test_a_change_that_clients_notice_needs_a_note(
    current: Snapshot, direction: str, shape: str, member: str, after: str
) -> None:
    """DIV-35: this is how the test above fails."""
    changed = deepcopy(current)
    changed[direction][shape][member] = after
    (found,) = unnoted(current, changed, NOTES.format("`Other.member`"))
    assert found.name == f"{shape}.{member}"
    assert unnoted(current, changed, NOTES.format(f"`{shape}.{member}` is another")) == []


@pytest.mark.parametrize(
    ("direction", "shape", "member", "after"),
    [
        ("responses", "AssistantItem", "new", "required string"),
        ("responses", "AssistantItem", "agent_output", "optional FollowUpOutput"),
        ("requests", "GET /api/v1/agent/history", "query new", "optional string"),
        ("requests", "GET /api/v1/agent/history", "query before", "optional integer | string date"),
    ],
)
def test_additions_need_none(current: Snapshot, direction: str, shape: str, member: str, after: str) -> None:
    """DIV-35: evolution is additive."""
    changed = deepcopy(current)
    changed[direction][shape][member] = after
    assert breaks(current, changed) == []


def test_codes_may_be_added_and_not_removed(current: Snapshot) -> None:
    """DIV-35, ERR-03."""
    more = deepcopy(current)
    more["responses"]["Problem"]["code"] += ' | "NEW_CODE"'
    assert breaks(current, more) == []
    assert [item.name for item in breaks(more, current)] == ["Problem.code"]


def test_a_shape_that_goes_goes_with_its_members(current: Snapshot) -> None:
    """DIV-35."""
    changed = deepcopy(current)
    del changed["responses"]["workspace Execution"]
    assert {item.name.rpartition(".")[2] for item in breaks(current, changed)} == {"paused", "canceled", "started"}


def test_only_the_migration_notes_of_the_next_version_count() -> None:
    """DIV-35: Its other entries and older notes do not."""
    assert migration_notes(NOTES.format("x")).strip() == "- x"
    assert migration_notes("## [0.1.0]\n\n### Migration notes\n\n- x\n") == ""


def test_the_generator_writes_no_change_without_its_note(
    current: Snapshot, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """DIV-35: it names what is missing, and leaves the file as it was."""
    changed = without(current, "responses", "RunStarted", "runId")
    before = TARGET.read_text(encoding="utf-8")
    monkeypatch.setattr(make_shapes, "snapshot", lambda: changed)
    assert make_shapes.main() == 1
    assert "`RunStarted.runId`, which is gone" in capsys.readouterr().err
    assert TARGET.read_text(encoding="utf-8") == before
