"""The catalogue of events has every type and member, and its examples are events."""

import json
import re

import msgspec
import pytest

from tools.docs_events import MEANINGS, catalogue
from yarrow.protocol import domain_events
from yarrow.protocol.events import events, subagents

PAGE = catalogue()
RUN = {str(type_.__struct_config__.tag): type_ for type_ in (*events.EVENTS, *subagents.EVENTS)}
FRAMING = {"type", "threadId", "runId", "timestamp"}


def section(name: str) -> str:
    (found,) = re.findall(rf"^### {re.escape(name)} \{{.*?(?=^##|\Z)", PAGE, re.MULTILINE | re.DOTALL)
    return str(found)


def members(text: str) -> set[str]:
    return set(re.findall(r"^\| `(\w+)`", text, re.MULTILINE))


def example(text: str) -> str:
    (line,) = re.findall(r"^```json\n(.*)\n```", text, re.MULTILINE)
    return str(line)


@pytest.mark.parametrize("name", RUN)
def test_an_event_of_a_run_has_its_members_and_a_line_that_is_one(name: str) -> None:
    text = section(name)
    assert members(text) == set(RUN[name].__struct_encode_fields__) - FRAMING
    line = example(text)
    assert events.encode(events.decode(line)) == line


@pytest.mark.parametrize("name", domain_events.EVENTS)
def test_an_event_of_a_deployment_has_its_members_and_a_line_that_is_one(name: str) -> None:
    text = section(name)
    event = msgspec.json.decode(example(text), type=domain_events.EVENTS[name])
    assert members(text) == set(event.data.__struct_encode_fields__)
    assert json.loads(msgspec.json.encode(event)) == json.loads(example(text))


def test_no_requirement_and_no_null_is_shown() -> None:
    assert not re.search(r"\b[A-Z]{2,4}-\d\d\b", PAGE)
    assert not re.search(r": null\b", PAGE)


def test_no_meaning_is_left_over() -> None:
    assert MEANINGS.keys() == members(PAGE)


def test_no_cell_breaks_its_table() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("|")]
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {4}
