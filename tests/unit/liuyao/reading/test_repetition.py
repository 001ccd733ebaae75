"""What a text has said before is left out, and what stays is a sentence."""

from liuyao.reading.wording.repetition import once


def test_a_line_that_was_named_keeps_what_stands_between_it_and_another() -> None:
    """DIV-30: its movement was told, and what it does to another line was not."""
    moves = "[子孙] [寅木] in [初爻] moves"
    source = "[官鬼] [丑土] in [四爻]"
    texts = once(
        [f"{moves}, which helps you in the end."],
        [f"{moves}; it is the [仇神] and holds back the [元神], {source}."],
    )
    assert texts[1] == [f"子孙 寅木 in 初爻 is the 仇神 and holds back the 元神, {source}."]
