"""Illness (病医章, 延医章)."""

from liuyao.analysis_terms import Change, PlateStatus
from liuyao.elements import overcomes
from liuyao.hexagrams import Kind
from liuyao.reading.contributions import Contribution, Term, because
from liuyao.reading.decisive.scene import Scene, becomes, has_change
from liuyao.reading.question.asks import Asks


def clashed_or_void(scene: Scene) -> Contribution | None:
    """近病逢冲逢空即愈, 久病逢冲逢空则危: the hexagram, the changed one, the 用神 or what it turns into."""
    recent, at = scene.inquiry.recent, scene.at
    if recent is None:
        return None
    if at.time.void:
        return because(Term.NEW_ILLNESS_VOID if recent else Term.OLD_ILLNESS_VOID, at.position)
    if scene.status(PlateStatus.CLASHING) or scene.plate.facts.changed_kind is Kind.CLASHING:
        return because(Term.NEW_ILLNESS_CLASHED if recent else Term.OLD_ILLNESS_CLASHED)
    if has_change(at, Change.VOID):
        return because(Term.NEW_ILLNESS_TURNED_VOID if recent else Term.OLD_ILLNESS_TURNED_VOID, at.position)
    return None


def child_from_ghost(scene: Scene) -> Contribution | None:
    """鬼化子孙 where a child is ill."""
    if scene.inquiry.focus != "子孙" or not scene.inquiry.person:
        return None
    for line in scene.acting("官鬼"):
        if becomes(line) == "子孙":
            return because(Term.GHOST_TURNS_FOCUS, line.position)
    return None


def healer_unfit(scene: Scene) -> Contribution | None:
    """Whether to take a doctor or a treatment: 应 as 官鬼, broken or overcoming does not suit (延医章)."""
    if scene.inquiry.asks is not Asks.SHOULD:
        return None
    other = scene.plate.response
    strikes = overcomes(other.element, scene.at.element) and (other.acts or scene.backed(other))
    if other.relation == "官鬼" or strikes or scene.ruined(other):
        return because(Term.HEALER_UNFIT, other.position)
    return None


def offspring_heals(scene: Scene) -> Contribution | None:
    """子孙持世 in one's own illness, or 子孙 moving, heals; not for parents and husband, whom it hurts."""
    at = scene.at
    if at.relation in ("父母", "官鬼") and not scene.in_world:
        return None
    if scene.for_self and scene.world.relation == "子孙":
        if scene.backed(scene.world) and not scene.turned_on(scene.world) and not scene.struck(scene.world):
            return because(Term.OFFSPRING_HEALS, scene.world.position)
        return None
    able = [line for line in scene.able("子孙") if scene.backed(line) and line.position != at.position]
    if able and scene.backed(at) and not scene.turned_on(at):
        return because(Term.OFFSPRING_HEALS, able[0].position)
    return None


def three_punishments(scene: Scene) -> Contribution | None:
    """三刑: 用神, month and day are together 寅巳申 or 丑戌未 (三刑章: only complete, and seldom)."""
    three = {scene.at.branch, scene.plate.month, scene.plate.day}
    if scene.at.changes and three in (set("寅巳申"), set("丑戌未")):
        return because(Term.THREE_PUNISHMENTS, scene.at.position)
    return None
