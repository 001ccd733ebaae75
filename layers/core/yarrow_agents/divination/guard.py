"""Decides whether a question gets a reading at all (CARE-01 … CARE-06).

It checks message, question and type. Findings are kept in the state as a kind and cautions, never as text.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from liuyao import Divination, DivinationPayload
from liuyao.care import Caution, Kind, answers, assess
from liuyao.care.assessment import gravest
from liuyao.care.help_lines import for_deployment
from liuyao.care.kinds import LASTING
from liuyao.care.replies import reply
from liuyao.reading import Language
from liuyao.reading.question.asks import Intent
from liuyao.reading.question.inquiry import inquire
from liuyao.reading.question.intents import intents
from liuyao.reading.question.text import read
from yarrow.protocol.runner.models import AgentRunContext

STATE: Final = "care"

_DERIVED: Final = frozenset({Kind.LIFESPAN, Kind.TREATMENT})
"""The cast is still derived, and follow-ups may ask what can be done."""

_RELATED_MATTERS: Final = frozenset({"general", "health", "kin", "return", "children", "pregnancy", "pets"})
"""A question after a grave one may still be about these."""
_MAY_ASK: Final = frozenset({Intent.ACTION, Intent.PEOPLE, Intent.WHOM_TO_ASK, Intent.WHERE})


@dataclass(frozen=True, slots=True)
class GuardDecision:
    """What a question gets. `declined` is the kind that is answered instead of the cast.

    `prior` is the session's earlier finding, `cautions` are the whole session's.
    """

    declined: Kind | None
    prior: Kind | None
    cautions: frozenset[Caution]
    is_new: bool
    """Whether this run's own text has the kind."""
    words: str
    known: Mapping[str, Any]

    @property
    def derives(self) -> bool:
        return self.declined is None or (self.is_new and self.declined in _DERIVED)

    @property
    def noted(self) -> bool:
        """Whether the reading ends with help lines."""
        return self.declined is None and self.prior in LASTING

    def state(self) -> dict[str, Any] | None:
        kind = gravest((self.declined, self.prior if self.prior in LASTING else None))
        kept = {"kind": kind, "cautions": sorted(self.cautions)}
        return None if kept == {"kind": None, "cautions": [], **self.known} else kept


def of_cast(context: AgentRunContext, question: str, question_type: str) -> GuardDecision:
    """Decide on a cast. A new question clears earlier findings, except a crisis."""
    texts = [context.input.text or "", question, question_type]
    found = assess(texts)
    known, prior, _ = _known(context)
    if found.kind is not None:
        words = next(text for text in texts if assess([text]).kind is found.kind)
        return GuardDecision(found.kind, prior, found.cautions, is_new=True, words=words, known=known)
    vague = prior in LASTING and inquire("", question).matter.key == "general"
    return GuardDecision(prior if vague else None, prior, found.cautions, is_new=False, words=question, known=known)


def doubted(decision: GuardDecision, words: str) -> GuardDecision:
    """Return the decision after a model's alarm about the words: no reading, and no cast."""
    return replace(decision, declined=Kind.UNSURE, is_new=True, words=words)


def may_derive(context: AgentRunContext, question: str, question_type: str) -> bool:
    """Whether a follow-up may derive a cast that is not stored: not if it was declined."""
    _, prior, _ = _known(context)
    kind = gravest((prior, assess([question, question_type]).kind))
    return kind is None or kind in _DERIVED


def of_follow_up(
    context: AgentRunContext, cast: Divination | DivinationPayload | None, *, is_laid_out: bool
) -> GuardDecision:
    """Decide on a follow-up, about a cast if there is one."""
    text = context.input.text or ""
    found = assess([text], is_follow_up=True)
    known, prior, cautions = _known(context)
    if cast is not None:
        # The state may be of a later cast, or missing in an old session.
        finding = assess([cast.question, cast.question_type])
        prior = gravest((prior, finding.kind))
        cautions |= finding.cautions
    cautions |= found.cautions
    if found.kind is not None and not (found.kind is Kind.UNSURE and prior in LASTING):
        return GuardDecision(found.kind, prior, cautions, is_new=True, words=text, known=known)
    goes_on = prior is not None and (not is_laid_out or _goes_on(prior, text))
    return GuardDecision(prior if goes_on else None, prior, cautions, is_new=False, words=text, known=known)


def _goes_on(prior: Kind, text: str) -> bool:
    """Whether a follow-up may still be about what was declined."""
    if prior in LASTING:
        return True
    if inquire("", text).matter.key not in _RELATED_MATTERS:
        return False
    intended = frozenset(intents(read(text)))
    asks_what_to_do = bool(intended & _MAY_ASK) and Intent.WHEN not in intended
    return prior not in _DERIVED or not asks_what_to_do


def _known(context: AgentRunContext) -> tuple[Mapping[str, Any], Kind | None, frozenset[Caution]]:
    known = context.state.conversation.get(STATE) or {}
    kind = known.get("kind")
    return known, None if kind is None else Kind(kind), frozenset(map(Caution, known.get("cautions", ())))


def is_grave(texts: Iterable[str]) -> bool:
    """Whether a text is so grave that no model may see it."""
    return assess(texts).kind is not None


def answer(context: AgentRunContext, decision: GuardDecision) -> str:
    """Return the answer to a declined question, in the language of the user's text unless another is requested."""
    if decision.declined is None:
        raise ValueError("nothing was declined")
    help_lines = context.config.get("help_lines")
    return reply(decision.declined, decision.words, context.runtime.locale, help_lines, is_new=decision.is_new)


def note(context: AgentRunContext, language: Language) -> str:
    """Return the note that ends a reading after a crisis."""
    return answers.note(language, for_deployment(context.runtime.locale, context.config.get("help_lines")))


def prepare() -> None:
    """Compile the patterns of each language."""
    assess(["Will it rain?", "下雨吗"])
