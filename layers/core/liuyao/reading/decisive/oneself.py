"""What a line turns into, and what holds 世: rules of every matter (世应章, 动变章, 三墓章)."""

from liuyao.analysis_terms import Change
from liuyao.elements import overcomes, stage
from liuyao.reading.contributions import Contribution, Term, because
from liuyao.reading.decisive.scene import Scene, becomes, has_change


def world_turns_ghost(scene: Scene) -> Contribution | None:
    """世化官鬼: the asker walks into harm. Not where 官 is what is asked for, nor if 世 and 官 are one."""
    if scene.for_self and scene.inquiry.focus != "官鬼" and becomes(scene.world) == "官鬼":
        return because(Term.WORLD_TURNS_GHOST, scene.world.position)
    return None


def world_turns_focus(scene: Scene) -> Contribution | None:
    """世化用神: it comes into the asker's hand (世化财, 世化官): 财 even by 回头克, 官 not so to 世 weak or 月破."""
    world = scene.world
    if scene.inquiry.focus == "官鬼" and (
        world.time.month_broken or (scene.turned_on(world) and not scene.backed(world))
    ):
        return None
    if not scene.for_self or scene.inquiry.focus in ("世爻", "应爻") or scene.world.relation == "子孙":
        return None
    if becomes(scene.world) == scene.inquiry.focus:
        return because(Term.WORLD_TURNS_FOCUS, scene.world.position)
    return None


def focus_turns_ghost(scene: Scene) -> Contribution | None:
    """用神化鬼, unless 官 feeds it in return (父化官)."""
    if becomes(scene.at) == "官鬼" and not has_change(scene.at, Change.GENERATED):
        return because(Term.TURNS_GHOST, scene.at.position)
    return None


def overcome_in_return(scene: Scene) -> Contribution | None:
    """用神化回头克: nine of ten die of it; but on month or day 逢伤亦伤却有待时之用 (千金赋, 五行相克章)."""
    at = scene.at
    if scene.turned_on(at) and not (at.time.on_month or at.time.on_day):
        return scene.reason(Term.TURNED_OVERCOMES)
    return None


def world_overcome_in_return(scene: Scene) -> Contribution | None:
    """世化回头克."""
    world = scene.world
    if scene.for_self and not scene.in_world and scene.turned_on(world):
        return scene.reason(Term.WORLD_TURNED_ON)
    return None


def ghost_relieved(scene: Scene) -> Contribution | None:
    """鬼持世: worry sits with the asker; 子孙 that moves or joins in 三合, or the day as 子孙 that clashes, lifts it.

    That 世 turns into 子孙 besides is no 回头克: it drives the 鬼 off as well (克去身边之鬼, 趋避章).
    """
    world, plate = scene.world, scene.plate
    if not scene.for_self or world.relation != "官鬼":
        return None
    for trine in scene.trines():
        if overcomes(trine.element, world.element):
            return because(Term.GHOST_RELIEVED, *trine.positions, world.position)
    turned_on = scene.turned_on(world)
    healers = scene.able("子孙")
    if healers and (not turned_on or becomes(world) == "子孙"):
        return because(Term.GHOST_RELIEVED, healers[0].position, world.position)
    day_heals = overcomes(plate.day_element, world.element) and world.time.clashes_with_day
    if day_heals and not turned_on and scene.inquiry.matter.key != "lawsuit":
        return because(Term.GHOST_RELIEVED, world.position)
    return None


def buried_with_ghost(scene: Scene) -> Contribution | None:
    """随鬼入墓 of 世 (in a question for another, of the 用神): false if 旺相 or the tomb is broken."""
    at = scene.world if scene.for_self else scene.at
    if at.relation != "官鬼" or scene.backed(at) or at.line is None:
        return None
    moving = [line for line in scene.plate.lines if line.changes and not line.time.month_broken]
    tombs = {scene.plate.day, at.line.changed_branch, *(line.branch for line in moving)}
    harmed = any(overcomes(line.element, at.element) for line in moving) or scene.vigour(at) <= -5
    if harmed and any(tomb and stage(at.element, tomb) == "墓" for tomb in tombs):
        return because(Term.BURIED_WITH_GHOST, at.position)
    return None


def source_ruined(scene: Scene) -> Contribution | None:
    """元神受伤: of what should last, a source that moves but is 月破, 化绝 or 回头克 leaves no root (千金赋)."""
    sources = scene.sources()
    if not sources or scene.at.time.month_status in ("旺", "相"):
        return None
    if all(scene.vigour(line) <= -6 or scene.turned_on(line) for line in sources):
        return because(Term.SOURCE_RUINED, sources[0].position)
    return None


def foe_advances(scene: Scene) -> Contribution | None:
    """忌神化进神 in strength, against a 用神 that has neither month nor day: no source draws it away."""
    if scene.backed(scene.at):
        return None
    for line in scene.foes():
        if has_change(line, Change.ADVANCING) and scene.backed(line):
            return because(Term.FOE_ADVANCES, line.position)
    return None


def advances(scene: Scene) -> Contribution | None:
    """用神化进神: it comes, though its change be 空 or 破, when that is filled (进神退神章)."""
    if not scene.suffers(scene.at, Term.MONTH_BROKEN):
        return scene.reason(Term.ADVANCES)
    return None


def retreats(scene: Scene) -> Contribution | None:
    """用神化退神, unless in season or on the day: then it does not go back yet."""
    return None if scene.backed(scene.at) else scene.reason(Term.RETREATS)
