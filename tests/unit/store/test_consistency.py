"""Which reads of the table are strongly consistent, and why.

A read that may be stale shows an item as it was before its latest change. It must not be where something is decided by
it, where a conditional write would fail on it again and again, or where its reader has just been told of the change.
"""

import ast
from collections.abc import Iterator, Mapping
from typing import Any, Final

import pytest

from tests.support.paths import ROOT
from yarrow.settings import settings
from yarrow.store import clients, table

CORE: Final = ROOT / "layers" / "core" / "yarrow"
OF_THE_STORE: Final = ("table.get", "table.get_all", "table.query", "journal.read")
OF_THE_CLIENT: Final = ("get_item", "batch_get_item", "query", "scan")
Site = tuple[str, str]

CONSISTENT: Final[Mapping[str, tuple[str, str]]] = {
    "access/limits.py": ("are_tokens_spent", "the tokens that were just used count"),
    "automation/list_job_runs.py": ("_runs", "a list agrees with the run that its reader saw end"),
    "runs/agui/join_snapshot.py": ("join_from_snapshot", "a client goes on after the last event of the snapshot"),
    "runs/get_usage.py": ("_left", "what was just used is not left"),
    "runs/earlier_output.py": ("earlier_output", "a run goes on after all that earlier ones have said"),
    "runs/end_run.py": ("end_with_error", "the terminal event follows the last one"),
    "store/api_keys.py": ("every read", "a key that is revoked opens nothing"),
    "store/artifacts.py": ("_find create", "who lost the race to create one gets what is there"),
    "store/automation/job_runs.py": ("add latest read", "a slot runs once; five failures in a row pause"),
    "store/automation/jobs.py": ("change_thread listed of_user read read_many", "schedules are set as jobs are now"),
    "store/calendar.py": ("_find add between", "a run reads what it wrote; a change is of the event as it is"),
    "store/event_log.py": (
        "get page run_key_of run_keys",
        "a run finds the event that started it; a deletion misses no run",
    ),
    "store/journal.py": ("last_batch own position_of", "a writer appends after the last event; a cursor is found"),
    "store/limits/run_slots.py": (
        "make_room",
        "a slot is taken from a run that has ended, never from one that goes on",
    ),
    "store/limits/stream_slots.py": ("is_watched was_watched", "who watches gets no push"),
    "store/mcp_clients.py": ("read", "who lost the race to register a client has the one that is kept"),
    "store/mcp_connections.py": (
        "has_left of_user read read_sign_in",
        "a token that was renewed is the one that is sent",
    ),
    "store/memories.py": ("of_user save", "what was saved is listed"),
    "store/questions.py": ("read", "the first answer counts"),
    "store/recordings.py": ("read", "a recording that is recognised is not paid for again"),
    "store/runner/added_messages.py": ("read_all", "a message that a step has taken is taken by no other"),
    "store/runner/kept_once.py": ("read", "who lost the race to keep something has what was kept"),
    "store/runner/contents.py": (
        "delete read",
        "a deletion leaves nothing; who debugs a run reads what it has told by then",
    ),
    "store/runner/grants.py": ("read", "a run that has begun has what it may do"),
    "store/runner/persistent_state.py": ("_names get read_all", "a runner reads what it kept"),
    "store/runner/steps.py": ("read read_all", "what was finished is not made again"),
    "store/runner/raised.py": ("read", "who reads that a run has failed reads by what"),
    "store/runner/run_tokens.py": ("read", "a new token is good at once, a revoked one no more"),
    "store/runs.py": ("is_active read read_input read_work", "a worker whose run was taken over or ended stops"),
    "store/devices.py": ("_read _taken is_there", "a device that was removed gets no notification"),
    "store/feedback/session_outcomes.py": ("counts read", "what was recorded is shown"),
    "store/session_list.py": ("_from_place_of messages_of", "as `sessions`"),
    "store/sessions.py": (
        "messages messages_after messages_on read timestamp_of",
        "a follow-up knows all that was said",
    ),
    "store/submit_snapshot.py": ("read_with", "a submit that is repeated finds its run"),
    "store/transcript.py": ("_records", "as `sessions`"),
    "store/tool_use.py": ("_records", "as `sessions`"),
    "store/uploads.py": ("read", "an upload can be used once it is finished"),
    "store/webhooks/deliveries.py": ("latest read", "an attempt is of the delivery as it is now"),
    "store/webhooks/webhooks.py": (
        "of read",
        "a webhook gets what happens after its creation, none after its deletion",
    ),
    "store/workspace/connections.py": ("opened page read take", "a frame is handled as its connection is now"),
    "store/workspace/log.py": ("read", "an entry follows the last one; no page is left out"),
    "mcp_server/run_answers.py": ("read_answer", "the answer of a run that has ended is whole"),
    "traces/stored_run.py": ("_read_journal", "a trace is made once, of all events"),
    "worker/execute_run.py": ("_take_over", "who takes a run over writes after its last event"),
    "worker/continuation.py": ("snapshots", "a snapshot has all that the run has said"),
    "workspace/follow_run.py": ("_events", "what is shown is marked as shown, and not read again"),
}
"""The functions of each file, and why."""

