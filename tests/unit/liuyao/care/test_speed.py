"""What a text costs the classifiers of care."""

from time import process_time

from liuyao.care.classified import CAUTIONS, MODEL, classified, classified_cautions
from liuyao.classification.model import load
from tools.classification.natural import natural

MOST_SECONDS = 0.002


def test_a_text_takes_under_two_milliseconds() -> None:
    """CARE-07: the median of one model's, once models and words are loaded."""
    load(MODEL), load(CAUTIONS)
    texts = [text.text for text in natural("learn")][:200]
    for read in (classified, classified_cautions):
        read(texts[0])
        taken = []
        for text in texts:
            began = process_time()
            read(text)
            taken.append(process_time() - began)
        assert sorted(taken)[len(taken) // 2] < MOST_SECONDS
