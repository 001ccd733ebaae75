"""A text that grows piece by piece, in time proportional to its length: Python copies a string at each addition."""


class GrowingText:
    """A growing text; `str()` is the text so far, which equality compares."""

    __slots__ = ("_length", "_pieces")

    def __init__(self, text: str = "") -> None:
        self._pieces = [text]
        self._length = len(text)

    def append(self, piece: str) -> None:
        self._pieces.append(piece)
        self._length += len(piece)

    def __len__(self) -> int:
        return self._length

    def __str__(self) -> str:
        if len(self._pieces) > 1:
            self._pieces = ["".join(self._pieces)]
        return self._pieces[0]

    def __eq__(self, other: object) -> bool:
        return str(self) == str(other) if isinstance(other, GrowingText) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # it changes
