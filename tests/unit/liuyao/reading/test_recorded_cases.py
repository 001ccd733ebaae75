"""The recorded casts of 《增删卜易》: what is read right stays right."""

from liuyao.reading.judgement import LEVELS
from tests.support.readings.recorded_cases import recorded_cases
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
    casts = weighed()
    assert sum(cast.sum_right for cast in casts) >= 70
    assert rate_of_rules(casts) >= 0.83
    assert log_loss(casts) <= 0.58 < log_loss_of_the_rate(casts)


def test_what_decides_is_the_first_of_the_rules_that_hold() -> None:
    for cast, case in zip(weighed(), recorded_cases(), strict=True):
        assert next(iter(cast.verdicts), None) == case.judgement.decided_by
        assert cast.score == case.judgement.score
