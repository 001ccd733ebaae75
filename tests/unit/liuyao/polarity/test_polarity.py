"""Whether what is asked about is wanted, on questions that were written before the classifier was trained."""

from pathlib import Path

import pytest

from liuyao.classification import load
from liuyao.reading.question.inquiry import inquire
from liuyao.reading.question.polarity import MODEL, Stance, polarity_told
from tools.classification.corpus import digest

HELD_OUT = Path(__file__).with_name("held_out")


def questions(language: str) -> list[tuple[str, str]]:
    """Return the questions of a file with their labels."""
    label, found = "", []
    for line in (HELD_OUT / f"{language}.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            label = line[2:]
        else:
            found.append((label, line))
    return found


def stance(question: str) -> Stance:
    return inquire("", question).stance


@pytest.mark.parametrize(
    ("language", "right", "share"), [("en", 0.95, 0.7), ("zh", 0.97, 0.75), ("hant", 0.97, 0.7), ("yue", 0.95, 0.75)]
)
def test_held_out_questions_are_taken_for_what_they_are(language: str, right: float, share: float) -> None:
    """CARE-08: what is answered by yes or no is right, and much is."""
    found = [(label, stance(question)) for label, question in questions(language)]
    answered = [(label, one.polarity) for label, one in found if one.plain and one.sure]
    agree = [label == polarity for label, polarity in answered]
    assert sum(agree) / len(agree) >= right
    assert sum(agree) / sum(label != "unknown" for label, _ in found) >= share


def test_the_shipped_model_was_trained_on_the_training_sentences() -> None:
    assert load(MODEL).about["digest"] == digest("polarity", "polarity_typed", "natural", "questions", "sides")
    assert MODEL.stat().st_size < 200_000


@pytest.mark.parametrize(
    ("question", "polarity", "plain"),
    [
        ("我会被退学吗", "unwanted", True),
        ("Will my contract be terminated?", "unwanted", True),
        ("能躲过裁员吗", "wanted", True),
        ("Can I avoid the fine?", "wanted", True),
        ("Will the pain stop?", "wanted", True),
        ("病会好吗", "wanted", True),
        ("会不会不被录取", "unwanted", True),
        ("难道我要失业了吗", "unwanted", True),
        ("我要被裁了，对吧", "unwanted", True),
        ("Won't I be fired?", "unwanted", True),
        ("I'm going to be fired, right?", "unwanted", True),
        ("Will I not be fired?", "unknown", False),
        ("Will my rival fail?", "unknown", True),
        ("Will he leave his wife?", "unknown", True),
        ("他会离婚吗", "unknown", True),
        ("我會被炒魷魚嗎", "unwanted", True),
        ("佢會唔會同老婆離婚", "unknown", True),
        ("份工保唔保得住", "wanted", True),
    ],
)
def test_what_turns_a_question_round_is_known(question: str, polarity: str, plain: bool) -> None:
    """CARE-08: avoiding, ending, negations, suggested answers, and whose good it is."""
    found = stance(question)
    assert (found.polarity, found.plain) == (polarity, plain)


@pytest.mark.parametrize("question", ["will i get the raise", "will he call", "will my kid catch up"])
def test_a_dash_makes_no_other_language_of_a_question(question: str) -> None:
    """CARE-08: each script has a margin of its own."""
    assert polarity_told(f"{question} — really") is polarity_told(f"{question} - really")
    assert load(MODEL).thresholds.keys() == {"en", "zh"}