EVENTUAL: Final[Mapping[Site, str]] = {
    ("web/streams/journal_polling.py", "_read"): "the next read begins where this one ended; at half the price",
    ("runs/read_stream.py", "read_chunk"): "a reader goes on after what it was shown; at half the price",
    ("store/session_list.py", "latest_answers"): "of an index, whose reads cannot be consistent",
    ("store/session_list.py", "latest_chat"): "of an index",
    ("store/run_usage.py", "read"): "sums may be a moment late; at half the price",
    ("store/run_hours.py", "read"): "as `run_usage`",
    (
        "store/run_hours.py",
        "_first_event_at",
    ): "of a run that has ended; one that is missed is not in the sums of times",
    ("store/limits/refusals.py", "read"): "as `run_usage`",
    ("store/runner/contents.py", "refusals"): "a list for who debugs a run may be a moment late; at half the price",
    ("store/webhooks/deliveries.py", "waiting"): "as `run_usage`",
    ("store/limits/usage.py", "speech"): "as `run_usage`",
    ("store/questions.py", "open_of"): "a list of what waits may be a moment late; at half the price",
}


def calls() -> Iterator[tuple[Site, str, ast.Call]]:
    """All that read, outside `store/table.py`."""
    for file in sorted([*CORE.rglob("*.py"), *(ROOT / "functions").rglob("*.py")]):
        place = str(file.relative_to(CORE if file.is_relative_to(CORE) else ROOT))
        for function in ast.walk(ast.parse(file.read_text(encoding="utf-8"))) if place != "store/table.py" else ():
            if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                for call in ast.walk(function):
                    if isinstance(call, ast.Call) and (name := _reads(call)):
                        yield (place, function.name), name, call


def _reads(call: ast.Call) -> str | None:
    name = ast.unparse(call.func)
    return name if name in OF_THE_STORE or name.rpartition(".")[2] in OF_THE_CLIENT else None


def _is_eventual(name: str, call: ast.Call) -> bool:
    says = {keyword.arg: ast.unparse(keyword.value) for keyword in call.keywords}
    if name in OF_THE_STORE:
        return says.get("consistent", "True") == "False"
    return says.get("ConsistentRead") != "True"


def test_every_read_is_listed_with_its_consistency() -> None:
    sites = [(site, _is_eventual(name, call)) for site, name, call in calls() if site != ("store/journal.py", "read")]
    found: dict[str, set[str]] = {}
    for (file, function), is_eventual in sites:
        if not is_eventual:
            found.setdefault(file, set()).add(function)
    assert {file: " ".join(sorted(functions)) for file, functions in found.items()} == {
        file: functions for file, (functions, _) in CONSISTENT.items()
    }
    assert {site for site, is_eventual in sites if is_eventual} == EVENTUAL.keys()


class Client:
    """DynamoDB's, of an empty table; `consistent` has what each read says of its consistency."""

    def __init__(self) -> None:
        self.consistent: list[bool | None] = []

    def get_item(self, **parameters: Any) -> dict[str, Any]:
        self.consistent.append(parameters.get("ConsistentRead"))
        return {"Items": []}

    query = get_item

    def batch_get_item(self, RequestItems: dict[str, Any]) -> dict[str, Any]:  # noqa: N803
        self.consistent += [request.get("ConsistentRead") for request in RequestItems.values()]
        return {"Responses": {}}


def test_the_table_is_read_as_its_callers_say(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything is strongly consistent but a query that says otherwise."""
    client, key = Client(), {"pk": "RUN#1", "sk": "RUN"}
    monkeypatch.setitem(vars(settings), "table_name", "yarrow")
    monkeypatch.setattr(clients, "dynamodb", lambda: client)
    table.get(key)
    table.get_all(key, {**key, "sk": "INPUT"})
    list(table.query("RUN#1", start="EVENT#", before="EVENT#~"))
    list(table.query("RUN#1", start="EVENT#", before="EVENT#~", consistent=False))
    assert client.consistent == [True, True, True, False]
