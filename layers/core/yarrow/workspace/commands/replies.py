"""What the user says: text, chosen options and answers (WSP-09 … WSP-11)."""

import math
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime, time
from typing import Any, Final
from urllib.parse import urlsplit

from yarrow.protocol.runner.vocabulary import INTERACTION_SUBMITTED
from yarrow.protocol.workspace.commands import AnswerQuestion, ChooseOption, Input
from yarrow.protocol.workspace.errors import CommandError, ErrorCode
from yarrow.protocol.workspace.surface import kind_of
from yarrow.workspace.commands.draft import Draft, joined_parts
from yarrow.workspace.state import asked, changes
from yarrow.workspace.state.session import WorkspaceSession


def say(draft: Draft, command: Input) -> None:
    """Queue a text for the agent; a blank one is ignored."""
    session = draft.session(command.session_id)
    draft.keep_settings(session)
    if not command.text:
        return
    draft.require("workspace.input")
    is_late = draft.precedes_control(session)
    if not is_late and draft.is_held(session):
        return
    draft.rerender(session)
    draft.echo(session.id, command.text)
    draft.log(session.id, "user_input", source="user")
    draft.queue_input(session, command.text)
    if is_late and session.canceled:
        draft.changes.append(changes.abandoned(session.id, draft.position.stamp()))


def choose_option(draft: Draft, command: ChooseOption) -> None:
    """Choose an option of a question, or of a message (WSP-10). Raises CommandError if it is not offered."""
    session = draft.session(command.session_id)
    draft.keep_settings(session)
    if not command.option_id:
        return
    if draft.is_held(session):
        return
    question, message = _offering(session, command)
    offered = question or message
    if offered is None:
        raise CommandError(ErrorCode.OPTION_UNKNOWN, "the session offers no such option")
    label = next(option["label"] for option in offered["options"] if option["id"] == command.option_id)
    question_id = str(offered["id"] if question is not None else offered.get("questionId") or offered["id"])
    text = str(offered["text"] if question is not None else offered.get("questionText") or command.question_text)
    data = {"questionId": question_id, "questionText": text, "optionId": command.option_id, "optionLabel": label}
    if _is_repeated(session, "workspace.option", data):
        return
    draft.rerender(session)
    draft.echo(session.id, f"[option] {label}", questionId=question_id, questionText=text)
    draft.log(session.id, joined_parts("user_option", text, label), source="user")
    if question is not None:
        draft.changes.append(changes.answered(session.id, question_id, {"selectedOptionId": command.option_id}))
    if message is not None:
        draft.changes.append(changes.selected(session.id, message["id"], command.option_id))
    if question_id in session.asked:
        _reply(draft, session, data, command.option_id, label)
    elif draft.takes("workspace.option"):
        draft.queue(session, "workspace.option", data, label)


def answer(draft: Draft, command: AnswerQuestion) -> None:
    """Answer a question of the prompt (WSP-11). Raises CommandError if the answer does not fit its inputType."""
    session = draft.session(command.session_id)
    draft.keep_settings(session)
    if not command.answer:
        return
    if draft.is_held(session):
        return
    question = session.question(command.question_id)
    if question is None or kind_of(question.get("options"), question.get("type")) != "input":
        raise CommandError(ErrorCode.QUESTION_UNKNOWN, "the session asks no such question")
    input_type = question.get("inputType", "text")
    if not is_of_type(command.answer, input_type):
        raise CommandError(ErrorCode.ANSWER_INVALID, f"the answer must be a valid {input_type}")
    text = str(question["text"])
    data = {"questionId": command.question_id, "questionText": text, "answer": command.answer}
    if _is_repeated(session, "workspace.answer", data):
        return
    draft.rerender(session)
    line = joined_parts(text, command.answer)
    draft.echo(session.id, f"[answer] {line}", questionId=command.question_id, questionText=text)
    draft.log(session.id, joined_parts("user_answer", line), source="user")
    draft.changes.append(changes.answered(session.id, command.question_id, {"answerValue": command.answer}))
    if command.question_id in session.asked:
        _reply(draft, session, data, command.answer, command.answer)
    elif draft.takes("workspace.answer"):
        draft.queue(session, "workspace.answer", data, command.answer)


def _reply(draft: Draft, session: WorkspaceSession, data: Mapping[str, Any], reply: str, text: str) -> None:
    """Queue the answer to a run's question, unless it is a form that lacks other fields."""
    whole = asked.replied(session, data["questionId"], reply)
    if whole is not None:
        question_id, answered = whole
        draft.queue(session, INTERACTION_SUBMITTED, {**data, "questionId": question_id, "reply": answered}, text)


def is_of_type(text: str, input_type: str) -> bool:
    """Whether a text is a value of an HTML input of this type."""
    is_valid = _TYPES.get(input_type)
    return is_valid is None or is_valid(text)


def _offering(
    session: WorkspaceSession, command: ChooseOption
) -> tuple[Mapping[str, Any] | None, Mapping[str, Any] | None]:
    """Return the question of the prompt and the message that offer an option; both if they ask the same."""
    question = session.question(command.question_id)
    return (
        question if question is not None and _offers(question, command.option_id) else None,
        next((message for message in _messages_of(session, command) if _offers(message, command.option_id)), None),
    )


def _messages_of(session: WorkspaceSession, command: ChooseOption) -> Iterator[Mapping[str, Any]]:
    """Yield the messages that a choice may mean, latest first; one without a question is named by its own id."""
    for message in reversed(session.messages):
        if command.question_id in (message.get("questionId"), message["id"]) or (
            not command.question_id and "questionId" not in message
        ):
            yield message


def _offers(question: Mapping[str, Any], option_id: str) -> bool:
    return any(option["id"] == option_id for option in question.get("options", ()))


def _is_repeated(session: WorkspaceSession, event: str, data: Mapping[str, Any]) -> bool:
    """Whether the same waits already, or is being processed: a page that reconnects may send it again."""
    running = () if session.run is None or session.run.command is None else (session.run.command,)
    return any(command["type"] == event and command["data"] == data for command in (*session.waiting, *running))


def _parses(parse: Callable[[str], object]) -> Callable[[str], bool]:
    def is_valid(text: str) -> bool:
        try:
            parse(text)
        except ValueError:
            return False
        return True

    return is_valid


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text)) and "_" not in text
    except ValueError:
        return False


_TYPES: Final[Mapping[str, Callable[[str], bool]]] = {
    "number": _is_number,
    "date": lambda text: bool(re.fullmatch(r"\d{4}-\d\d-\d\d", text, re.ASCII)) and _parses(date.fromisoformat)(text),
    "time": lambda text: bool(re.fullmatch(r"\d\d:\d\d(:\d\d)?", text, re.ASCII)) and _parses(time.fromisoformat)(text),
    "datetime-local": lambda text: "T" in text and text.isascii() and _parses(datetime.fromisoformat)(text),
    "month": lambda text: bool(re.fullmatch(r"\d{4}-(0[1-9]|1[0-2])", text, re.ASCII)),
    "email": lambda text: bool(re.fullmatch(r"[^\s@]+@[^\s@]+", text)),
    "url": lambda text: _parses(urlsplit)(text) and bool(urlsplit(text).scheme),
}
"""Checks by the HTML input type; other types take any text."""
