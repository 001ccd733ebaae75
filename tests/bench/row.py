"""One line of the benchmark table."""

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Row:
    """One figure of ours, beside a reference measured in the same run where there is one.

    `name` says what was measured, `unit` in what; `theirs` is the figure of `reference`. Less is better unless
    `more_is_better`.
    """

    name: str
    unit: str
    ours: float
    reference: str = ""
    theirs: float | None = None
    more_is_better: bool = False

    @property
    def ratio(self) -> float | None:
        """How many times better ours is, 1 being equal; None without a reference."""
        if self.theirs is None:
            return None
        return self.ours / self.theirs if self.more_is_better else self.theirs / self.ours

    def document(self) -> dict[str, Any]:
        """The row as it stands in `bench.json`."""
        return asdict(self) | {"ratio": self.ratio}
