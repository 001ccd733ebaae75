"""The progress of a guided cast, and how each command changes it: pure functions, for commands in any order.

Stored as JSON in the conversation's state. What was cast is the divination runner's own state (`readings.DERIVATION`).
"""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Final, Literal, Self

from liuyao import YaoType
from liuyao.quotation import on_one_line
from yarrow_agents.guided_cast.words import WORDS, Words

STATE: Final = "guided_cast"

MAX_QUESTION: Final = 300
"""The most characters of a question, as for every cast (DIV-05)."""

METHOD, MATTER, QUESTION, AGAIN, FURTHER = "method", "matter", "question", "again", "further"
LONGITUDE: Final = "longitude"
"""An optional question: nothing waits for its answer."""
LINES: Final = tuple(f"line_{number}" for number in range(1, 7))
"""The questions by their ids."""

YAO: Final[Mapping[str, YaoType]] = {
    "young_yang": "少阳",
    "young_yin": "少阴",
    "old_yang": "老阳",
    "old_yin": "老阴",
}
"""A line by the id of its option."""

_BY_WORD: Final = {
    word: option
    for option, number in zip(YAO, ("7", "8", "9", "6"), strict=True)
    for word in (number, YAO[option], YAO[option].replace("阳", "陽").replace("阴", "陰"), option.replace("_", " "))
}
"""How a line may be typed: 7, 少阳, 少陽, young yang."""


@dataclass(frozen=True, slots=True)
class Progress:
    """The answers so far; `lines` are ids of YAO from 初爻 on. `is_done`: the cast is read.

    `longitude` is in degrees, east positive: the cast is by true solar time.
    """

    method: str | None = None
    matter: str | None = None
    question: str | None = None
    lines: tuple[str, ...] = ()
    is_done: bool = False
    longitude: float | None = None

    @classmethod
    def stored(cls, value: Any) -> Self:
        """Return the progress of a stored value; a new one for anything else."""
        match value:
            case {
                "method": None | str() as method,
                "matter": None | str() as matter,
                "question": None | str() as question,
                "lines": list(lines),
                "is_done": bool(is_done),
            } if method in (None, *_any().methods) and matter in (None, *_any().matters) and set(lines) <= YAO.keys():
                longitude = longitude_of(str(value.get("longitude", "")))  # absent from what an older version stored
                return cls(method, matter, question, tuple(lines[: len(LINES)]), is_done, longitude)
        return cls()

    def with_answers_of(self, prompt: Any, besides: str) -> Self:
        """Add answers in the page's prompt that are not stored, since the run that received them did not finish.

        `besides` is the question of the present command.
        """
        if self.is_done or not isinstance(prompt, dict):
            return self
        questions = {question["id"]: question for question in prompt.get("questions", ())}
        answers = {
            question: _answer(question, questions.get(question, {}))
            for question in (METHOD, MATTER, QUESTION, *LINES)
            if question != besides
        }
        east = "" if besides == LONGITUDE else str(questions.get(LONGITUDE, {}).get("answerValue", ""))
        lines = list(self.lines)
        while len(lines) < len(LINES) and (line := answers.get(LINES[len(lines)])) is not None:
            lines.append(line)
        return replace(
            self,
            method=self.method or answers.get(METHOD),
            matter=self.matter or answers.get(MATTER),
            question=self.question or answers.get(QUESTION),
            lines=tuple(lines),
            longitude=longitude_of(east) if self.longitude is None else self.longitude,
        )

    def document(self) -> dict[str, Any]:
        return {**asdict(self), "lines": list(self.lines)}

    @property
    def waits_for(self) -> str | None:
        """The id of the next question; None when everything is answered."""
        for question in (METHOD, MATTER, QUESTION):
            if getattr(self, question) is None:
                return question
        if self.method == "lines" and len(self.lines) < len(LINES):
            return LINES[len(self.lines)]
        return None


def _answer(question: str, shown_question: Mapping[str, Any]) -> str | None:
    """Return the answer to a question of a prompt, if there is a valid one."""
    if question == QUESTION:
        text = on_one_line(str(shown_question.get("answerValue", "")))
        return text if 0 < len(text) <= MAX_QUESTION else None
    chosen = shown_question.get("selectedOptionId")
    return chosen if chosen in options(question) else None


_LONGITUDE: Final = re.compile(
    r"(?P<side>东经|東經|西经|西經)?\s*(?P<degrees>-?\d{1,3}(?:\.\d+)?)\s*[°度]?\s*(?P<end>[EW])?",
    re.IGNORECASE | re.ASCII,
)
_NO_LONGITUDE: Final = ("", "-", "no", "none", "无", "無", "不用")
"""Answers that remove a longitude, as a page cannot send an empty one."""


