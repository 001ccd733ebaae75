"""The first step of a submit: validates the request, before anything is read from the store."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from yarrow.media import message_pictures
from yarrow.observability.logs import correlate, logger
from yarrow.protocol.caller import Caller
from yarrow.protocol.run_input.body import RunBody, RunInput, parse_run_input
from yarrow.protocol.run_input.trigger import MEMBER as TRIGGER
from yarrow.protocol.run_input.trigger import Trigger
from yarrow.runs.submission.door import OF_HOST, PLAIN, Door
from yarrow.store import runs, sessions

_FOREIGN: Final = frozenset({TRIGGER, "passedOn"})
"""Members that no client of `POST /runs` may set: they are the host's, and `/send-message`'s."""


@dataclass(frozen=True, slots=True)
class Submission:
    """A valid request for a run. `question` is the user's message, which has no position in a session yet.
    `has_expired`: a picture's URL has expired. `trace_parent` is the request's valid `traceparent`.
    """

    caller: Caller
    agent: str | None
    door: Door
    body: RunBody
    run_input: RunInput
    run_key: str
    question: sessions.StoredMessage | None
    fingerprints: Mapping[str, int]
    has_expired: bool = False
    trace_parent: str | None = None


def read_submission(raw: bytes, caller: Caller, agent: str | None, trigger: Trigger | None) -> Submission:
    """Read a body, which `trigger` started if no client did. Raises Problem 400, 413 or 422."""
    body = RunBody.read(raw)
    if trigger is not None or not _FOREIGN.isdisjoint(body.document):
        document = {name: value for name, value in body.document.items() if name not in _FOREIGN}
        if trigger is not None:
            document[TRIGGER] = trigger.as_member()
        body = RunBody.of(document)
    run_input = parse_run_input(body.document)
    return submission_of(body, run_input, caller, agent, PLAIN if trigger is None else OF_HOST)


def submission_of(body: RunBody, run_input: RunInput, caller: Caller, agent: str | None, door: Door) -> Submission:
    """Make the submission of a valid input. Raises Problem 422 for a picture that is not the caller's."""
    expired = False
    if run_input.pictures:
        from yarrow.media import attachments  # here: few runs have pictures

        by_path = attachments.stored_input(body.document, caller.user_id, door.own_pictures)
        run_input, expired = run_input.with_question(by_path.body["messages"][0]), by_path.expired
        body = RunBody.of(by_path.body)
    question = _question(run_input)
    run_key = runs.key_of(caller.user_id, run_input.thread_id, run_input.run_id)
    fingerprints = door.fingerprints(body.document, run_input, question)
    correlate(run_key=run_key)
    logger.info("a run is submitted", extra={"thread_id": run_input.thread_id, "run_id": run_input.run_id})
    return Submission(caller, agent, door, body, run_input, run_key, question, fingerprints, expired)


def _question(run_input: RunInput) -> sessions.StoredMessage | None:
    if run_input.user_message is None:
        return None
    return sessions.StoredMessage(
        id=run_input.user_message.id,
        thread_id=run_input.thread_id,
        seq=0,
        role="user",
        content=run_input.text,
        timestamp="",
        pictures=tuple(message_pictures.pictures_of(run_input)),
        extras=run_input.user_message.extras(),
    )
