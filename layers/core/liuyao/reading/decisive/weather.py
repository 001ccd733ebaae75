"""Rain and fair weather (天时章): the line that moves decides; 父母 is rain, 妻财 and 子孙 are fair, 官鬼 cloud."""

from liuyao.analysis_terms import Change
from liuyao.divination import Relation
from liuyao.reading.contributions import Contribution, Term, because
from liuyao.reading.decisive.scene import Scene, has_change
from liuyao.reading.question.asks import Asks

_FAIR: tuple[Relation, ...] = ("妻财", "子孙")
_WET: tuple[Relation, ...] = ("父母", "官鬼")


def rain(scene: Scene) -> Contribution | None:
    """父母 that moves or is turned into is rain, whatever its strength; else what moves keeps it off."""
    if bringing := scene.acting("父母"):
        # 父财同兴, half rain, half fair: the sum weighs them; asked when, 待冲去克神之日.
        both = scene.acting("妻财") and scene.inquiry.asks is not Asks.WHEN
        return None if both else because(Term.WEATHER_MOVES, bringing[0].position)
    for line in scene.plate.lines:
        if line.line and line.line.changed_relation == "父母":
            return because(Term.WEATHER_TURNS, line.position)
    # Asked when, 妻财 only holds it off until its tomb, and 官鬼 brings it; else 官鬼 is thick cloud, 兄弟 wind.
    holding = scene.acting("妻财", "官鬼")
    if holding and scene.inquiry.asks is Asks.WHEN and not scene.acting("子孙"):
        return because(Term.WEATHER_HELD, holding[0].position)
    if against := scene.acting(*_FAIR, "兄弟", "官鬼"):
        return because(Term.WEATHER_OPPOSED, against[0].position)
    return _at_rest(scene)


def fair(scene: Scene) -> Contribution | None:
    """子孙 or 妻财 that moves clears the sky, and so does rain or cloud that retreats or turns into them.
    Asked when, 父母 only holds it off until its tomb.
    """
    if clearing := scene.acting(*_FAIR):
        both = scene.acting("父母") and scene.inquiry.asks is not Asks.WHEN
        return None if both else because(Term.WEATHER_MOVES, clearing[0].position)
    for line in scene.acting(*_WET):
        if has_change(line, Change.RETREATING):
            return because(Term.WEATHER_PASSES, line.position)
    for line in scene.acting(*_WET):
        if line.line and line.line.changed_relation in _FAIR:
            return because(Term.WEATHER_TURNS, line.position)
    if (holding := scene.acting("父母")) and scene.inquiry.asks is Asks.WHEN:
        return because(Term.WEATHER_HELD, holding[0].position)
    if against := scene.acting(*_WET):
        return because(Term.WEATHER_OPPOSED, against[0].position)
    return _at_rest(scene)


def _at_rest(scene: Scene) -> Contribution | None:
    # 六爻安静: it comes on its own day or its clash, if there is a line to bring it.
    if scene.focus.hidden:
        return because(Term.WEATHER_HIDDEN, scene.at.position)
    return because(Term.WEATHER_WAITS, scene.at.position) if not scene.ruined(scene.at) else None
