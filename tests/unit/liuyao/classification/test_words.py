"""Classes of words (`words.txt`)."""

import re

import pytest

from liuyao.care.folding import fold
from liuyao.classification.features import buckets as n_grams
from liuyao.classification.words import WORDS, buckets, classes_of

COUNT = 2**17
LINE = re.compile(r"\d{1,2}\.\d{1,3}\.\d{1,4}: \S+( \S+)*")


def common(one: str, other: str) -> int:
    """How many classes two texts share."""
    return len(classes_of(fold(one)) & classes_of(fold(other)))


@pytest.mark.parametrize(("one", "other"), [("lawyer", "律师"), ("rain", "下雨"), ("doctor", "医生"), ("律師", "律师")])
def test_words_that_mean_the_same_share_a_class(one: str, other: str) -> None:
    """CARE-07: in both languages."""
    assert common(one, other) == 1


@pytest.mark.parametrize(("one", "other"), [("lawyer", "rain"), ("律师", "下雨"), ("doctor", "律师")])
def test_others_share_none(one: str, other: str) -> None:
    assert common(one, other) == 0


@pytest.mark.parametrize(("form", "base"), [("lawyers", "lawyer"), ("raining", "rain"), ("studies", "study")])
def test_forms_of_a_word_have_a_class(form: str, base: str) -> None:
    assert classes_of(fold(form))
    assert classes_of(fold(base))


def test_the_longest_word_counts() -> None:
    """下雨 is no 下 and 雨."""
    assert len(classes_of(fold("下雨"))) == 1


@pytest.mark.parametrize("text", ["", " ", "👋🏽", "…?!", "zzqx"])
def test_a_text_without_known_words_has_none(text: str) -> None:
    assert classes_of(fold(text)) == set()


def test_classes_stand_beside_n_grams() -> None:
    """CARE-07: three for a word, from wide to narrow, in the same buckets."""
    n_grams_alone = set(n_grams("律师", COUNT))
    found = set(buckets("律师", COUNT))
    assert n_grams_alone < found
    assert len(found - n_grams_alone) == 3


def test_the_file_has_each_word_once() -> None:
    lines = WORDS.read_text(encoding="utf-8").splitlines()
    assert all(LINE.fullmatch(line) for line in lines)
    words = [word for line in lines for word in line.partition(": ")[2].split()]
    assert len(words) == len(set(words)) > 30_000
    assert WORDS.stat().st_size < 400_000
