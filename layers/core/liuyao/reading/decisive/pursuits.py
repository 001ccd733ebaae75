"""Office, examinations and money (功名章, 科考章, 求财章, 身命章)."""

from liuyao.analysis_terms import Completion, PlateStatus
from liuyao.divination import Relation
from liuyao.elements import combined, generates
from liuyao.hexagrams import Kind
from liuyao.reading.contributions import Contribution, Term, because
from liuyao.reading.decisive.scene import Scene, becomes
from liuyao.reading.plate import Place
from liuyao.reading.question.asks import Asks, Scale
from liuyao.reading.question.inquiry import Inquiry


def offspring_holds(scene: Scene) -> Contribution | None:
    """子孙持世 hurts 官: no office and no pass."""
    if scene.for_self and scene.world.relation == "子孙":
        return because(Term.OFFSPRING_HOLDS, scene.world.position)
    return None


def world_ruined(scene: Scene) -> Contribution | None:
    """世破: even what comes cannot be enjoyed (功名章)."""
    world = scene.world
    if not scene.for_self or not world.time.month_broken:
        return None
    # 破而被克: motion does not mend it if the day overcomes it.
    if scene.suffers(world, Term.MONTH_BROKEN, Term.DAY_OVERCOMES):
        return because(Term.WORLD_RUINED, world.position)
    return None


def papers_hurt(scene: Scene) -> Contribution | None:
    """父母 is the paper: 月破 or 回头克, it fails, unless it moves or stands on the day."""
    at = scene.at
    if at.relation != "父母":
        return None
    if scene.turned_on(at):
        return scene.reason(Term.TURNED_OVERCOMES)
    if at.time.month_broken and not at.time.on_day and not at.changes:
        return scene.reason(Term.MONTH_BROKEN, Term.BROKEN_YET_RESCUED)
    return None


def rank_in_trine(scene: Scene) -> Contribution | None:
    """世 as 官 or 父 within a 三合 that is or feeds it (官局): 卦之全美 (随鬼入墓章)."""
    world = scene.world
    if not scene.for_self or world.relation not in _rank(scene):
        return None
    for trine in scene.plate.facts.trines:
        formed = trine.completion is not Completion.AWAITED and world.position in trine.positions
        if formed and (trine.element == world.element or generates(trine.element, world.element)):
            return because(Term.RANK_HOLDS, world.position, note=world.relation)
    return None


def goes_to_another(scene: Scene) -> Contribution | None:
    """局生应而不生世: a 三合 of what is sought feeds 应, not 世: 出现无情, another has it (升选候补章)."""
    world, response = scene.world, scene.plate.response
    if not scene.for_self:
        return None
    for trine in scene.trines():
        for_world = trine.element == world.element or generates(trine.element, world.element)
        if for_world or world.position in trine.positions or trine.element != scene.at.element:
            continue
        if generates(trine.element, response.element):
            return because(Term.GOES_TO_ANOTHER, *trine.positions, note=trine.element)
    return None


def rank_with_world(scene: Scene) -> Contribution | None:
    """旺官旺父持世, or one of them moving and generating or joining 世; 世 turning into one of them."""
    world = scene.world
    if not scene.for_self or scene.ruined(world) or scene.turned_on(world):
        return None
    if world.relation in _rank(scene) and scene.backed(world) and not scene.struck(world):
        return because(Term.RANK_HOLDS, world.position, note=world.relation)
    if becomes(world) in _rank(scene) and world.relation != "子孙":
        return because(Term.WORLD_TURNS_FOCUS, world.position)
    for line in scene.able(*_rank(scene)):
        if generates(line.element, world.element) or combined(line.branch) == world.branch:
            return because(Term.RANK_REACHES, line.position)
    return None


def _rank(scene: Scene) -> tuple[Relation, ...]:
    # 官 alone is the office; an examination has the paper as well.
    return ("官鬼", "父母") if scene.inquiry.matter.rank else ("官鬼",)


def rank_hurt(scene: Scene) -> Contribution | None:
    """子孙 moves without 财, or 财 without 官: each hurts what is sought."""
    if not scene.for_self:
        return None
    wealth = scene.acting("妻财")
    children = scene.able("子孙")
    if children and not wealth:
        return because(Term.RANK_HURT, children[0].position)
    if wealth and not scene.acting("官鬼") and scene.inquiry.matter.key == "study" and scene.able("妻财"):
        return because(Term.RANK_HURT, wealth[0].position)
    return None


def rivals_hold(scene: Scene) -> Contribution | None:
    """兄弟持世 with neither 子孙 nor 财 moving: 财莫能聚."""
    if scene.for_self and scene.world.relation == "兄弟" and not scene.acting("子孙", "妻财"):
        return because(Term.RIVALS_HOLD, scene.world.position)
    return None


def life_scattered(scene: Scene) -> Contribution | None:
    """Judge a whole life: 六冲 begins without end; 世 or 用神 void without the month comes to nothing (身命章)."""
    if not _lifelong(scene.inquiry):
        return None
    for line in (scene.world, scene.at):
        if _empty(line):
            return because(Term.LIFE_VOID, line.position)
    if scene.status(PlateStatus.CLASHING) or scene.plate.facts.changed_kind is Kind.CLASHING:
        return because(Term.LIFE_SCATTERED)
    return None


def _lifelong(inquiry: Inquiry) -> bool:
    # Years, and neither which nor until when: 一生, 终身.
    return inquiry.scale is Scale.YEAR and inquiry.horizon is None and inquiry.asks is not Asks.WHEN


def _empty(line: Place) -> bool:
    return line.time.void and not line.changes and line.time.month_status not in ("旺", "相")
