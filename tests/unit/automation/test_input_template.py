"""The language of input templates (AUT-02): four fields, no code."""

from contextlib import suppress
from datetime import UTC, datetime
from importlib import resources

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.effort import examples
from yarrow.automation.input_template import (
    MAX_FIELDS,
    MAX_LAST_RESULT,
    MAX_LENGTH,
    Fields,
    InputTemplateError,
    check,
    fields_at,
    render,
)
from yarrow.protocol.run_input.body import MAX_USER_TEXT_LENGTH


def of(last_result: str = "") -> Fields:
    return Fields("2026-11-01", "Sunday", "America/New_York", lambda: last_result)


def refusal(template: str) -> str:
    with pytest.raises(InputTemplateError) as refused:
        check(template)
    with pytest.raises(InputTemplateError):
        render(template, of())
    return str(refused.value)


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("Summarise my day.", "Summarise my day."),
        ("{{date}}, a {{ weekday }} in {{time_zone}}", "2026-11-01, a Sunday in America/New_York"),
        ("{{date}}{{date}}", "2026-11-012026-11-01"),
        ('Answer as {"a":{"b":1}} }} {', 'Answer as {"a":{"b":1}} }} {'),
        ("Go on from: {{last_result}}", "Go on from: rain"),
    ],
)
def test_fields_are_filled_in(template: str, text: str) -> None:
    check(template)
    assert render(template, of("rain")) == text


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("{{dat}}", "must have one of the fields date, weekday, time_zone, last_result here (line 1, column 1)"),
        ("a\nb {{}}", "must have one of the fields date, weekday, time_zone, last_result here (line 2, column 3)"),
        ("{{date}} {{date.year}}", "must have one of the fields date, weekday, time_zone, last_result here"),
        ("{{date}\n}", "must close the field that begins here with }} (line 1, column 1)"),
        ("{{{date}}}", "(line 1, column 1)"),
        ("{{date|upper}}", "(line 1, column 1)"),
        ("{{Date}}", "(line 1, column 1)"),
        ("{{__class__}}", "(line 1, column 1)"),
        ("{{\ndate}}", "(line 1, column 1)"),
        (" {{last_result}}\n", "must have more than the field last_result (line 1, column 1)"),
        ("a {{last_result}} {{last_result}}", "must have the field last_result only once (line 1, column 19)"),
        ("{{date}}" * (MAX_FIELDS + 1), f"must have {MAX_FIELDS} or fewer fields (line 1, column 401)"),
        ("a" * (MAX_LENGTH + 1), f"must have {MAX_LENGTH} or fewer characters (line 1, column 4001)"),
    ],
)
def test_a_refusal_names_the_rule_and_the_place(template: str, expected: str) -> None:
    assert expected in refusal(template)


def test_a_refusal_tells_nothing_of_the_template() -> None:
    """SEC-05."""
    assert "hunter2" not in refusal("{{hunter2}} hunter2")


def test_what_a_field_stands_for_is_no_template() -> None:
    assert render("Last: {{last_result}}", of("{{date}} {{unknown}} {{")) == "Last: {{date}} {{unknown}} {{"


def test_the_last_result_is_read_only_if_it_is_used() -> None:
    def read() -> str:
        raise AssertionError("nobody asked")

    assert render("{{date}}", Fields("2026-11-01", "Sunday", "UTC", read)) == "2026-11-01"


def test_fields_are_those_of_the_jobs_time_zone() -> None:
    fields = fields_at(datetime(2026, 11, 1, 2, 30, tzinfo=UTC), "America/New_York", lambda: "")
    assert (fields.date, fields.weekday, fields.time_zone) == ("2026-10-31", "Saturday", "America/New_York")


def test_the_longest_text_is_a_user_message() -> None:
    """It holds whatever the template and the last result."""
    zones = resources.files("tzdata").joinpath("zones").read_text("utf-8").split()
    longest = Fields("2026-11-01", "Wednesday", max(zones, key=len), lambda: "a" * 100_000)
    template = "{{last_result}}" + "{{time_zone}}" * (MAX_FIELDS - 1)
    text = render(template + "b" * (MAX_LENGTH - len(template)), longest)
    assert len(text) <= MAX_USER_TEXT_LENGTH
    assert text[:MAX_LAST_RESULT] == "a" * (MAX_LAST_RESULT - 1) + "…"


@settings(max_examples=examples(150), deadline=None)
@given(
    parts=st.lists(st.sampled_from(["{{", "}}", "{", "}", "date", " ", "{{weekday}}", "x", "last_result"]), max_size=9),
    last_result=st.text(max_size=20),
)
def test_any_template_is_rendered_or_refused(parts: list[str], last_result: str) -> None:
    """And what is rendered always says something."""
    template = "".join(parts)
    with suppress(InputTemplateError):
        check(template)
        assert render(template, of(last_result)).strip()
