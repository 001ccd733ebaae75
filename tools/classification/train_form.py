"""Trains `reading/question/likely/form.bin`: how a question is put, and so what kind of answer it wants.

Run `python -m tools.classification.train_form`, which prints figures by form. It learns from the natural texts and the
questions of the part `learn` and from the yes-or-no questions of `training/polarity`; the part `development` is only
counted.
"""

import sys
from collections import Counter
from collections.abc import Sequence
from typing import Final

from liuyao.classification.model import read as read_model
from liuyao.reading.question.asking import asking
from liuyao.reading.question.inquiry import kind_in
from liuyao.reading.question.kind import FORM, KINDS, buckets, guessed_by, settled
from liuyao.reading.question.text import read
from tools.classification.corpus import Example, digest, examples
from tools.classification.natural import UNSAID, NaturalText, Part, TypedQuestion, natural, typed_questions
from tools.classification.training import TrainingSettings, fit, quantised

YES_OR_NO: Final = 1
"""Sentences that are taken of each template of yes-or-no questions."""
OF_TEMPLATES: Final = 0.1
"""The weight of such a question, beside 1 of a text as people type it."""


def features(text: str, count: int) -> list[int]:
    """Return the buckets of a question, as the product computes them."""
    found = read(text)
    place = asking(found)
    return buckets(found.folded, place.clause, kind_in(found, place), count)


SETTINGS: Final = TrainingSettings(strength=20.0, buckets=2**14, features=features, augments=False)


def sentences() -> list[Example]:
    """Return the texts that are learnt from, with their forms."""
    found = [Example(text.text, text.form, text.language, at) for at, text in enumerate(typed("learn"))]
    return found + [
        Example(example.text, "yesno", example.language, len(found) + example.group, OF_TEMPLATES)
        for example in examples("polarity", YES_OR_NO)
    ]


def typed(part: Part) -> list[NaturalText | TypedQuestion]:
    """Return all texts of a part as people type them, those that get no reading too, but none without a form."""
    grave = [text for text in natural(part) if text.label != "ordinary" and text.form != UNSAID]
    return [*grave, *typed_questions(part)]


def report(texts: Sequence[NaturalText | TypedQuestion], stored: bytes) -> str:
    """Report by form how many texts the tables give a fitting kind of answer, and the tables with the classifier."""
    model, rows = read_model(stored), ["| form | texts | by tables | with the classifier |", "|---|---|---|---|"]
    counts: Counter[tuple[str, str]] = Counter()
    for text in texts:
        found = read(text.text)
        place = asking(found)
        asks = kind_in(found, place)
        told = settled(asks, guessed_by(model, found.folded, place.clause, asks))
        for name in (text.form, "all"):
            counts[name, "texts"] += 1
            counts[name, "tables"] += asks in KINDS[text.form]
            counts[name, "both"] += told in KINDS[text.form]
    rows += [
        f"| {name} | {counts[name, 'texts']} | {counts[name, 'tables']} | {counts[name, 'both']} |"
        for name in (*KINDS, "all")
    ]
    return "\n".join(rows)


def main() -> None:
    """Train, write the model, and report on the texts that it was not trained on."""
    known = sentences()
    about = {"digest": digest("polarity", "natural/learn", "questions/learn"), "sentences": len(known)}
    stored = quantised(fit(known, SETTINGS), {}, about)
    FORM.write_bytes(stored)
    sys.stdout.write(f"{report(typed('development'), stored)}\n{len(stored)} bytes\n")


if __name__ == "__main__":
    main()
