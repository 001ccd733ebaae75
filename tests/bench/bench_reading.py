"""The reading on the recorded casts of 《增删卜易》: direction, 应期, grade and outcome, and the time to judge.

Beside ours stand always "favourable", the majority of a case's matter without the case itself, the score before there
were decisive rules, and the sum alone. Decisive rules are chosen by their chapters, not fitted;
`validation` says what is cross-validated. A third of the cases was not read while the rules were written:
`FIRST_SIGHT` is its score then; since, its misses were read too. Every miss is printed with what decided it.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import product
from math import comb
from time import process_time

from liuyao import DivinationPayload, derive
from liuyao.cast_time.note import with_time_note
from liuyao.reading import Language, read
from liuyao.reading.judgement import LEVELS, judge
from liuyao.reading.plate import lay_out
from liuyao.reading.question.inquiry import Inquiry
from liuyao.reading.question.matters import MATTERS
from tests.bench.row import Row
from tests.support.readings.recorded_cases import Recorded, further_cases, recorded_cases
from tests.support.readings.validation import log_loss, log_loss_of_the_rate, rate_of_rules, weighed

BEFORE = {"direction": 62 / 98 * 100, "timing": 24 / 75 * 100}
"""Of the sum of reasons alone, without decisive rules: direction on these 98 cases, 应期 on 75 of twice as many."""
FIRST_SIGHT = {"direction": 23 / 29 * 100, "timing": 11 / 21 * 100}
"""Of the third kept unread, before its misses were read."""
APART = 64 / 91 * 100
"""Direction of the casts written down after the rules, the one time they were scored before anything was changed."""
LINES = ("老阴", "少阳", "少阴", "老阳")
_EVERY = list(product(LINES, repeat=6))


def measure() -> list[Row]:
    """Hit rates in percent, and the processor time of a judgement."""
    cases = recorded_cases()
    kept = [case for case in cases if case.kept_apart]
    apart = [case for case in further_cases() if case.apart]
    timed = [case for case in cases if case.came]
    bad = [case for case in cases if not case.favourable]
    best = [case for case in cases if case.judgement.sign_level == LEVELS[0]]
    yes = _percent(cases, lambda case: case.favourable)
    ours = _percent(cases, lambda case: case.right)
    print(f"\n{_confusion(cases)}\n\n{_misses(cases)}\n")
    return [
        _row("direction of 98 recorded casts", ours, 'always "favourable"', yes),
        _row("direction of 98 recorded casts", ours, "majority by matter", _percent(cases, _by_majority(cases))),
        _row("direction of 98 recorded casts", ours, "before decisive rules", BEFORE["direction"]),
        _row("direction of 98 recorded casts", ours, "the sum alone", _percent(cases, _by_sum)),
        _row("direction, cross-validated", rate_of_rules(weighed(cases)) * 100, 'always "favourable"', yes),
        Row(
            "logarithmic loss of the sum, cross-validated",
            "nats a cast",
            log_loss(weighed(cases)),
            "the rate of good outcomes",
            log_loss_of_the_rate(weighed(cases)),
        ),
        _row(
            f"direction at first sight of {len(kept)} kept apart",
            FIRST_SIGHT["direction"],
            'always "favourable"',
            _percent(kept, lambda case: case.favourable),
        ),
        _row(
            f"direction at first sight of {len(apart)} of three books",
            APART,
            'always "favourable"',
            _percent(apart, lambda case: case.favourable),
        ),
        _row("direction, cross-validated on three books", rate_of_rules(weighed((*cases, *further_cases()))) * 100),
        _row("应期 at first sight of 21 kept apart", FIRST_SIGHT["timing"], "before", BEFORE["timing"]),
        _row("bad outcomes seen", _percent(bad, lambda case: case.right)),
        Row("highest grade that ended badly", "%", _percent(best, lambda case: not case.favourable)),
        _row(f"应期 of {len(timed)} casts", _percent(timed, lambda case: case.timed), "by chance", _chance(timed)),
        _row(f"应期 of {len(timed)} casts", _percent(timed, lambda case: case.timed), "before", BEFORE["timing"]),
        Row("branches named for 应期", "a cast", sum(len(case.named) for case in timed) / len(timed)),
        Row("judge a plate", "µs CPU", _microseconds()),
        *(Row(f"read a recorded cast in {language}", "µs CPU", _reading(cases, language)) for language in Language),
        *(Row(f"read a cast of 20:30 in {language}", "µs CPU", _noted("20:30", language)) for language in Language),
        *(
            Row(f"read a cast of 23:01, with a note, in {language}", "µs CPU", _noted("23:01", language))
            for language in Language
        ),
    ]


def _row(name: str, ours: float, reference: str = "", theirs: float | None = None) -> Row:
    return Row(name, "%", ours, reference, theirs, more_is_better=True)


def _percent(cases: Sequence[Recorded], holds: Callable[[Recorded], bool]) -> float:
    return sum(map(holds, cases)) / len(cases) * 100


def _by_sum(case: Recorded) -> bool:
    return (case.judgement.score >= 0) is case.favourable


def _by_majority(cases: Sequence[Recorded]) -> Callable[[Recorded], bool]:
    def right(case: Recorded) -> bool:
        matter = case.judgement.inquiry.matter
        others = [
            recorded.favourable
            for recorded in cases
            if recorded.judgement.inquiry.matter is matter and recorded is not case
        ]
        return (sum(others) * 2 >= len(others)) is case.favourable

    return right


def _chance(cases: Sequence[Recorded]) -> float:
    # As many branches of twelve drawn blindly.
    missed = [comb(12 - len(case.came), len(case.named)) / comb(12, len(case.named)) for case in cases]
    return (1 - sum(missed) / len(missed)) * 100


def _confusion(cases: Sequence[Recorded]) -> str:
    counts = Counter((case.judgement.sign_level, case.judgement.outcome, case.favourable) for case in cases)
    rows = [
        f"{level}  {outcome:12}  ended well {counts[level, outcome, True]:3}  badly {counts[level, outcome, False]:3}"
        for level, outcome in sorted({key[:2] for key in counts}, key=lambda key: (LEVELS.index(key[0]), key[1]))
    ]
    return "\n".join(("grade and outcome", *rows))


def _misses(cases: Sequence[Recorded]) -> str:
    rows = [
        f"{case.id}  {case.title}  ended {'well' if case.favourable else 'badly'}; decided by "
        f"{case.judgement.decided_by.term if case.judgement.decided_by else f'the sum, {case.judgement.score}'}"
        for case in cases
        if not case.right
    ]
    return "\n".join((f"{len(rows)} misses", *rows))


def _reading(cases: Sequence[Recorded], language: Language) -> float:
    # The first pass compiles patterns.
    for _ in range(2):
        start = process_time()
        for case in cases:
            read(case.divination, language=language)
    return (process_time() - start) / len(cases) * 1e6


def _noted(clock: str, language: Language) -> float:
    # The first pass compiles patterns.
    casts = [_cast(lines, f"2026-04-03T{clock}:00+08:00") for lines in _EVERY[::16]]
    for _ in range(2):
        start = process_time()
        for cast in casts:
            divination = derive(cast)
            with_time_note(read(divination, language=language), cast, divination, language)
    return (process_time() - start) / len(casts) * 1e6


def _cast(lines: Sequence[str], moment: str) -> DivinationPayload:
    return DivinationPayload.model_validate(
        {
            "divinationMethod": "手动起卦",
            "questionType": "综合",
            "question": "吉凶",
            "divinationTimeIso": moment,
            "yaoLines": lines,
        }
    )


def _microseconds() -> float:
    moments = ("2026-04-03T20:30:00+08:00", "2025-11-11T09:00:00+08:00", "2024-07-30T13:00:00+08:00")
    plates = [
        lay_out(derive(_cast(lines, moments[number % len(moments)])))
        for number, lines in enumerate(_EVERY)
        if number % 16 == 0
    ]
    start = process_time()
    for plate in plates:
        for matter in MATTERS:
            judge(plate, Inquiry(matter, matter.focus))
    return (process_time() - start) / len(plates) / len(MATTERS) * 1e6
