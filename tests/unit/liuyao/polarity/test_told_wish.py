"""Whose good it is decides if a yes is good news: what the asker says, who is granted it, who does what to whom."""

import pytest

from liuyao.reading.question.inquiry import inquire


def stance(question: str) -> tuple[str, bool]:
    found = inquire("", question).stance
    return found.polarity, found.sure


@pytest.mark.parametrize(
    ("question", "polarity"),
    [
        ("The whole village is against the quarry. Will it go ahead?", "unwanted"),
        ("We objected to the flats behind us. Will planning permission be granted?", "unwanted"),
        ("I'm against the merger. Will the regulator block it?", "wanted"),
        ("I don't want this pub here. Does it get its licence?", "unwanted"),
        ("楼下要开棋牌室，整栋楼都不同意，执照会批吗", "unwanted"),
        ("我们抗议建垃圾站，这个项目会被叫停吗", "wanted"),
        ("里民都反對蓋停車塔，會蓋成嗎", "unwanted"),
        ("街坊都唔想起輸電塔，個計劃會唔會通過", "unwanted"),
    ],
)
def test_who_says_to_be_against_a_plan_hopes_that_it_is_stopped(question: str, polarity: str) -> None:
    """CARE-08."""
    assert stance(question) == (polarity, True)


@pytest.mark.parametrize(
    "question",
    [
        "The neighbours objected. Will my loft conversion be approved?",
        "My mother is against the move. Will our visa be approved?",
        "业主反对，我的店能批下来吗",
        "我爸不同意，我的申请会通过吗",
    ],
)
def test_what_others_are_against_is_still_the_askers_hope(question: str) -> None:
    assert stance(question) == ("wanted", True)


@pytest.mark.parametrize(
    "question",
    [
        "Will my rival be granted the licence?",
        "A chain wants the shop next door. Will the council approve it?",
        "隔壁要开一家网吧，能批下来吗",
        "另一家也想做這塊，執照會核准嗎",
    ],
)
def test_what_is_granted_to_others_is_answered_both_ways(question: str) -> None:
    assert stance(question)[0] == "unknown"


@pytest.mark.parametrize(
    ("question", "polarity"),
    [
        ("Will the revenue inspect our books?", "unwanted"),
        ("Am I being investigated?", "unwanted"),
        ("Do I end up on jury service again?", "unwanted"),
        ("Will the supplier refuse to refund us?", "unwanted"),
        ("Will they cancel our flight?", "unwanted"),
        ("Will we smash it at the talent show?", "wanted"),
        ("我们能碾压隔壁班吗", "wanted"),
        ("Will the manufacturer reimburse us for the broken lift?", "wanted"),
        ("Do I have to pay for the broken lift?", "unwanted"),
        ("保險會理賠這次的水損嗎", "wanted"),
        ("學妹會比我先選上系隊嗎", "unwanted"),
        ("這次會不會派我去當兵", "unwanted"),
    ],
)
def test_the_verb_tells_who_profits(question: str, polarity: str) -> None:
    assert stance(question) == (polarity, True)
