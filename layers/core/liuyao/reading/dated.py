"""The times that a judgement points to, as a narrator tells them."""

import re
from dataclasses import replace
from functools import cached_property
from typing import Final

from liuyao.reading.dates import Calendar, When
from liuyao.reading.judgement import Judgement
from liuyao.reading.plate import Plate
from liuyao.reading.question.asks import Asks, Scale
from liuyao.reading.timing import Timing, Wait, timings
from liuyao.reading.voice import Voice

_MOST_DATES: Final = 3
_MOST_CLAUSES: Final = 2
"""Dates and clauses of a timing."""
AT_ITS_OWN_TIME: Final = ("contest", "rain", "fair", "study", "journey", "date", "dream", "naming", "dwelling")
"""Matters whose own time is fixed, whatever time the cast points to."""
_PREPOSITION: Final = re.compile(r"^(?:in|over|during|within|for|by|at|on) ")


class Dated:
    """Tells the times of one judgement with one voice."""

    voice: Voice
    plate: Plate
    judgement: Judgement
    calendar: Calendar

    @cached_property
    def times(self) -> list[When]:
        """The times that the timing names, the deciding one first; those in the time asked about before others."""
        branches = dict.fromkeys(branch for timing in self._timings for branch in timing.branches)
        found = [when for branch in branches if (when := self.calendar.when(branch))]
        return sorted(found[:_MOST_DATES], key=lambda when: not when.within)

    def main_time(self, *, within: bool = False) -> str | None:
        """The civil date of the deciding time; with `within`, only if it lies in the time asked about."""
        times = self.times
        if not times or (not times[0].within and (within or self.calendar.scale is Scale.HOUR)):
            return None
        return self.voice.civil(times[0], self.calendar)

    def main_and_spare_time(self) -> str | None:
        """The civil date of the deciding time, and another day that may be it."""
        main, times = self.main_time(), self.times
        if main is None or self.calendar.scale is not Scale.DAY:
            return main
        others = (self.voice.civil(time, self.calendar) for time in times[1:] if time.within == times[0].within)
        spare = next((date for date in others if date != main), None)
        return self.voice.phrase("or else", date=main, spare=spare) if spare else main

    @property
    def at_its_own_time(self) -> bool:
        """Whether the matter's own time is fixed."""
        return self.judgement.inquiry.matter.key in AT_ITS_OWN_TIME

    @property
    def outlasts_question(self) -> bool:
        """Whether the deciding time ends after the time asked about, or that is the matter's own and is not told."""
        if self.calendar.bounds is None:
            inquiry = self.judgement.inquiry
            return inquiry.matter.key in AT_ITS_OWN_TIME and inquiry.asks is not Asks.WHEN
        return not self.times or self.times[0].last > self.calendar.bounds[1]

    @property
    def named_time(self) -> str | None:
        """The user's words for the time asked about, without an English preposition."""
        horizon = self.judgement.inquiry.horizon
        return self.voice.own_words(_PREPOSITION.sub("", horizon.words)) if horizon else None

    def named_time_passed_over(self) -> str | None:
        """The user's words for the time asked about, where the cast points to a later one."""
        if self.judgement.inquiry.matter.key in AT_ITS_OWN_TIME or not self.times or self.times[0].within:
            return None
        return self.named_time if self.main_time() else None

    def limit(self) -> str | None:
        """The last day of the deciding time, where that is a month."""
        if not self.times or self.times[0].scale is not Scale.MONTH:
            return self.main_time()
        last = self.times[0].last
        return self.voice.civil(replace(self.times[0], scale=Scale.DAY, first=last), self.calendar)

    @cached_property
    def timing(self) -> str:
        """When it answers (应期): branches with their next civil dates."""
        times = self.times
        dated = {when.branch for when in times if when.within}
        if not dated and self.calendar.scale is not Scale.HOUR:
            dated = {when.branch for when in times[:1]}
        return self.voice.sentences([self._timing(timing, dated) for timing in self._timings])

    @cached_property
    def _timings(self) -> tuple[Timing, ...]:
        return timings(self.judgement, self.plate)[:_MOST_CLAUSES]

    def _timing(self, timing: Timing, undated: set[str]) -> str:
        voice, times = self.voice, []
        for branch in timing.branches:
            times.append(voice.time(branch, self.calendar, dated=branch in undated))
            undated.discard(branch)
        alike = timing.wait is Wait.CLEAR_CHANGE and timing.branches[0] == timing.branches[1]
        return voice.varied(
            f"{timing.wait} once" if alike else timing.wait,
            subject=voice.line(timing.at) if timing.at else voice.phrase("subject"),
            first=times[0],
            second=times[-1],
            all=voice.words.sentences["comma"].join(times),
            branch=voice.branch(timing.branches[0]),
        )
