"""Submits a run that repeats another one from a step on, in a session that it creates (STP-09).

The session begins with the conversation before that run, as one held elsewhere does: its latest messages, and what was
done with tools in it.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from yarrow.formats import json_text
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.run_input.body import RunInput
from yarrow.runs.submission.door import Continuation, Door, Taken
from yarrow.store import runs, sessions, tool_use
from yarrow.store.branches import Path

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import TransactWriteItemTypeDef as WriteItem

MAX_TOOL_USES: Final = 20


@dataclass(frozen=True, slots=True)
class ForkDoor(Door):
    """`messages` are the latest before the run that is repeated, oldest first."""

    fork: runs.Fork
    messages: Sequence[sessions.StoredMessage]
    uses: Sequence[tool_use.PlacedToolUse]

    def fingerprints(
        self, _body: Mapping[str, Any], run_input: RunInput, _question: sessions.StoredMessage | None
    ) -> Mapping[str, int]:
        text = json_text.canonical(["fork", run_input.thread_id.lower(), *self.fork])
        return {hashlib.sha256(text.encode()).hexdigest(): 0}

    def taken(self, _session: sessions.Session | None, _user_id: str, _run_key: str) -> Taken:
        return Taken(fork=self.fork)

    def continuation(
        self, _session: sessions.Session, _input: RunInput, _question: sessions.StoredMessage | None
    ) -> Continuation:
        raise Problem(Code.AGENT_RUN_CONFLICT, "the session exists already: a fork creates its own")

    def earlier_messages(self, run: runs.Run) -> Sequence[sessions.StoredMessage]:
        return [
            sessions.StoredMessage(
                id=message.id,
                thread_id=run.thread_id,
                seq=seq,
                role=message.role,
                content=message.content,
                timestamp=message.timestamp,
                extras=message.extras,
            )
            for seq, message in enumerate(self.messages, 1)
        ]

    def adopted_items(
        self, run: runs.Run, _path: Path, _new: Sequence[sessions.StoredMessage], _continuation: Continuation
    ) -> list["WriteItem"]:
        """Make the items of what was done with tools, one for each message that it came after."""
        seqs = {message.seq: seq for seq, message in enumerate(self.messages, 1)}
        merged: dict[int, tool_use.ToolUse] = {}
        for after, use in self.uses:
            if (seq := seqs.get(after)) is None:
                continue
            before = merged.get(seq, tool_use.ToolUse())
            merged[seq] = tool_use.ToolUse((*before.rounds, *use.rounds), {**before.answers, **use.answers})
        latest = sorted(merged.items())[-MAX_TOOL_USES:]
        return [tool_use.keep(run.thread_id, seq, run.key, use) for seq, use in latest]
