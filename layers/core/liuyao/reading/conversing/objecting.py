"""Answers objections and what is weighed anew: not what was asked, too vague, is the method any good, a smaller sum."""

from liuyao.reading.answering.replies import state
from liuyao.reading.conversing.methods import method_told
from liuyao.reading.conversing.retold import verdict
from liuyao.reading.narrative import Narrator
from liuyao.reading.question.objected import finds_vague, is_stake
from liuyao.reading.question.text import Text


def not_what_was_asked(narrator: Narrator) -> list[str]:
    """What the question was taken for and answered with, and how to put the one that is meant."""
    voice, inquiry = narrator.voice, narrator.judgement.inquiry
    told = [narrator.voice.said("not asked", noun=voice.words.nouns[inquiry.matter.key])]
    if not narrator.is_guarded:
        told.append(narrator.voice.said("not asked told", told=voice.lowered(verdict(narrator))))
    return [*told, narrator.voice.said("not asked next")]


def of_the_method(narrator: Narrator, text: Text) -> list[str]:
    """What the method is worth, told honestly; the answer without a hedge, if it was found vague."""
    belief = narrator.voice.said("method belief")
    if narrator.is_guarded:
        return [belief, narrator.voice.said("doubt adviser", who=narrator.adviser_named)]
    plain = narrator.voice.said(f"plainly {state(narrator.judgement)}", told=narrator.voice.lowered(verdict(narrator)))
    return [plain, belief] if finds_vague(text) else [belief, method_told(narrator, text)[1], plain]


def of_less(narrator: Narrator, text: Text, sum_named: str) -> list[str]:
    """What a smaller sum changes: what is at stake, not what the cast says."""
    voice = narrator.voice
    amount = voice.own_words(sum_named) or voice.phrase("less unnamed")
    told = voice.lowered(verdict(narrator))
    if is_stake(text):
        return [narrator.voice.said("less at stake", amount=amount), narrator.voice.said("less told", told=told)]
    how = "well" if narrator.judgement.favourable else "ill"
    if narrator.is_guarded:
        return [narrator.voice.said("less told", told=told)]
    return [narrator.voice.said(f"part {how}", amount=amount), narrator.voice.said("likely figure"), narrator.action()]


def if_it_matters(narrator: Narrator) -> list[str]:
    """That a fact does not change the cast, and where it counts."""
    told = narrator.voice.said("matters not", told=narrator.voice.lowered(verdict(narrator)))
    return [told, narrator.voice.said("matters own")]
