"""Decides whether a question is answered by a reading at all (CARE-01 … CARE-06).

It checks all the user's text in a run: the message, and a cast's question and type. Earlier findings are kept in the
conversation's state, as a kind and names of cautions, never as text.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from yarrow.divination import Divination, DivinationPayload
from yarrow.divination.care import Caution, Kind, answers, assess
from yarrow.divination.care.assessment import gravest
from yarrow.divination.care.help_lines import for_deployment
from yarrow.divination.care.script import language_of
from yarrow.divination.reading import Language, language_asked, language_for
from yarrow.divination.reading.question.inquiry import inquire
from yarrow.divination.reading.question.lexicon import ASPECTS, says
from yarrow.protocol.runner.models import AgentRunContext

STATE: Final = "care"
"""The key of the findings in the conversation's state."""

_LASTING: Final = frozenset({Kind.SELF_HARM, Kind.VIOLENCE})
"""After these, only a new cast is judged in the session."""
_DERIVED: Final = frozenset({Kind.LIFESPAN, Kind.TREATMENT})
"""For these the cast is still derived, and follow-ups may ask what can be done."""

_OF_LIFE: Final = frozenset({"general", "health", "kin", "return", "children"})
"""The matters that a question after a grave one may still be about."""
_MAY_ASK: Final = ("action", "people", "direction")


@dataclass(frozen=True, slots=True)
class Decision:
    """The decision on a run. `declined` is the kind that is answered instead of the cast, if any.

    `prior` is the session's earlier finding, `cautions` are those of the whole session.
    """

    declined: Kind | None
    prior: Kind | None
    cautions: frozenset[Caution]
    is_new: bool
    """Whether this run's own text has the kind."""
    words: str
    """The text that is answered."""
    known: Mapping[str, Any]
    """The session's stored findings."""

    @property
    def derives(self) -> bool:
        """Whether the cast is derived anyway."""
        return self.declined is None or (self.is_new and self.declined in _DERIVED)

    @property
    def noted(self) -> bool:
        """Whether the reading ends with the note with help lines."""
        return self.declined is None and self.prior in _LASTING

    def state(self) -> dict[str, Any] | None:
        """The findings to store; None if unchanged."""
        kind = self.declined or (self.prior if self.prior in _LASTING else None)
        kept = {"kind": kind, "cautions": sorted(self.cautions)}
        return None if kept == {"kind": None, "cautions": [], **self.known} else kept


def of_cast(context: AgentRunContext, question: str, question_type: str) -> Decision:
    """The decision on a cast. A new question clears earlier findings, except a crisis."""
    texts = [context.input.text or "", question, question_type]
    found = assess(texts)
    known, prior, _ = _known(context)
    if found.kind is not None:
        words = next(each for each in texts if assess([each]).kind is found.kind)
        return Decision(found.kind, prior, found.cautions, is_new=True, words=words, known=known)
    vague = prior in _LASTING and inquire("", question).matter.key == "general"
    return Decision(prior if vague else None, prior, found.cautions, is_new=False, words=question, known=known)


def lays_out(context: AgentRunContext, question: str, question_type: str) -> bool:
    """Whether a follow-up may have a cast of this question derived that is not stored: a declined one was not."""
    _, prior, _ = _known(context)
    kind = gravest((prior, assess([question, question_type]).kind))
    return kind is None or kind in _DERIVED


def of_follow_up(
    context: AgentRunContext, cast: Divination | DivinationPayload | None, *, is_laid_out: bool
) -> Decision:
    """The decision on a follow-up about a cast, if there is one."""
    text = context.input.text or ""
    found = assess([text])
    known, prior, cautions = _known(context)
    if cast is not None:
        # What is kept may be of a later cast, or the session older than it.
        asked = assess([cast.question, cast.question_type])
        prior = gravest((prior, asked.kind))
        cautions |= asked.cautions
    cautions |= found.cautions
    if found.kind is not None:
        return Decision(found.kind, prior, cautions, is_new=True, words=text, known=known)
    goes_on = prior is not None and (not is_laid_out or _goes_on(prior, text))
    return Decision(prior if goes_on else None, prior, cautions, is_new=False, words=text, known=known)


def _goes_on(prior: Kind, text: str) -> bool:
    """Whether a follow-up may still be about what was declined."""
    if prior in _LASTING:
        return True
    if inquire("", text).matter.key not in _OF_LIFE:
        return False
    asks_what_to_do = any(says(text, ASPECTS[aspect]) for aspect in _MAY_ASK) and not says(text, ASPECTS["timing"])
    return prior not in _DERIVED or not asks_what_to_do


def _known(context: AgentRunContext) -> tuple[Mapping[str, Any], Kind | None, frozenset[Caution]]:
    known = context.state.conversation.get(STATE) or {}
    kind = known.get("kind")
    return known, None if kind is None else Kind(kind), frozenset(map(Caution, known.get("cautions", ())))


def is_grave(texts: Iterable[str]) -> bool:
    """Whether texts contain what must not reach a model."""
    return assess(texts).kind is not None


def answer(context: AgentRunContext, decision: Decision) -> str:
    """The answer in place of a reading, in the language of the user's text unless another is requested."""
    if decision.declined is None:
        raise ValueError("nothing was declined")
    told = answers.declined if decision.is_new else answers.after
    return told(
        decision.declined,
        _language(context, decision.words),
        for_deployment(context.runtime.locale, context.config.get("help_lines")),
    )


def note(context: AgentRunContext, language: Language) -> str:
    """The note that ends a reading after a crisis."""
    return answers.note(language, for_deployment(context.runtime.locale, context.config.get("help_lines")))


def _language(context: AgentRunContext, words: str) -> Language:
    return language_asked(words, language_of(words, language_for(context.runtime.locale)))
