"""The 64 hexagrams by the laws of 京房纳甲, counted over all of them (DIV-16, DIV-17, DIV-24)."""

from collections import Counter

import pytest

from liuyao.elements import BRANCH_ELEMENT, BRANCHES, combined, opposite
from liuyao.hexagrams import (
    HEXAGRAMS,
    RELATIONS,
    TRIGRAMS,
    Hexagram,
    Kind,
    flip,
    relation,
    traditional,
)

ALL = list(HEXAGRAMS.values())
every_hexagram = pytest.mark.parametrize("hexagram", ALL, ids=lambda hexagram: hexagram.name)


def names(kind: Kind) -> set[str]:
    return {hexagram.name for hexagram in ALL if hexagram.kind is kind}


def test_there_are_64_codes_and_64_names() -> None:
    assert set(HEXAGRAMS) == {f"{code:06b}" for code in range(64)}
    assert len({hexagram.name for hexagram in ALL}) == 64


def test_each_palace_has_one_hexagram_of_each_generation() -> None:
    found = {(hexagram.palace.name, hexagram.generation) for hexagram in ALL}
    assert found == {(palace, generation) for palace in "乾兑离震巽坎艮坤" for generation in GENERATIONS}


GENERATIONS = ("八纯", "一世", "二世", "三世", "四世", "五世", "游魂", "归魂")


@every_hexagram
def test_world_and_response_are_three_lines_apart(hexagram: Hexagram) -> None:
    """DIV-17."""
    assert {hexagram.world, hexagram.response} <= set(range(1, 7))
    assert abs(hexagram.world - hexagram.response) == 3


@every_hexagram
def test_a_name_says_its_trigrams(hexagram: Hexagram) -> None:
    """DIV-16."""
    if hexagram.upper is hexagram.lower:
        assert hexagram.name == f"{hexagram.upper.name}为{hexagram.upper.image}"
    else:
        assert hexagram.name.startswith(hexagram.upper.image + hexagram.lower.image)


@every_hexagram
def test_the_line_of_the_world_tells_the_generation(hexagram: Hexagram) -> None:
    """寻世诀: 天同二世天变五, 地同四世地变初, 本宫六世三世异, 人同游魂人变归."""
    heaven, human, earth = (hexagram.code[place] == hexagram.code[place + 3] for place in (2, 1, 0))
    expected = {
        (True, False, False): 2,
        (False, True, True): 5,
        (False, False, True): 4,
        (True, True, False): 1,
        (True, True, True): 6,
        (False, False, False): 3,
        (False, True, False): 4,
        (True, False, True): 3,
    }
    assert hexagram.world == expected[heaven, human, earth]


@every_hexagram
def test_stem_and_branch_of_a_line_are_both_yang_or_both_yin(hexagram: Hexagram) -> None:
    for stem, branch in zip(hexagram.stems, hexagram.branches, strict=True):
        assert "甲乙丙丁戊己庚辛壬癸".index(stem) % 2 == BRANCHES.index(branch) % 2


@every_hexagram
def test_hidden_lines_supply_exactly_the_relations_that_are_missing(hexagram: Hexagram) -> None:
    """DIV-24."""
    assert {line.relation for line in hexagram.hidden} == set(RELATIONS) - set(hexagram.relations)
    pure = HEXAGRAMS[hexagram.palace.code * 2]
    assert set(pure.relations) == set(RELATIONS)
    for line in hexagram.hidden:
        assert (line.stem, line.branch, line.relation) == (
            pure.stems[line.position - 1],
            pure.branches[line.position - 1],
            pure.relations[line.position - 1],
        )


def test_hexagrams_hide_no_line_32_one_and_12_two() -> None:
    """DIV-24, DIV-20."""
    assert Counter(len(hexagram.hidden) for hexagram in ALL) == {0: 20, 1: 32, 2: 12}


def test_ten_hexagrams_clash_and_eight_combine() -> None:
    assert names(Kind.CLASHING) == {
        hexagram.name for hexagram in ALL if hexagram.generation == "八纯" or hexagram.name in ("天雷无妄", "雷天大壮")
    }
    assert names(Kind.COMBINING) == {
        "天地否",
        "地天泰",
        "泽水困",
        "水泽节",
        "火山旅",
        "山火贲",
        "雷地豫",
        "地雷复",
    }
    assert len(names(Kind.CLASHING)) == 10


def test_eight_hexagrams_wander_and_eight_return() -> None:
    assert len(names(Kind.WANDERING)) == len(names(Kind.RETURNING)) == 8
    assert names(Kind.WANDERING) >= {"火地晋", "山雷颐"}
    assert names(Kind.RETURNING) >= {"火天大有", "泽雷随"}


@pytest.mark.parametrize("code", HEXAGRAMS)
@pytest.mark.parametrize("positions", [(1,), (2, 5), (1, 2, 3, 4, 5, 6)])
def test_turning_lines_over_twice_returns_the_hexagram(code: str, positions: tuple[int, ...]) -> None:
    assert flip(flip(code, positions), positions) == code != flip(code, positions)


@pytest.mark.parametrize(
    ("name", "hant"),
    [
        ("山火贲", "山火賁"),
        ("山雷颐", "山雷頤"),
        ("兑为泽", "兌為澤"),
        ("天山遁", "天山遯"),
        ("雷风恒", "雷風恆"),
        ("天雷无妄", "天雷無妄"),
        ("火天大有", "火天大有"),
        ("子孙", "子孫"),
        ("妻财", "妻財"),
    ],
)
def test_terms_have_their_traditional_form(name: str, hant: str) -> None:
    """DIV-16."""
    assert traditional(name) == hant


def test_the_five_relations_of_the_palace_of_metal() -> None:
    assert {element: relation("金", element) for element in "金水木火土"} == {
        "金": "兄弟",
        "水": "子孙",
        "木": "妻财",
        "火": "官鬼",
        "土": "父母",
    }


def test_the_branches_of_a_trigram_clash_with_nothing_within_it() -> None:
    for trigram in TRIGRAMS.values():
        inner, outer = trigram.branches[:3], trigram.branches[3:]
        assert tuple(opposite(branch) for branch in inner) == outer
        assert not {combined(branch) for branch in inner} & set(inner)
        assert len({BRANCH_ELEMENT[branch] for branch in inner}) == 3
