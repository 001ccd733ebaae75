"""Trains `reading/question/likely/about.bin` and `life.bin`: what a question is about, and of which part of life it is.

Run `python -m tools.classification.train_about`, which prints how many lines and parts of life are right, by language:
cross-validated of what is learnt from, and of the part `development`, that of the classifiers alone and that of the
product. It learns from `training/about/learn`, `training/about_written`, one sentence of each template of
`training/focus`, and the questions that the tables are tested with and were mended by (`asked_about.SHOWN`).
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from liuyao.classification import load
from liuyao.reading.question import reconsidered
from liuyao.reading.question.asking import asking
from liuyao.reading.question.inquiry import inquire, kind_in
from liuyao.reading.question.likely import about as likely
from liuyao.reading.question.likely.about import ABOUT, LIFE, LINES, buckets, features
from liuyao.reading.question.named_matter import matter_told
from liuyao.reading.question.people.mentions import mentions
from liuyao.reading.question.people.roles import FAMILY
from liuyao.reading.question.people.subject import subject
from liuyao.reading.question.text import read
from tools.classification.asked_about import (
    AskedAbout,
    asked_about,
    digest_of_all,
    shown,
    shown_of_kin,
    written,
)
from tools.classification.corpus import Example, examples
from tools.classification.training import Fitted, Scores, TrainingSettings, cross_validated, fit, matrix_of, quantised

TEMPLATE: Final = 0.1
"""The weight of a sentence of `training/focus`, beside 1 of a question as people type it."""
ABOUT_OF: Final = {
    "career": "job",
    "contest": "team_game",
    **dict.fromkeys(("date", "dream", "general"), "self"),
    **dict.fromkeys(("debt", "wealth"), "money"),
    **dict.fromkeys(("documents", "dwelling"), "house"),
    **dict.fromkeys(("fair", "rain"), "weather"),
    **dict.fromkeys(("healer", "medicine"), "medicine_doctor"),
    "health": "illness",
    "journey": "journey",
    "kin": "friend",
    "lawsuit": "court",
    "lost": "thing",
    "love": "partner",
    **dict.fromkeys(("naming", "permit"), "document"),
    **dict.fromkeys(("partner", "staff", "stranger", "return"), "other_person"),
    "pets": "animal",
    **dict.fromkeys(("pregnancy", "children"), "child"),
    "study": "exam",
    "superior": "boss",
}
"""What the sentences of a matter of `training/focus` are about."""
LIFE_OF: Final = {
    **dict.fromkeys(("career", "partner", "staff", "superior"), "work"),
    **dict.fromkeys(("children", "pregnancy"), "family"),
    **dict.fromkeys(("contest", "fair", "general", "pets", "rain"), "other"),
    **dict.fromkeys(("debt", "wealth"), "money"),
    **dict.fromkeys(("documents", "dwelling"), "house"),
    **dict.fromkeys(("healer", "health", "medicine"), "health"),
    **dict.fromkeys(("journey", "permit"), "travel"),
    "kin": "friends",
    "lawsuit": "law",
    "lost": "lost",
    "love": "love",
    "study": "exam",
}
"""The part of life of those; the others are of several."""
OF_SEVERAL: Final = frozenset({"documents", "general", "kin", "partner", "permit"})
"""Matters that are of one part of life in `training/focus`, but not in every question."""
TESTED: Final = 1.5
"""The weight of a question that the tables were mended by."""
OF_LIFE: Final = 0.5
"""The same of its part of life, which its matter only suggests."""
OF_KIN: Final = 0.5
"""The weight of a sentence that the words for people are tested with."""


def features_of(text: str, count: int) -> list[int]:
    """Return the buckets of a question, as the product computes them."""
    found = read(text)
    asked, people = asking(found), mentions(found)
    told = matter_told(found, asked, people)
    about, asks = subject(found, asked, people), kind_in(found, asked)
    return buckets([*features(found, asked, people, told.key if told else None, about, asks)], count)


SETTINGS: Final = TrainingSettings(strength=20.0, buckets=2**14, features=features_of, augments=False, tolerance=3e-3)


def typed(label: Callable[[AskedAbout], str]) -> list[Example]:
    """Return the questions that somebody labelled, as people type them first."""
    questions = [*asked_about("learn"), *written()]
    return [Example(item.text, label(item), item.language, at) for at, item in enumerate(questions)]


def templates(labels: dict[str, str], first_group: int) -> list[Example]:
    """Return a sentence of each template of `training/focus`, but none of a relative in a matter of many."""
    found = []
    for item in examples("focus", 1):
        people = {mention.role for mention in mentions(read(item.text))}
        of_kin = item.label in ("kin", "children", "pregnancy")
        if item.label in labels and (of_kin or people.isdisjoint(FAMILY)):
            found.append(replace(item, label=labels[item.label], group=first_group + item.group, weight=TEMPLATE))
    return found


def of_tests(fitted: Fitted, first_group: int) -> Iterator[Example]:
    """Yield the questions that the tables were mended by, each with the likeliest that a right line stands for."""
    rows = [(item, TESTED) for item in shown()] + [(item, OF_KIN) for item in shown_of_kin()]
    scores = fitted.scores(matrix_of([item.text for item, _ in rows], SETTINGS))
    for at, ((item, weight), row) in enumerate(zip(rows, scores, strict=True), first_group):
        fitting = [n for n, label in enumerate(fitted.labels) if not item.lines.isdisjoint(LINES[label])]
        if fitting:
            yield Example(item.text, fitted.labels[max(fitting, key=row.__getitem__)], "tests", at, weight)


def lives_of_tests(first_group: int) -> Iterator[Example]:
    """Yield those whose matter tells the part of life."""
    for at, item in enumerate(shown(), first_group):
        if item.matter in LIFE_OF and item.matter not in OF_SEVERAL:
            yield Example(item.text, LIFE_OF[item.matter], "tests", at, OF_LIFE)


def report(questions: Sequence[AskedAbout], labels: Sequence[str], scores: Scores, *, of_lines: bool) -> str:
    """Report how many lines or parts of life the classifiers alone have right, by language."""
    rows = ["| language | questions | right |", "|---|---|---|"]
    right = [
        not question.lines.isdisjoint(LINES[label]) if of_lines else question.life == label
        for question, label in zip(questions, _best(labels, scores, of_lines=of_lines), strict=True)
    ]
    for language in sorted({question.language for question in questions}):
        these = [ok for ok, question in zip(right, questions, strict=True) if question.language == language]
        rows.append(f"| {language} | {len(these)} | {sum(these)} |")
    return "\n".join([*rows, f"| all | {len(right)} | {sum(right)} |"])


def _best(labels: Sequence[str], scores: Scores, *, of_lines: bool) -> Iterator[str]:
    for row in scores:
        named = {label: float(score) for label, score in zip(labels, row, strict=True)}
        yield likely.Likely(likely.as_probabilities(named), {}).nearest() if of_lines else max(named, key=named.get)  # type: ignore[arg-type]


def report_product(questions: Sequence[AskedAbout]) -> str:
    """Report how many lines and parts of life the product has right, by language."""
    rows = ["| language | questions | line | part of life |", "|---|---|---|---|"]
    for language in (*sorted({question.language for question in questions}), "all"):
        these = [question for question in questions if language in (question.language, "all")]
        found = [(question, inquire("", question.text)) for question in these]
        line = sum(inquiry.focus in question.lines for question, inquiry in found)
        life = sum(question.life in reconsidered.LIFE_OF.get(inquiry.matter.key, ()) for question, inquiry in found)
        rows.append(f"| {language} | {len(these)} | {line} | {life} |")
    return "\n".join(rows)


def main() -> None:
    """Train both, report, and write them."""
    unseen, learnt = list(asked_about("development")), list(asked_about("learn"))
    about = typed(lambda item: item.turns_on)
    about += templates(ABOUT_OF, len(about))
    life = typed(lambda item: item.life)
    life += templates(LIFE_OF, len(life))
    life += lives_of_tests(max(item.group for item in life) + 1)
    about += of_tests(fit(about, SETTINGS), max(item.group for item in about) + 1)
    for path, sentences in ((ABOUT, about), (LIFE, life)):
        labels, scores = cross_validated(sentences, SETTINGS)
        fitted = fit(sentences, SETTINGS)
        alone = fitted.scores(matrix_of([item.text for item in unseen], SETTINGS))
        for questions, found, names in ((learnt, scores[: len(learnt)], labels), (unseen, alone, fitted.labels)):
            sys.stdout.write(report(questions, names, found, of_lines=path is ABOUT) + "\n\n")
        known = {"digest": digest_of_all(), "sentences": len(sentences)}
        path.write_bytes(quantised(fitted, {}, known))
        sys.stdout.write(f"{path.stat().st_size} bytes\n\n")
    load.cache_clear()
    sys.stdout.write(report_product(unseen) + "\n")


if __name__ == "__main__":
    main()