def longitude_of(text: str) -> float | None:
    """Return the degrees of 87.6, -74, 74° W or 东经87.6度, east positive; None for any other text, and beyond 180."""
    found = _LONGITUDE.fullmatch(on_one_line(text))
    if found is None:
        return None
    degrees, side = float(found["degrees"]), found["side"] or found["end"] or ""
    if abs(degrees) > 180 or (side and degrees < 0):
        return None
    return round(-degrees if side[:1] in ("西", "W", "w") else degrees, 4)


def _any() -> Words:
    return next(iter(WORDS.values()))


def options(question: str) -> tuple[str, ...]:
    """Return the option ids of a question; empty for one without options."""
    words = _any()
    tables = {METHOD: words.methods, MATTER: words.matters, FURTHER: words.further_options, AGAIN: {AGAIN: ""}}
    return tuple(YAO if question in LINES else tables.get(question, ()))


@dataclass(frozen=True, slots=True)
class TakenStep:
    """The outcome of a command.

    `reply` is the member of Words to answer with, about the `line` entered if any; `asks` a question about the cast;
    `typed` text that the user wrote, to be checked before it counts.
    """

    progress: Progress
    reply: (
        Literal["choose", "too_long", "no_longitude", "late", "no_cast", "no_files"]
        | Literal["resumed", "restarted", "recorded_line"]
        | None
    ) = None
    line: int | None = None
    asks: str | None = None
    typed: str | None = None


def choose(progress: Progress, question: str, option: str, label: str) -> TakenStep:
    """Choose an option. A legacy prompt sends no question's id; then the option's id tells the question."""
    question = question or next(
        (question for question in (progress.waits_for, *_CHOICES) if question and option in options(question)), ""
    )
    if question == AGAIN:
        return TakenStep(Progress(longitude=progress.longitude), reply="restarted")
    if question == FURTHER:
        return TakenStep(progress, asks=label) if progress.is_done else TakenStep(progress, reply="no_cast")
    if progress.is_done:
        return TakenStep(progress, reply="late")
    if option not in options(question):
        return TakenStep(progress, reply="choose")
    if question not in LINES:
        return TakenStep(_with(progress, question, option))
    place = LINES.index(question)
    if progress.method != "lines" or place > len(progress.lines):
        return TakenStep(progress, reply="choose")
    lines = (*progress.lines[:place], option, *progress.lines[place + 1 :])
    return TakenStep(replace(progress, lines=lines), reply="recorded_line", line=place)


_CHOICES: Final = (METHOD, MATTER, FURTHER, AGAIN)


def write(progress: Progress, question: str, text: str) -> TakenStep:
    """Take a typed text, for a question if one is named: an answer, an option's label, or a further question."""
    if question in (METHOD, MATTER, AGAIN, *LINES):
        option = _named(question, text)
        return choose(progress, question, option, text) if option else TakenStep(progress, reply="choose", typed=text)
    if progress.is_done:
        is_late = question in (QUESTION, LONGITUDE)
        return TakenStep(progress, reply="late", typed=text) if is_late else TakenStep(progress, asks=text)
    if question == LONGITUDE:
        longitude = longitude_of(text)
        if longitude is None and on_one_line(text).casefold() not in _NO_LONGITUDE:
            return TakenStep(progress, reply="no_longitude", typed=text)
        return TakenStep(replace(progress, longitude=longitude))
    waiting = progress.waits_for
    if not question and waiting is not None and (option := _named(waiting, text)):
        return choose(progress, waiting, option, text)
    if question == QUESTION or progress.question is None:
        entered = on_one_line(text)
        if len(entered) > MAX_QUESTION:
            return TakenStep(progress, reply="too_long", typed=text)
        return TakenStep(replace(progress, question=entered or None), typed=text)
    return TakenStep(progress, reply="choose", typed=text)


def _with(progress: Progress, question: str, option: str) -> Progress:
    """Set an option; a changed method discards the lines."""
    if question == MATTER:
        return replace(progress, matter=option)
    return progress if option == progress.method else replace(progress, method=option, lines=())


def _named(question: str, text: str) -> str | None:
    typed = on_one_line(text).casefold()
    if question in LINES and typed in _BY_WORD:
        return _BY_WORD[typed]
    for words in WORDS.values():
        for option in options(question):
            if typed in (option, label_of(words, question, option).casefold()):
                return option
    return None


def label_of(words: Words, question: str, option: str) -> str:
    if question in LINES:
        return words.lines[option]
    if question == AGAIN:
        return words.again_option
    return {METHOD: words.methods, MATTER: words.matters, FURTHER: words.further_options}[question][option]
