"""What a runner shows in a workspace."""

from typing import Any

import pytest
from pydantic import ValidationError

from yarrow.protocol.workspace import surface
from yarrow.protocol.workspace.surface import Message, Prompt, QuestionAsked, Subtasks

OPTIONS = [{"id": "a", "label": "A"}, {"id": "b", "label": "B"}]


def test_a_prompt_is_stored_as_the_page_reads_it() -> None:
    """WSP-24, WSP-25: what is not answered has an empty answer; nothing is null."""
    arguments: dict[str, Any] = {
        "text": "Select",
        "attachmentPolicy": {"maxSizeMB": 4, "allowedKinds": ["image", "pdf"]},
        "questions": [
            {"id": "q1", "text": "Track", "options": OPTIONS},
            {"id": "q2", "type": "input", "inputType": "number", "text": "Salary", "placeholder": "30"},
            {"id": "q3", "type": "upload", "text": "CV", "acceptKinds": ["pdf"], "maxSizeMB": 2, "uploadMode": "paste"},
        ],
    }
    choice, number, upload = arguments["questions"]
    assert Prompt.model_validate(arguments).document() == {
        **arguments,
        "questions": [{**choice, "selectedOptionId": ""}, {**number, "answerValue": ""}, upload],
    }


def test_an_empty_prompt_clears() -> None:
    assert Prompt.model_validate({}).document() == {}


@pytest.mark.parametrize(
    "question",
    [
        {"text": "no id"},
        {"id": "q", "text": None},
        {"id": "q", "text": "t", "options": [{"id": "a", "label": None}]},
        {"id": "q", "text": "t", "options": [None]},
        {"id": "q", "text": "t", "options": [*OPTIONS, OPTIONS[0]]},
        {"id": "q", "text": "t", "type": "upload", "options": OPTIONS},
        {"id": "q", "text": "t", "type": "choice"},
        {"id": "q", "text": "t", "options": OPTIONS, "selectedOptionId": "c"},
        {"id": "q", "text": "t", "inputType": "password"},
        {"id": "q", "text": "t", "colour": "red"},
    ],
)
def test_what_breaks_the_page_is_refused(question: dict[str, Any]) -> None:
    """C55."""
    with pytest.raises(ValidationError):
        QuestionAsked.model_validate({"question": question})


def test_a_questions_id_stands_once() -> None:
    question = {"id": "q", "text": "t"}
    with pytest.raises(ValidationError):
        Prompt.model_validate({"questions": [question, question]})


def test_a_message_is_split_into_its_text_and_the_rest() -> None:
    """WSP-22, WSP-23."""
    message = {
        "content": "Your CV?",
        "questionType": "upload",
        "questionId": "q",
        "allowMultiple": False,
        "maxSizeMB": 2,
    }
    parts = Message.model_validate(message).parts("m1").document()
    assert parts == {**{name: value for name, value in message.items() if name != "content"}, "messageId": "m1"}


def test_subtasks_are_the_whole_list() -> None:
    """WSP-27."""
    with pytest.raises(ValidationError):
        Subtasks.model_validate({"items": [{"key": "a", "status": "odd"}]})
    with pytest.raises(ValidationError):
        Subtasks.model_validate({"items": [{"key": "a", "status": "done"}] * 2})


def test_a_prompt_fits_in_a_frame() -> None:
    questions = [{"id": str(number), "text": "x" * 2_000} for number in range(20)]
    with pytest.raises(ValidationError):
        Prompt.model_validate({"questions": questions})


def test_a_log_has_a_level() -> None:
    """WSP-29."""
    assert surface.Log.model_validate({"text": "t"}).document() == {"text": "t", "level": "info"}
