"""The questions of a guided cast as the page shows them: the prompt of a progress, and messages with choices."""

from collections.abc import Mapping
from typing import Any

from yarrow.protocol.workspace import surface
from yarrow.protocol.workspace.surface import Option, Prompt, Question
from yarrow_agents.guided_cast.progress import (
    AGAIN,
    FURTHER,
    LINES,
    LONGITUDE,
    MATTER,
    MAX_QUESTION,
    METHOD,
    QUESTION,
    Progress,
    TakenStep,
    label_of,
    options,
)
from yarrow_agents.guided_cast.words import Words


def prompt(progress: Progress, words: Words) -> dict[str, Any]:
    """Return all questions so far with their answers, the next one first; after the cast, only the one to restart."""
    if progress.is_done:
        again = Prompt(text=words.ready, questions=(_choice(AGAIN, words.again, words, words.setup_group),))
        return again.document()
    lines = [
        _choice(question, words.line.format(position), words, words.lines_group, chosen)
        for question, position, chosen in _lines(progress, words)
    ]
    questions = (
        *reversed(lines),
        _choice(METHOD, words.method, words, words.setup_group, progress.method),
        _choice(MATTER, words.matter, words, words.setup_group, progress.matter),
        Question(
            id=LONGITUDE,
            type="input",
            text=words.longitude,
            input_type="text",
            placeholder=words.longitude_placeholder,
            answer_value="" if progress.longitude is None else f"{progress.longitude:.7g}",
            group=words.setup_group,
        ),
        Question(
            id=QUESTION,
            type="input",
            text=words.question,
            input_type="text",
            placeholder=words.placeholder,
            answer_value=progress.question or "",
            group=words.setup_group,
        ),
    )
    return Prompt(text=words.intro, questions=questions).document()


def _lines(progress: Progress, words: Words) -> list[tuple[str, str, str]]:
    """Return the entered lines and the next one: question id, name, and chosen option."""
    if progress.method != "lines" or None in (progress.matter, progress.question):
        return []
    return list(zip(LINES, words.positions, (*progress.lines, ""), strict=False))


def _choice(question: str, text: str, words: Words, group: str, chosen: str | None = None) -> Question:
    return Question(
        id=question, text=text, options=_options(question, words), selected_option_id=chosen or "", group=group
    )


def _options(question: str, words: Words) -> tuple[Option, ...]:
    return tuple(Option(id=option_id, label=label_of(words, question, option_id)) for option_id in options(question))


def asking(progress: Progress, words: Words, before: str = "") -> dict[str, Any]:
    """Return the message with the next question and its choices, after the words `before`."""
    waiting = progress.waits_for
    if waiting is None or progress.is_done:
        return _message(FURTHER, words.further, words, before)
    if waiting in LINES:
        position = words.positions[LINES.index(waiting)]
        return _message(waiting, words.ask_line.format(position), words, before)
    text = {METHOD: words.ask_method, MATTER: words.ask_matter, QUESTION: words.ask_question}[waiting]
    return _message(waiting, text, words, before)


def _message(question: str, text: str, words: Words, before: str) -> dict[str, Any]:
    chosen = _options(question, words)
    parts: Mapping[str, Any] = {"options": chosen, "question_id": question, "question_text": text} if chosen else {}
    content = "\n\n".join(filter(None, (before, text)))
    return surface.Message(content=content, **parts).document()


def reply(taken: TakenStep, words: Words) -> str:
    if taken.line is not None:
        return words.recorded_line.format(words.positions[taken.line], words.lines[taken.progress.lines[taken.line]])
    text: str = "" if taken.reply is None else getattr(words, taken.reply)
    return text.format(MAX_QUESTION)
