"""The trace of a run: what of a client's `traceparent` counts, and the ids that follow from it."""

import re

import pytest

from yarrow.protocol import trace_context
from yarrow.protocol.trace_context import TraceContext, context_of, passed_on, read, span_id

TRACE, PARENT = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
SENT = f"00-{TRACE}-{PARENT}-01"
KEY = "4f020b1b-92be-5061-8810-9166bffe3966"


@pytest.mark.parametrize(
    ("header", "stored"),
    [
        (SENT, SENT),
        (f" {SENT}\t", SENT),
        (f"00-{TRACE}-{PARENT}-00", f"00-{TRACE}-{PARENT}-00"),
        (f"00-{TRACE}-{PARENT}-03", SENT),
        (f"cc-{TRACE}-{PARENT}-01-what-comes-later", SENT),
    ],
)
def test_a_valid_header_is_read(header: str, stored: str) -> None:
    """W3C Trace Context: later versions too, as far as the first one goes; of the flags, whether it is sampled."""
    assert read(header) == stored


@pytest.mark.parametrize(
    "header",
    [
        None,
        "",
        "00",
        f"ff-{TRACE}-{PARENT}-01",
        f"00-{TRACE}-{PARENT}-01-more",
        f"00-{TRACE}-{PARENT}",
        f"00-{'0' * 32}-{PARENT}-01",
        f"00-{TRACE}-{'0' * 16}-01",
        f"00-{TRACE.upper()}-{PARENT}-01",
        f"00-{TRACE[:-1]}g-{PARENT}-01",
        f"{SENT},{SENT}",
        f"cc-{TRACE}-{PARENT}-01-{'x' * 300}",
    ],
)
def test_any_other_header_begins_a_new_trace(header: str | None) -> None:
    """W3C Trace Context: an invalid header is ignored."""
    assert read(header) is None


def test_a_run_is_in_its_clients_trace() -> None:
    assert context_of(KEY, SENT) == TraceContext(TRACE, PARENT, is_sampled=True)
    assert not context_of(KEY, read(f"00-{TRACE}-{PARENT}-00")).is_sampled


def test_ids_follow_from_the_run() -> None:
    """The same ones, whoever makes them; others for other runs, spans and workers."""
    first, again, other = context_of(KEY, None), context_of(KEY, None), context_of("another", None)
    assert first == again
    assert re.fullmatch("[0-9a-f]{32}", first.trace_id)
    assert (first.parent_id, first.trace_id == other.trace_id) == (None, False)
    ids = [span_id(KEY, trace_context.RUN), span_id("another", trace_context.RUN), span_id(KEY, "queue")]
    ids += [trace_context.worker_span_id(KEY, attempt) for attempt in (1, 2)]
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch("[0-9a-f]{16}", name) for name in ids)


@pytest.mark.parametrize("sent", [None, SENT, f"00-{TRACE}-{PARENT}-00"])
def test_what_a_worker_passes_on_names_its_span(sent: str | None) -> None:
    """Its callee is in the same trace, sampled or not."""
    passed, context = passed_on(KEY, 2, sent), context_of(KEY, sent)
    assert read(passed) == passed
    found = context_of("the callee", passed)
    assert (found.trace_id, found.is_sampled) == (context.trace_id, context.is_sampled)
    assert found.parent_id == trace_context.worker_span_id(KEY, 2)
