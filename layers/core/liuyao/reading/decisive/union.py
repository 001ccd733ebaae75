"""Two sides that are to join or to part: marriage, partners, lawsuits (婚姻章, 六冲章, 六合章)."""

from liuyao.analysis_terms import PlateStatus
from liuyao.hexagrams import Kind
from liuyao.reading.contributions import Contribution, Term, because
from liuyao.reading.decisive.scene import Scene


def parts(scene: Scene) -> Contribution | None:
    """六合变六冲 (得而复失, 成而后败), 六冲变六冲 between two: it comes apart, whatever the 用神."""
    if scene.status(PlateStatus.COMBINING_TO_CLASHING):
        return because(Term.COMBINING_TO_CLASHING)
    return scatters(scene)


def joins_again(scene: Scene) -> Contribution | None:
    """六冲变六合: 散而复聚, 先难后易, 不看用神 (六合章)."""
    return because(Term.CLASHING_TO_COMBINING) if scene.status(PlateStatus.CLASHING_TO_COMBINING) else None


def held_together(scene: Scene) -> Contribution | None:
    """冲中逢合: of a hexagram of 六冲 the day combines with 世 or the 用神: 先散后聚, 先难后易 (卜筮正宗 第十一问)."""
    lines = (scene.at, scene.world) if scene.for_self else (scene.at,)
    if scene.status(PlateStatus.CLASHING):
        for line in lines:
            if line.time.combines_with_day:
                return because(Term.CLASH_HELD, line.position)
    return None


def scatters(scene: Scene) -> Contribution | None:
    """六冲变六冲 of what should last: 每事主散 (卜筮正宗 第十三问)."""
    return because(Term.CLASHING_TO_CLASHING) if scene.status(PlateStatus.CLASHING_TO_CLASHING) else None


def spouse_denied(scene: Scene) -> Contribution | None:
    """男占兄弟持世, 女占子孙持世: 世 itself overcomes the spouse; unless it moves away."""
    denied = {"妻财": "兄弟", "官鬼": "子孙"}.get(scene.inquiry.focus)
    if scene.for_self and scene.world.relation == denied and not scene.world.changes:
        return because(Term.SPOUSE_DENIED, scene.world.position, note=scene.world.relation)
    return None


def dispute_dissolves(scene: Scene) -> Contribution | None:
    """A dispute that turns into 六冲 is scattered (惟占官非宜之)."""
    if scene.plate.facts.changed_kind is Kind.CLASHING:
        return because(Term.DISPUTE_DISSOLVES)
    return None
