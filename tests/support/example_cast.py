"""The cast of `divination-run.md`, which most tests start from."""

from typing import Any, Final

EXAMPLE: Final[dict[str, Any]] = {
    "divinationMethod": "手动起卦",
    "questionType": "事业",
    "question": "我最近换工作是否合适?",
    "divinationTimeIso": "2026-04-03T20:30:00+08:00",
    "yaoLines": ["少阳", "少阴", "老阳", "少阴", "少阳", "老阴"],
}
