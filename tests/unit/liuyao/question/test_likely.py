"""What is likely where the tables know nothing: the matter of a question and the intent of a follow-up."""

from pathlib import Path

import pytest

from liuyao.classification import load
from liuyao.reading.question.asks import Intent
from liuyao.reading.question.follow_up import follow_up
from liuyao.reading.question.inquiry import inquire
from liuyao.reading.question.likely import (
    INTENT,
    INTENTS,
    LINE_OF_PEOPLE,
    MATTER,
    MATTERS,
    TURN,
    buckets,
    concepts,
    masked,
)
from liuyao.reading.question.matters import BY_KEY
from liuyao.reading.question.people.mentions import mentions
from liuyao.reading.question.text import read
from tools.classification.corpus import digest


@pytest.mark.parametrize(
    ("model", "corpora"),
    [(MATTER, ["focus"]), (INTENT, ["follow_up", "natural_follow_ups/learn", "typed_follow_ups/learn"])],
)
def test_the_shipped_models_were_trained_on_the_training_sentences(model: Path, corpora: list[str]) -> None:
    assert load(model).about["digest"] == digest(*corpora)


def test_the_data_is_small() -> None:
    """The classifiers and their lexicons, together."""
    assert sum(path.stat().st_size for path in (MATTER, INTENT, MATTERS, INTENTS)) < 600_000


def test_every_label_is_known_to_the_product() -> None:
    assert set(load(MATTER).labels) <= BY_KEY.keys() | LINE_OF_PEOPLE.keys()
    assert {label.upper() for label in load(INTENT).labels} <= {*Intent.__members__, TURN.upper()}


def test_no_question_of_the_tests_is_among_the_training_sentences() -> None:
    folder = Path(__file__).parent
    requests = {
        line.split("\t")[column]
        for path, column in (
            *((path, 1) for path in (folder / "ordinary").glob("questions_*.tsv")),
            *((path, 2) for path in (folder / "ordinary").glob("follow_ups_*.tsv")),
        )
        for line in path.read_text(encoding="utf-8").splitlines()[1:]
    }
    training = Path(__file__).parents[4] / "training"
    lines = {
        line
        for corpus in ("focus", "follow_up")
        for path in (training / corpus).rglob("*.txt")
        for line in path.read_text(encoding="utf-8").splitlines()
    }
    assert len(lines) > 2_500
    assert not requests & lines


@pytest.mark.parametrize(
    ("question", "matter", "focus"),
    [
        ("送修的平板里的照片还能恢复吗", "documents", "父母"),
        ("這台二手冷氣可以買嗎", "wealth", "妻财"),
        ("Will our guesthouse be full in August?", "wealth", "妻财"),
        ("Will the council pass our loft extension?", "permit", "父母"),
        ("Will my hearing aid turn up?", "lost", "妻财"),
    ],
)
def test_a_thing_that_no_table_names_has_its_matter(question: str, matter: str, focus: str) -> None:
    """DIV-28."""
    found = inquire("", question)
    assert (found.matter.key, found.focus) == (matter, focus)


@pytest.mark.parametrize(
    ("question", "focus"),
    [
        ("那个卖鸡蛋的大姐是不是骗人的", "应爻"),
        ("我奶奶会不会怪我", "父母"),
        ("爷爷留下的铜钱能卖上价吗", "妻财"),
        ("我该把狗送回老家养吗", "子孙"),
        ("我先生的前妻會不會來鬧", "应爻"),
    ],
)
def test_somebody_is_who_the_words_around_say(question: str, focus: str) -> None:
    """DIV-28: a form of address, one who only gave the thing, somebody through a partner."""
    assert inquire("", question).focus == focus


def test_the_tables_stay_where_they_are_certain() -> None:
    """天时, 择日 and the like are named plainly."""
    for question, matter in (("现在下雨会停吗", "fair"), ("梦见考试是什么意思", "dream"), ("哪天搬家好", "date")):
        assert inquire("", question).matter.key == matter


@pytest.mark.parametrize(
    ("follow", "intent"),
    [
        ("听不出个所以然，再掰碎点讲", Intent.PLAIN),
        ("是哪里妨碍了", Intent.OBSTACLES),
        ("講得太深了啦", Intent.PLAIN),
        ("That went over my head", Intent.PLAIN),
        ("What could sink it?", Intent.OBSTACLES),
        ("Suppose I sleep on it until Easter", Intent.WAIT),
    ],
)
def test_a_follow_up_in_words_of_no_table_is_heard(follow: str, intent: Intent) -> None:
    """FUP-03."""
    assert intent in follow_up(follow, inquire("", "店能开下去吗" if ord(follow[0]) > 127 else "Will it sell?")).intents


def test_a_text_without_words_has_no_likely_matter_of_weight() -> None:
    about = inquire("", "???")
    assert about.matter.key == "general"


def test_relatives_are_hidden_from_the_classifier() -> None:
    """A relative may be asked about in every matter."""
    text = read("我妈和我弟弟能租到房子吗")
    assert masked(text.folded, mentions(text)) == "我①和我①能租到房子吗"


def test_a_word_of_no_training_sentence_tells_its_concept() -> None:
    assert set(concepts(("will", "my", "ether", "bounce", "back"), MATTERS)) <= {"invest", "money"}
    assert "goods" in set(concepts(("冷", "气"), MATTERS))
    assert len(buckets("冷气" * 200, 2**14)) < 40


def test_many_labels_are_summed_at_once_as_one_by_one() -> None:
    """One addition of long numbers a bucket gives the sums of the weights."""
    model = load(MATTER)
    found = [1, 5, 77, 16_000]
    scores = model.score_of(found)
    for label, bias, scale, weights in zip(model.labels, model.biases, model.scales, model.weights, strict=True):
        assert scores[label] == pytest.approx(bias + scale * sum(weights[at] for at in found) / 2)
