"""What somebody else than the one asked about thinks of the asker: his mother, her friends, by their own line.

Their line's element beside that of 世: it feeds, overcomes, is fed, is overcome, or is of the same kind.
"""

from dataclasses import replace

from liuyao.elements import generates, overcomes
from liuyao.reading.conversing.persons import trait
from liuyao.reading.conversing.turn import Turn
from liuyao.reading.question.follow_up import Third


def third_mind(third: Third, turn: Turn, grounds: list[str]) -> list[str] | None:
    """How they stand to the asker, their manner, and the line it is read from; None if their name cannot be said."""
    theirs = replace(turn.asked, focus=third.focus, person=third.focus, role=third.role, assumed=False)
    narrator = turn.plain(theirs)
    voice, at, world = narrator.voice, narrator.judgement.focus.at, narrator.plate.world
    whom = voice.own_words(third.whom)
    if whom is None:
        return None
    if generates(at.element, world.element):
        how = "warm"
    elif overcomes(at.element, world.element):
        how = "against"
    elif generates(world.element, at.element):
        how = "fed"
    else:
        how = "yields" if overcomes(world.element, at.element) else "alike"
    grounds.append(
        voice.sentence(voice.phrase("third ground", whom=whom, line=voice.line(at), world=voice.line(world)))
    )
    told = [voice.sentence(voice.phrase(f"third {how}", whom=whom))]
    if at.time.void or at.time.month_broken:
        told.append(voice.sentence(voice.phrase("third open")))
    told.append(voice.sentence(voice.phrase("who manner", manner=trait(narrator, at))))
    return told
