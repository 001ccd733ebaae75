"""The changes that entries of a workspace's log are made of: JSON objects with an `op`, built here and nowhere else."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from yarrow.protocol.workspace.models import Artifact, Execution, Log, Message

Change = Mapping[str, Any]

SESSION_ADDED: Final = "session_added"
SESSION_REMOVED: Final = "session_removed"
TOUCHED: Final = "touched"
MESSAGE: Final = "message"
SELECTED: Final = "selected"
PROMPT: Final = "prompt"
QUESTION: Final = "question"
ANSWERED: Final = "answered"
ASKED: Final = "asked"
SUBTASKS: Final = "subtasks"
LOG: Final = "log"
ARTIFACT: Final = "artifact"
EXECUTION: Final = "execution"
CONTEXT: Final = "context"
RESET: Final = "reset"
QUEUED: Final = "queued"
JOINED: Final = "joined"
DROPPED: Final = "dropped"
HELD: Final = "held"
ABANDONED: Final = "abandoned"
STARTED: Final = "started"
THINKING: Final = "thinking"
PROGRESSED: Final = "progressed"
ENDED: Final = "ended"
RENDERED: Final = "rendered"
SEEN: Final = "seen"
SETTINGS: Final = "settings"


def session_added(session_id: str, name: str, at: int, language: str, adopted_at: int = 0) -> Change:
    """A session is added; an earlier one was adopted at `adopted_at`, with its messages until then."""
    added = {"op": SESSION_ADDED, "session": session_id, "name": name, "at": at, "language": language}
    return {**added, "adopted_at": adopted_at} if adopted_at else added


def session_removed(session_id: str) -> Change:
    return {"op": SESSION_REMOVED, "session": session_id}


def touched(session_id: str, at: int) -> Change:
    return {"op": TOUCHED, "session": session_id, "at": at}


def message(session_id: str, shown: Message) -> Change:
    return {"op": MESSAGE, "session": session_id, "message": shown}


def selected(session_id: str, message_id: str, option_id: str) -> Change:
    return {"op": SELECTED, "session": session_id, "message": message_id, "option": option_id}


def prompt(session_id: str, shown: Mapping[str, Any]) -> Change:
    """The prompt is replaced; an empty one clears it."""
    return {"op": PROMPT, "session": session_id, "prompt": shown}


def question(session_id: str, shown: Mapping[str, Any]) -> Change:
    """A question is added, or replaced by its id."""
    return {"op": QUESTION, "session": session_id, "question": shown}


def answered(session_id: str, question_id: str, answer: Mapping[str, Any]) -> Change:
    """A question of the prompt is answered; `answer` has its changed members."""
    return {"op": ANSWERED, "session": session_id, "question": question_id, "answer": answer}


def run_questions(session_id: str, questions: Sequence[Mapping[str, Any]]) -> Change:
    """The questions of the session's last run are these, in place of earlier ones (ASK-01)."""
    return {"op": ASKED, "session": session_id, "questions": questions}


def subtasks(session_id: str, items: Sequence[Mapping[str, Any]], at: int) -> Change:
    """All subtasks are replaced; those that differ have changed at this time."""
    return {"op": SUBTASKS, "session": session_id, "items": items, "at": at}


def log(session_id: str, line: Log) -> Change:
    return {"op": LOG, "session": session_id, "log": line}


def artifact(session_id: str, shown: Artifact) -> Change:
    return {"op": ARTIFACT, "session": session_id, "artifact": shown}


def execution(session_id: str, shown: Execution, asked_at: int, action: str) -> Change:
    """The work is paused, canceled or resumed by an action that API Gateway received at `asked_at`."""
    return {"op": EXECUTION, "session": session_id, "state": shown, "asked_at": asked_at, "action": action}


def context(session_id: str, bound: Mapping[str, Any] | None) -> Change:
    return {"op": CONTEXT, "session": session_id, "context": bound}


def reset(session_id: str, at: int) -> Change:
    """The work starts over: no subtask is done, no question answered, nothing waits."""
    return {"op": RESET, "session": session_id, "at": at}


def queued(session_id: str, command: Mapping[str, Any]) -> Change:
    return {"op": QUEUED, "session": session_id, "command": command}


def joined(session_id: str, run_id: str, part: Mapping[str, Any]) -> Change:
    """One more text, `{at, text}`, joins the input that waits under `run_id`."""
    return {"op": JOINED, "session": session_id, "run_id": run_id, "part": part}


def dropped(session_id: str, run_id: str) -> Change:
    return {"op": DROPPED, "session": session_id, "run_id": run_id}


def held(session_id: str) -> Change:
    """The run will be stopped, and its command waits for a resume."""
    return {"op": HELD, "session": session_id}


def abandoned(session_id: str, at: int) -> Change:
    """The run will be stopped, waiting commands are dropped, and subtasks that are not done have failed."""
    return {"op": ABANDONED, "session": session_id, "at": at}


def started(session_id: str, run_key: str, run_id: str, at: int) -> Change:
    """A run of the session is active. Entries without `thinking_at` showed it as thinking from `at`."""
    return {"op": STARTED, "session": session_id, "run": run_key, "run_id": run_id, "at": at, "thinking_at": 0}


def thinking(session_id: str, run_key: str, at: int) -> Change:
    """A run takes long: the page shows that the agent is thinking."""
    return {"op": THINKING, "session": session_id, "run": run_key, "at": at}


def progressed(session_id: str, run_key: str, through: int, since: int) -> Change:
    """Events of a run up to `through` are shown; what is still open began with event `since`."""
    return {"op": PROGRESSED, "session": session_id, "run": run_key, "through": through, "since": since}


def ended(session_id: str, run_key: str, *, thinking: bool = False, error: str = "") -> Change:
    """A run has ended, with the code of its error, if any; `thinking` if pages showed it so."""
    made = {"op": ENDED, "session": session_id, "run": run_key, "thinking": thinking}
    return {**made, "error": error} if error else made


def rendered(session_id: str, language: str) -> Change:
    """The agent is asked to show the session in a language."""
    return {"op": RENDERED, "session": session_id, "language": language}


def seen(session_id: str, marks: Sequence[str]) -> Change:
    """Files were processed or rejected, and are recognised if the page sends them again."""
    return {"op": SEEN, "session": session_id, "marks": marks}


def settings(language: str, zoneinfo: str | None, model: str) -> Change:
    """The language, time zone and model of the user's latest command."""
    return {"op": SETTINGS, "language": language, "zoneinfo": zoneinfo, "model": model}
