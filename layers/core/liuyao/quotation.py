"""Formats the user's text for a line of a plate or a reading; it is not interpreted."""

from unicodedata import category


def on_one_line(text: str) -> str:
    """Return a text with each run of white space as one space, and without control characters (Unicode category Cc)."""
    kept = [character for character in text if character.isspace() or category(character) != "Cc"]
    return " ".join("".join(kept).split())
