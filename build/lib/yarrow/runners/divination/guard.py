"""What is done before anything is judged: whether a question is answered by a reading at all (CARE-01 … CARE-06).

Everything the user says in a run is looked at: the message, and of a cast the question and its type. What was said
before in the session counts, too: it is kept in its state, as a kind and names of cautions, never as words.
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
"""The key, in the state of the conversation, of what was noticed in the session."""

_LASTING: Final = frozenset({Kind.SELF_HARM, Kind.VIOLENCE})
"""After these, nothing more is judged in the session but a new cast."""
_DERIVED: Final = frozenset({Kind.LIFESPAN, Kind.TREATMENT})
"""Of these the cast is still laid out, and what can be done may be asked of it."""

_OF_LIFE: Final = frozenset({"general", "health", "kin", "return", "children"})
"""Matters that a question after a grave one may still be about."""
_MAY_ASK: Final = ("action", "people", "direction")


@dataclass(frozen=True, slots=True)
class Decision:
    """What is to be done about a run. `declined` is the kind that is answered instead of the cast, if any.

    `prior` is what was noticed in the session before, `cautions` those of the whole session.
    """

    declined: Kind | None
    prior: Kind | None
    cautions: frozenset[Caution]
    is_new: bool
    """Whether the kind was noticed in this run's own words."""
    words: str
    """The text that is answered."""
    known: Mapping[str, Any]
    """What the session's state had."""

    @property
    def derives(self) -> bool:
        """Whether a cast is laid out all the same."""
        return self.declined is None or (self.is_new and self.declined in _DERIVED)

    @property
    def noted(self) -> bool:
        """Whether a reading is closed by the note with the help lines."""
        return self.declined is None and self.prior in _LASTING

    def state(self) -> dict[str, Any] | None:
        """What the session's state is to have; None where it has that already."""
        kind = self.declined or (self.prior if self.prior in _LASTING else None)
        kept = {"kind": kind, "cautions": sorted(self.cautions)}
        return None if kept == {"kind": None, "cautions": [], **self.known} else kept


def of_cast(context: AgentRunContext, question: str, question_type: str) -> Decision:
    """What to do about a cast. A question of its own clears what was noticed before, but for words of a crisis."""
    texts = [context.input.text or "", question, question_type]
    found = assess(texts)
    known, prior, _ = _known(context)
    if found.kind is not None:
        words = next(each for each in texts if assess([each]).kind is found.kind)
        return Decision(found.kind, prior, found.cautions, is_new=True, words=words, known=known)
    vague = prior in _LASTING and inquire("", question).matter.key == "general"
    return Decision(prior if vague else None, prior, found.cautions, is_new=False, words=question, known=known)


def lays_out(context: AgentRunContext, question: str, question_type: str) -> bool:
    """Whether a follow-up may have a cast of this question laid out that is not kept: a declined one was not."""
    _, prior, _ = _known(context)
    kind = gravest((prior, assess([question, question_type]).kind))
    return kind is None or kind in _DERIVED


def of_follow_up(
    context: AgentRunContext, cast: Divination | DivinationPayload | None, *, is_laid_out: bool
) -> Decision:
    """What to do about a follow-up on a cast, if there is one."""
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
    """Whether a follow-up may still be about what was declined before."""
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
    """Whether texts say what must not reach a model."""
    return assess(texts).kind is not None


def answer(context: AgentRunContext, decision: Decision) -> str:
    """What is answered in place of a reading, in the language of the user's words unless they ask for another."""
    if decision.declined is None:
        raise ValueError("nothing was declined")
    told = answers.declined if decision.is_new else answers.after
    return told(
        decision.declined,
        _language(context, decision.words),
        for_deployment(context.runtime.locale, context.config.get("help_lines")),
    )


def note(context: AgentRunContext, language: Language) -> str:
    """What closes a reading after a crisis."""
    return answers.note(language, for_deployment(context.runtime.locale, context.config.get("help_lines")))


def _language(context: AgentRunContext, words: str) -> Language:
    return language_asked(words, language_of(words, language_for(context.runtime.locale)))
