"""Who comes and who goes (行人章, 出行章)."""

from liuyao.analysis_terms import Change
from liuyao.reading.contributions import Contribution, Term, because
from liuyao.reading.decisive.scene import Scene, becomes, has_change, tied


def turns_back(scene: Scene) -> Contribution | None:
    """用神化退神 turns home, 化进神 goes on."""
    if has_change(scene.at, Change.RETREATING):
        return because(Term.TURNS_HOME, scene.at.position)
    if has_change(scene.at, Change.ADVANCING):
        return because(Term.GOES_ON, scene.at.position)
    return None


def comes_by_change(scene: Scene) -> Contribution | None:
    """变出用神: a moving line turns into what is on no line."""
    if not scene.focus.hidden:
        return None
    for line in scene.plate.lines:
        if becomes(line) == scene.inquiry.focus:
            return because(Term.COMES_BY_CHANGE, line.position)
    return None


def traveller_tied(scene: Scene) -> Contribution | None:
    """世动逢合: something ties the traveller, who does not set out."""
    if scene.for_self and scene.world.changes and tied(scene.world):
        return because(Term.TRAVELLER_TIED, scene.world.position)
    return None
