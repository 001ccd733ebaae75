"""Inlines the latest messages, if runner and agent ask for it (`agent-runner.md` §3.5, §4.9; RNR-09 … RNR-12, C22). The
manifest caps the amount; the mode's `context` is the window (LangBot's `max-round` is mode `round`). Messages are never
cut or summarised.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from yarrow.agents.policies import ContextWindow
from yarrow.protocol.runner.api import TranscriptItem
from yarrow.protocol.runner.manifest import AgentRunnerContextPolicy
from yarrow.protocol.runner.models import BootstrapContext, InlineContextPolicy
from yarrow.worker.context.model_history import NOTHING, Extras, with_extras

_TAILS: Final = ("recent_tail", "summary_tail")


@dataclass(frozen=True, slots=True)
class BootstrapHistory:
    """`items` are the latest messages before the event, oldest first. `count` is their total number, `at` the event's
    time (ISO 8601 with offset).
    """

    items: Sequence[TranscriptItem]
    count: int
    at: str
    summary: str | None = None
    extras: Extras = NOTHING


def items_wanted(policy: AgentRunnerContextPolicy, window: ContextWindow | None) -> int:
    takes_any = policy.bootstrap in _TAILS and policy.max_inline_bytes > 0 and window is not None
    return max(0, policy.max_inline_events) if takes_any else 0


def inline(
    policy: AgentRunnerContextPolicy, window: ContextWindow | None, past: BootstrapHistory
) -> tuple[BootstrapContext | None, InlineContextPolicy]:
    """Return what is inlined, and how: summary and latest messages share the byte cap (UTF-8; RNR-11). The event's own
    message counts as delivered. Extras get the remaining bytes and count for neither cap.
    """
    total = past.count + 1
    if policy.bootstrap == "none":
        return None, InlineContextPolicy(mode="none", source_total_count=total)
    if window is None or items_wanted(policy, window) == 0:
        return None, InlineContextPolicy(
            mode="current_event",
            delivered_count=1,
            source_total_count=total,
            messages_complete=past.count == 0,
            reason=_why_nothing(policy) if past.count else None,
        )
    summary, no_summary = _summary(policy, past)
    left = policy.max_inline_bytes - len((summary or "").encode())
    kept, cut = _tail(past, window, policy.max_inline_events, left)
    left -= sum(len(item.content.encode()) for item in kept)
    messages, metadata = with_extras(kept, _of_kept(past, kept), left)
    is_empty = not messages and summary is None
    inlined = None if is_empty else BootstrapContext(messages=messages, summary=summary, metadata=metadata)
    return inlined, InlineContextPolicy(
        mode="recent_tail" if summary is None else "summary_tail",
        delivered_count=len(kept) + 1,
        source_total_count=total,
        messages_complete=len(kept) == past.count,
        reason=no_summary or cut,
    )


def _why_nothing(policy: AgentRunnerContextPolicy) -> str | None:
    if policy.bootstrap not in _TAILS:
        return None
    if policy.max_inline_events <= 0 or policy.max_inline_bytes <= 0:
        return "the runner's context policy allows no context"
    return "the agent gives this mode no context"


def _summary(policy: AgentRunnerContextPolicy, past: BootstrapHistory) -> tuple[str | None, str | None]:
    """Return the summary, or why a requested one is missing."""
    if policy.bootstrap != "summary_tail":
        return None, None
    if past.summary is None:
        return None, "there is no summary"
    if len(past.summary.encode()) > policy.max_inline_bytes:
        return None, "max_inline_bytes"
    return past.summary, None


def _tail(
    past: BootstrapHistory, window: ContextWindow, events: int, left: int
) -> tuple[list[TranscriptItem], str | None]:
    """Return the messages that fit, oldest first, and why the next one did not."""
    in_window = _within(window, past)
    kept: list[TranscriptItem] = []
    for item in reversed(in_window):
        if item.role not in ("user", "assistant"):
            return kept[::-1], "a message of another role"
        left -= len(item.content.encode())
        if left < 0:
            return kept[::-1], "max_inline_bytes"
        if len(kept) == events:
            return kept[::-1], "max_inline_events"
        kept.append(item)
    if len(in_window) < len(past.items):
        return kept[::-1], "context window"
    return kept[::-1], "max_inline_events" if len(kept) < past.count else None


def _of_kept(past: BootstrapHistory, kept: Sequence[TranscriptItem]) -> Extras:
    """Return the extras, without `asked` if a message after the run's input was left out."""
    input_seq = past.extras.input_seq
    is_there = input_seq is not None and sum(item.seq > input_seq for item in past.items) <= len(kept)
    return past.extras if is_there else past.extras._replace(input_seq=None)


def _within(window: ContextWindow, past: BootstrapHistory) -> Sequence[TranscriptItem]:
    match window.window_mode:
        case "number":
            return past.items[-window.window_count :]
        case "round":
            starts = [index for index, item in enumerate(past.items) if item.role == "user"][-window.window_count :]
            return past.items[starts[0] :] if len(starts) == window.window_count else past.items
        case "day":
            since = datetime.fromisoformat(past.at) - timedelta(days=window.window_count)
            return [item for item in past.items if datetime.fromisoformat(item.created_at) >= since]
