"""`yarrow inbox` shows what an answer decides about."""

import argparse
import io
from typing import Any, cast

from rich.console import Console

from yarrow_client.cli.actions import Context
from yarrow_client.cli.inbox import inbox
from yarrow_client.cli.words import Words
from yarrow_client.sync_client import Yarrow

QUESTION = {"id": "i", "agent": "assistant", "message": "Which?", "expiresAt": "2026-11-27T12:00:00+00:00"}


class Inbox:
    """A client whose user has these open questions."""

    def __init__(self, *interrupts: dict[str, Any]) -> None:
        self._interrupts = interrupts

    def interrupts(self, **_: Any) -> dict[str, Any]:
        return {"interrupts": list(self._interrupts), "hasMore": False}


def shown(*interrupts: dict[str, Any]) -> str:
    out = Console(file=io.StringIO(), width=200)
    options = argparse.Namespace(limit=None, after=None, json=False)
    assert inbox(Context(options, Words("en"), out, out), cast("Yarrow", Inbox(*interrupts))) == 0
    return cast("io.StringIO", out.file).getvalue()


def test_a_tool_call_is_listed_with_its_arguments() -> None:
    """ASK-06: a yes is given to what was seen."""
    metadata = {"toolName": "transfer", "arguments": {"to": "landlord\x1b[2J", "amount": 900}, "scope": "call"}
    text = shown({**QUESTION, "kind": "confirmation", "metadata": metadata})
    assert 'transfer {"to": "landlord' in text
    assert '"amount": 900}' in text
    assert "\x1b" not in text


def test_a_choice_is_listed_with_its_options() -> None:
    options = [{"value": "red"}, {"value": "blue", "label": "The blue one"}]
    text = shown({**QUESTION, "kind": "choice", "metadata": {"options": options}})
    assert "- red" in text
    assert "- blue: The blue one" in text
