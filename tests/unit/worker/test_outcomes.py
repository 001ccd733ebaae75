"""What a run may come to at most goes into the one transaction that ends it."""

from typing import Any, Final, get_args

import pytest

from yarrow.protocol.runner.vocabulary import StateScope
from yarrow.settings import settings
from yarrow.store import journal, runs, table
from yarrow.store.limits import usage
from yarrow.store.runner import persistent_state
from yarrow.store.runner.persistent_state import StateSpace
from yarrow.store.runs import OutputMessage, Run, RunOutcome
from yarrow.store.sessions import Session
from yarrow.store.tool_use import ToolUse
from yarrow.worker.outcomes import MAX_MESSAGES
from yarrow.worker.results.state_updates import MAX_STATE_KEYS

TRANSACTION_ITEMS: Final = 100
"""How many a transaction of DynamoDB may have (its API reference, TransactWriteItems)."""

RUN = Run("run", "alice", "thread", "run-1", "agent", "chat", "fingerprint", True, "2026-04-03T12:30:00Z", "running", 1)
SESSION = Session("thread", "alice", "agent", RUN.created_at, 1, RUN.key, None)


def test_the_most_that_a_run_may_say_and_keep_is_no_more_than_a_transaction_has(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """RNR-36, RNR-42: messages, a turn, and values of state that are spread over every scope."""
    written: list[Any] = []
    monkeypatch.setitem(settings.__dict__, "table_name", "table")
    monkeypatch.setattr(table, "transact", lambda *items: written.extend(items))
    scopes: tuple[StateScope, ...] = get_args(StateScope)
    state: dict[StateScope, dict[str, Any]] = {scope: {} for scope in scopes}
    for number in range(MAX_STATE_KEYS):
        state[scopes[number % len(scopes)]][f"k{number}"] = number
    kept = [
        item
        for scope, values in state.items()
        for item in persistent_state.keep(StateSpace("runner", "binding", scope, "id", "alice"), values)
    ]
    messages = tuple(OutputMessage(f"m{number}", "x") for number in range(MAX_MESSAGES))
    outcome = RunOutcome(messages, state, ToolUse((), {"c": "x"}))
    counted = [usage.add_tokens("alice", 7)]
    runs.finish(RUN, SESSION, outcome, kept, journal.Position(1), ["{}"], counted=counted)
    assert MAX_MESSAGES + MAX_STATE_KEYS < len(written) <= TRANSACTION_ITEMS
