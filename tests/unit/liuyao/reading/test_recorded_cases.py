"""The recorded casts of the classics: what is read right stays right."""

from liuyao.reading.judgement import LEVELS
from tests.support.readings.recorded_cases import further_cases, recorded_cases
from tests.support.readings.validation import log_loss, log_loss_of_the_rate, rate_of_rules, weighed

MISSED = {"zsby-046", "zsby-054"}
"""The cases whose direction is not read: the book decides them by what no rule says, or against its own rules."""


def test_every_recorded_case_that_is_read_right_stays_right() -> None:
    """DIV-28: the direction of each case, all but those known to be missed."""
    assert {case.id for case in recorded_cases() if not case.right} <= MISSED


def test_bad_outcomes_are_seen_and_the_highest_grade_seldom_ends_badly() -> None:
    """DIV-29: two of three bad outcomes at least; of 上上签 one in ten at most; the 应期 of 45 in a hundred."""
    cases = recorded_cases()
    bad = [case.right for case in cases if not case.favourable]
    best = [case.favourable for case in cases if case.judgement.sign_level == LEVELS[0]]
    timed = [case.timed for case in cases if case.came]
    assert sum(bad) / len(bad) >= 0.65
    assert sum(best) / len(best) >= 0.9
    assert sum(timed) / len(timed) >= 0.45


def test_rules_and_sum_hold_on_folds_that_did_not_choose_them() -> None:
    """DIV-29: the sum alone, the rules that the other folds bear out, and what the score says of the chance."""
    casts = weighed(recorded_cases())
    assert sum(cast.sum_right for cast in casts) >= 70
    assert rate_of_rules(casts) >= 0.83
    assert log_loss(casts) <= 0.58 < log_loss_of_the_rate(casts)


def test_casts_that_were_kept_apart_and_those_read_before_are_right_as_often_as_when_they_were_scored() -> None:
    """DIV-28: 133 of 160 read before, 64 of 91 apart at first sight; always "favourable" is right in 159."""
    apart = [case.right for case in further_cases() if case.apart]
    read = [case.right for case in further_cases() if not case.apart]
    assert (len(apart), len(read)) == (91, 160)
    assert sum(apart) >= 64
    assert sum(read) >= 133


def test_rules_that_the_other_folds_bear_out_hold_on_the_casts_of_three_books() -> None:
    """DIV-29."""
    further = weighed(further_cases())
    assert rate_of_rules(further) >= 0.785
    assert rate_of_rules((*weighed(recorded_cases()), *further)) >= 0.81
    assert sum(cast.sum_right for cast in further) >= 180


def test_no_recorded_cast_is_there_twice_and_each_has_the_month_and_day_that_it_names() -> None:
    casts = [case.divination for case in (*recorded_cases(), *further_cases())]
    plates = [(cast.ganzhi, cast.binary_code, cast.changed_binary_code, cast.question) for cast in casts]
    assert len(set(plates)) == len(plates) == 349


def test_what_decides_is_the_first_of_the_rules_that_hold() -> None:
    for cast, case in zip(weighed(recorded_cases()), recorded_cases(), strict=True):
        assert next(iter(cast.verdicts), None) == case.judgement.decided_by
        assert cast.score == case.judgement.score
