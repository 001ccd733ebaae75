"""Lists the open questions of a user's runs."""

import re
from itertools import islice
from typing import Final

from yarrow.formats.query_number import whole_number
from yarrow.protocol.interrupts import InterruptList
from yarrow.protocol.problems import Code, Problem
from yarrow.store import questions

DEFAULT_PAGE: Final = 50
MAX_PAGE: Final = 100
ID: Final = r"[0-9a-f]{32}"


def list_interrupts(user_id: str, limit: str | None = None, after: str | None = None) -> InterruptList:
    """List the open questions, newest first (ASK-04). `after` is the previous page's `next`. Raises Problem 422."""
    count = DEFAULT_PAGE if limit is None else whole_number(limit, MAX_PAGE)
    if count is None:
        raise Problem(Code.AGENT_INTERRUPT_QUERY_INVALID, f"limit must be 1 to {MAX_PAGE}")
    if after is not None and not re.fullmatch(ID, after):
        raise Problem(Code.AGENT_INTERRUPT_QUERY_INVALID, "after must be the next of a page")
    found = list(islice(questions.open_of(user_id, count + 1, after), count + 1))
    page = found[:count]
    has_more = len(found) > count
    return InterruptList(
        interrupts=tuple(question.item() for question in page),
        has_more=has_more,
        next=page[-1].id if has_more else None,
    )
