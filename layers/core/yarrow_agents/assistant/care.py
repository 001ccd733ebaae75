"""Answers words of someone in danger before any model or tool is asked (CARE-01, CARE-02).

This covers certain cases only; for ambiguous words the model decides, and the tool `cast_hexagram` declines a cast.
"""

from collections.abc import Iterator
from typing import Any

from yarrow.protocol.runner.models import AgentRunContext
from yarrow.protocol.runner.vocabulary import DECLINED


def answered(context: AgentRunContext) -> list[tuple[str, dict[str, Any]]]:
    """Return the results of a run whose text tells of danger; none for any other."""
    text = context.input.text or ""
    if not text.strip():
        return []
    # Imported only when there is a text: the client's tool results have none.
    from liuyao.care import assess
    from liuyao.care.kinds import ACUTE
    from liuyao.care.replies import reply

    kind = assess([text]).kind
    if kind not in ACUTE:
        return []
    return list(
        _results(kind.value, reply(kind, text, context.runtime.locale, context.config.get("help_lines"), is_new=True))
    )


def _results(kind: str, answer: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for piece in answer.splitlines(keepends=True):
        yield "message.delta", {"chunk": {"role": "assistant", "content": piece}}
    yield "message.completed", {"message": {"role": "assistant", "content": answer}}
    yield "run.completed", {DECLINED: kind}
