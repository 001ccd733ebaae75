"""From coins to a line, by either count (DIV-09, DIV-10)."""

from collections.abc import Callable

import pytest

from liuyao.coins import yao_of_hua, yao_of_zi


@pytest.mark.parametrize(("hua", "yao"), [(0, "老阴"), (1, "少阳"), (2, "少阴"), (3, "老阳")])
def test_the_flower_count_gives_the_line(hua: int, yao: str) -> None:
    """DIV-09."""
    assert yao_of_hua(hua) == yao


@pytest.mark.parametrize(("zi", "yao"), [(0, "老阳"), (1, "少阴"), (2, "少阳"), (3, "老阴")])
def test_the_character_count_gives_the_same_line(zi: int, yao: str) -> None:
    """DIV-10."""
    assert yao_of_zi(zi) == yao == yao_of_hua(3 - zi)


@pytest.mark.parametrize("convert", [yao_of_hua, yao_of_zi])
@pytest.mark.parametrize("count", [-1, 4])
def test_three_coins_show_no_other_count(convert: Callable[[int], str], count: int) -> None:
    with pytest.raises(ValueError, match="three coins"):
        convert(count)
