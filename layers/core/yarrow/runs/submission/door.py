"""The differences between ways to submit a run: by `POST /runs` or the host itself, or by an AG-UI client."""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

from yarrow.formats import json_text
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.run_input.body import RunInput
from yarrow.protocol.run_input.rules import InputRules
from yarrow.store import runs, session_runs, sessions
from yarrow.store.branches import Branch, Path

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import TransactWriteItemTypeDef as WriteItem


@dataclass(frozen=True, slots=True)
class Continuation:
    """Where a run continues its session.

    `is_stored`: its user message is in the session. `anchor`: the id of the newest stored message that an AG-UI client
    lists.
    """

    is_stored: bool
    branch_update: session_runs.BranchUpdate | None = None
    anchor: str | None = None

    def branches(self, session: sessions.Session) -> tuple[Branch, ...]:
        return session.branches if self.branch_update is None else self.branch_update.branches


NEW_SESSION: Final = Continuation(is_stored=False)


@dataclass(frozen=True, slots=True)
class Taken:
    """What a run does with the open questions of its session: `items` close some of them, `left` stay open.

    `earlier` are the runs that it continues, `log_began_at` is when the first of them was created (ASK-01).
    `approved_tools` are approved for the session from now on (ASK-06).
    """

    items: Sequence["WriteItem"] = ()
    left: Sequence[sessions.OpenQuestion] = ()
    earlier: tuple[str, ...] = ()
    log_began_at: str | None = None
    approved_tools: Sequence[str] = ()
    job: str | None = None
    """The job whose run it goes on with."""
    fork: runs.Fork | None = None
    """The run that it repeats from a step on."""
    answers: bool = False
    """Whether the run's input is an answer, which no rules of its agent read."""


def abandoned(session: sessions.Session | None, user_id: str, *, may_leave: bool) -> Taken:
    """Close the questions of a session that goes on without an answer.

    Raises Problem 409 if one is open and the caller may not leave it.
    """
    lines = () if session is None else session.open_questions
    if not may_leave and not all(line.is_over for line in lines):
        raise Problem(Code.AGENT_INTERRUPT_OPEN, "answer the open questions of the session first")
    if not lines:
        return Taken()
    from yarrow.store import questions  # here: few sessions have any

    return Taken(questions.abandon(user_id, [line.id for line in lines]))


class Door(Protocol):
    """A way to submit a run; what it does not override does nothing."""

    @property
    def interprets(self) -> bool:
        """Whether `interpreted` may change forwardedProps, which are then checked only after it."""
        return False

    @property
    def own_pictures(self) -> Collection[str]:
        """The paths of the caller's pictures, which the body has without a signed URL."""
        return ()

    def fingerprints(
        self, body: Mapping[str, Any], run_input: RunInput, question: sessions.StoredMessage | None
    ) -> Mapping[str, int]:
        """Return the run's fingerprint, then those of runs that this request may repeat (C39); for each, how many
        messages of the client's list are no output of that run.
        """

    def end_if_abandoned(self, _active: runs.Run, /) -> bool:
        """Cancel the session's active run if it has no viewers (C40); False if it continues."""
        return False

    def taken(self, session: sessions.Session | None, user_id: str, run_key: str, /) -> Taken:
        """Answer or close the open questions of the run's session. Raises Problem."""

    def continuation(
        self, session: sessions.Session, run_input: RunInput, question: sessions.StoredMessage | None
    ) -> Continuation:
        """Find where the run continues its session (C38). Raises Problem 409 at the branch limit."""

    def interpreted(
        self, props: dict[str, Any], _rules: InputRules, _session: sessions.Session, _continuation: Continuation, /
    ) -> dict[str, Any]:
        """Interpret forwardedProps by the topics of the conversation that the run continues (C41)."""
        return props

    def store_pictures(self) -> None:
        """Store the caller's new pictures. Raises Problem 429 or 503."""
        return

    def earlier_messages(self, _run: runs.Run, /) -> Sequence[sessions.StoredMessage]:
        """Return the conversation before the first run of a session, if it was held elsewhere (C22)."""
        return ()

    def adopted_items(
        self, _run: runs.Run, _path: Path, _new: Sequence[sessions.StoredMessage], _continuation: Continuation, /
    ) -> Sequence["WriteItem"]:
        """Make the items of calls that no run made (MSG-08): after the stored path, with the run's new messages."""
        return ()


@dataclass(frozen=True, slots=True)
class PlainDoor(Door):
    """Submits a body as one run, without a message list to interpret.

    If it `leaves` open questions of the session, they are closed.
    """

    leaves: bool = False

    def fingerprints(
        self, body: Mapping[str, Any], run_input: RunInput, _: sessions.StoredMessage | None
    ) -> Mapping[str, int]:
        """Hash the body, ignoring the order of members and the case of the thread id, a UUID."""
        same = {name: value for name, value in body.items() if name != "thread_id"}
        same["threadId"] = run_input.thread_id.lower()
        return {hashlib.sha256(json_text.canonical(same).encode()).hexdigest(): 0}

    def taken(self, session: sessions.Session | None, user_id: str, _run_key: str) -> Taken:
        """Close the open questions of the session. Raises Problem 409 if a client has to answer them."""
        return abandoned(session, user_id, may_leave=self.leaves)

    def continuation(
        self, session: sessions.Session, run_input: RunInput, question: sessions.StoredMessage | None
    ) -> Continuation:
        """Find where the run continues. Tool results, or repeating an unanswered question, send a message again."""
        repeats = session.unanswered or any(message.role == "tool" for message in run_input.messages)
        return Continuation(repeats and question is not None and session.last_question == question.digest)


PLAIN: Final = PlainDoor()
OF_HOST: Final = PlainDoor(leaves=True)
"""For runs that the host starts: a job's next time, or a page's input."""
