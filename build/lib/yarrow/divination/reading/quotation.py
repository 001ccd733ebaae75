"""The user's own words, made fit to stand in a line of a plate or a reading. Nothing here reads what they mean."""

from unicodedata import category


def on_one_line(text: str) -> str:
    """A text with each run of white space as one space, and without control characters (Unicode category Cc)."""
    kept = [character for character in text if character.isspace() or category(character) != "Cc"]
    return " ".join("".join(kept).split())
