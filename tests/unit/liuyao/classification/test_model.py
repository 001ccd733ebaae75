"""Model files and scores."""

from array import array
from pathlib import Path

import pytest

from liuyao.classification.features import MOST_CHARACTERS, buckets, passages
from liuyao.classification.model import Classifier, load, read
from tools.classification.corpus import examples, expand
from tools.classification.model_file import pack

COUNT = 2**12


def taught(**sentences: str) -> Classifier:
    """A model that gives a label a weight of 64 for each n-gram of its sentence."""
    rows = []
    for text in sentences.values():
        row = array("b", bytes(COUNT))
        for bucket in buckets(text, COUNT):
            row[bucket] = 64
        rows.append(row.tobytes())
    return read(pack([*sentences], [0.5] * len(rows), [0.125] * len(rows), rows, {"unsure": 1.0}, {"digest": "d"}))


def test_a_sentence_scores_highest_on_its_own_label() -> None:
    """CARE-07: The score is bias + scale × sum of weights / root of the number of n-grams."""
    model = taught(rain="will it rain today", job="会升职吗")
    score = model.score("Will it RAIN today?")
    assert score["rain"] == pytest.approx(0.5 + 8 * len(buckets("will it rain today", COUNT)) ** 0.5)
    assert score["rain"] > 5 * score["job"]
    assert model.score("會升職嗎")["job"] > 5 * model.score("會升職嗎")["rain"]


def test_typing_errors_and_cantonese_keep_most_of_a_score() -> None:
    model = taught(job="他什么时候会升职", rain="will it rain tomorrow")
    assert model.score("佢几时会升职")["job"] > 0.6 * model.score("他什么时候会升职")["job"]
    assert model.score("wil it rain tommorow")["rain"] > 0.5 * model.score("will it rain tomorrow")["rain"]


@pytest.mark.parametrize("text", ["", "  ", "👋🏽", "\x00", "…?!"])
def test_a_text_without_letters_scores_the_biases(text: str) -> None:
    model = taught(rain="will it rain")
    assert [score["rain"] for score in model.scores(text)] == [0.5]


def test_a_long_text_is_read_by_neighbouring_sentences() -> None:
    """A sentence is not diluted by the others."""
    model = taught(rain="will it rain today")
    filler = "The office moves to another floor. Everyone packs boxes. We buy lamps and shelves. Then we celebrate."
    best = max(score["rain"] for score in model.scores(f"{filler} Will it rain today? {filler}"))
    assert best > 1.5 * model.score(f"{filler} Will it rain today? {filler}")["rain"]
    assert sum(map(len, passages("é. " * 10**6))) < 5 * MOST_CHARACTERS


def test_thresholds_and_remarks_are_kept() -> None:
    model = taught(rain="rain")
    assert (model.thresholds, model.about) == ({"unsure": 1.0}, {"digest": "d"})


@pytest.mark.parametrize("stored", [b"", b"PK\x03\x04", b"YLM1"])
def test_another_file_is_refused(stored: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        read(stored)


def test_a_model_file_is_read_once(tmp_path: Path) -> None:
    path = tmp_path / "a.bin"
    path.write_bytes(pack(["a"], [0.0], [1.0], [bytes(COUNT)], {}, {}))
    assert load(path) is load(path)


def test_a_template_gives_the_same_sentences_each_time() -> None:
    slots = {"who": "he|she|my (sister|brother)"}
    found = expand("[Tell me: ]will {who} (win|lose)?", slots, 50)
    assert len(found) == 16
    assert found == expand("[Tell me: ]will {who} (win|lose)?", slots, 50)
    assert "will my brother lose?" in found
    assert len(expand("[Tell me: ]will {who} (win|lose)?", slots, 5)) == 5


def test_sentences_of_one_line_are_one_group(tmp_path: Path) -> None:
    (tmp_path / "care/en").mkdir(parents=True)
    (tmp_path / "care/en/slots.txt").write_text("who: he|she\n")
    (tmp_path / "care/en/ordinary.txt").write_text("# remark\nwill {who} win?\nwill it rain?\n")
    found = examples("care", 9, tmp_path)
    assert sorted((example.text, example.label, example.language, example.group) for example in found) == [
        ("will he win?", "ordinary", "en", 0),
        ("will it rain?", "ordinary", "en", 1),
        ("will she win?", "ordinary", "en", 0),
    ]
