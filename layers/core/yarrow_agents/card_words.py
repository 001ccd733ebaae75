"""The words of the card of a cast."""

from typing import Final

from yarrow.protocol.ui_schema.words import CardWords

WORDS: Final = CardWords(
    {
        "en": {
            "cast": "Cast",
            "question": "Question",
            "hexagram": "Hexagram",
            "changed_hexagram": "Changed hexagram",
        },
        "zh-Hans": {"cast": "起卦", "question": "所问", "hexagram": "本卦", "changed_hexagram": "变卦"},
        "zh-Hant": {"cast": "起卦", "question": "所問", "hexagram": "本卦", "changed_hexagram": "變卦"},
    }
)
