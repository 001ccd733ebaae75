"""The fields of a job: what is taken, what is refused, and by which member."""

import json
from typing import Any

import pytest

from yarrow.protocol.automation.job import MAX_BODY_BYTES, JobFields, read_change, read_new
from yarrow.protocol.problems import Code, Problem

JOB: dict[str, Any] = {
    "title": "Morning",
    "input_template": "What is on {{date}}?",
    "enabled_tools": ["calendar_read"],
    "context": {"source": "latest_chat", "window_mode": "day", "window_count": 7},
    "schedule": {"type": "weekly", "run_at": {"hour": 7, "minute": 30}, "weekdays": [5, 1]},
    "timezone": "Asia/Shanghai",
    "status": "active",
}


def read_fields(body: bytes) -> JobFields:
    return read_new(body)[1]


def raw(**members: Any) -> bytes:
    return json.dumps({**JOB, **members}).encode()


def schedule(**members: Any) -> dict[str, Any]:
    return {**JOB["schedule"], **members}


def timed(kind: str, **members: Any) -> dict[str, Any]:
    return {"type": kind, "run_at": {"hour": 7, "minute": 30}, **members}


def test_a_job_has_the_fields_of_the_document() -> None:
    """AUT-02: All fields return as sent; days are sorted."""
    sent = JOB | {"schedule": schedule(weekdays=[1, 5]), "while_waiting": "queue"}
    assert read_fields(json.dumps(sent).encode()).model_dump(mode="json") == sent


def test_what_may_be_left_out_has_its_default() -> None:
    """AUT-02: The default has no tools and no context, and is active."""
    least = {name: JOB[name] for name in ("input_template", "timezone")}
    daily = {"type": "daily", "run_at": {"hour": 0, "minute": 0}}
    fields = read_fields(json.dumps({**least, "schedule": daily}).encode())
    assert (fields.enabled_tools, fields.context, fields.status, fields.title) == ((), None, "active", None)
    assert (fields.schedule.weekdays, fields.while_waiting) == ((), "skip")


def test_names_in_camel_case_are_the_same_job() -> None:
    """AUT-02: Camel case works on each level."""
    sent = {
        "inputTemplate": JOB["input_template"],
        "enabledTools": JOB["enabled_tools"],
        "context": {"windowMode": "day", "windowCount": 7},
        "schedule": {"type": "weekly", "runAt": {"hour": 7, "minute": 30}, "weekdays": [1, 5]},
        "timezone": "Asia/Shanghai",
        "title": "Morning",
    }
    assert read_fields(json.dumps(sent).encode()) == read_fields(raw())


@pytest.mark.parametrize(
    ("members", "member"),
    [
        ({"input_template": None}, "input_template"),
        ({"input_template": "  "}, "input_template"),
        ({"input_template": "a" * 4_001}, "input_template"),
        ({"enabled_tools": ["a", 1]}, "enabled_tools[1]"),
        ({"enabled_tools": ["a", "a"]}, "enabled_tools"),
        ({"enabled_tools": "a"}, "enabled_tools"),
        ({"context": {"source": "other", "window_mode": "day", "window_count": 1}}, "context.source"),
        ({"context": {"window_mode": "round", "window_count": 1}}, "context.window_mode"),
        ({"context": {"window_mode": "day", "window_count": 0}}, "context.window_count"),
        ({"context": {"window_mode": "day", "window_count": True}}, "context.window_count"),
        ({"context": {"window_mode": "day"}}, "context.window_count"),
        ({"schedule": schedule(type="hourly")}, "schedule.type"),
        ({"schedule": schedule(run_at={"hour": 24, "minute": 0})}, "schedule.run_at.hour"),
        ({"schedule": schedule(run_at={"hour": 7, "minute": -1})}, "schedule.run_at.minute"),
        ({"schedule": schedule(run_at={"hour": "7", "minute": 0})}, "schedule.run_at.hour"),
        ({"schedule": schedule(run_at={"hour": 7})}, "schedule.run_at.minute"),
        ({"schedule": schedule(weekdays=[0])}, "schedule.weekdays[0]"),
        ({"schedule": schedule(weekdays=[1, 8])}, "schedule.weekdays[1]"),
        ({"schedule": schedule(weekdays=[1, 1])}, "schedule.weekdays"),
        ({"schedule": schedule(weekdays=[])}, "schedule.weekdays"),
        ({"schedule": schedule(weekdays=None)}, "schedule.weekdays"),
        ({"schedule": schedule(type="daily")}, "schedule.weekdays"),
        ({"schedule": schedule(every=2)}, "schedule.every"),
        ({"schedule": schedule(month_days=[1])}, "schedule.month_days"),
        ({"schedule": schedule(date="2026-12-24")}, "schedule.date"),
        ({"schedule": schedule(cron="0 9 * * *")}, "schedule.cron"),
        ({"schedule": schedule(end_date="2026-02-30")}, "schedule.end_date"),
        ({"schedule": schedule(end_date="tomorrow")}, "schedule.end_date"),
        ({"schedule": timed("monthly")}, "schedule.month_days"),
        ({"schedule": timed("monthly", month_days=[0])}, "schedule.month_days[0]"),
        ({"schedule": timed("monthly", month_days=[2, 2])}, "schedule.month_days"),
        ({"schedule": {"type": "monthly", "month_days": [1]}}, "schedule.run_at"),
        ({"schedule": timed("once")}, "schedule.date"),
        ({"schedule": timed("once", date=20261224)}, "schedule.date"),
        ({"schedule": timed("once", date="2026-12-24", end_date="2026-12-25")}, "schedule.end_date"),
        ({"schedule": {"type": "cron"}}, "schedule.cron"),
        ({"schedule": timed("cron", cron="0 9 * * *")}, "schedule.run_at"),
        ({"schedule": {"type": "cron", "cron": "0 9 * *"}}, "schedule.cron"),
        ({"schedule": {"type": "cron", "cron": "0 0 9 * * *"}}, "schedule.cron"),
        ({"schedule": {"type": "cron", "cron": "61 9 * * *"}}, "schedule.cron"),
        ({"schedule": {"type": "cron", "cron": "0 9 30 2 *"}}, "schedule.cron"),
        ({"schedule": {"type": "cron", "cron": "@daily"}}, "schedule.cron"),
        ({"schedule": {"type": "cron", "cron": "0 9 * * " + "1," * 100 + "1"}}, "schedule.cron"),
        ({"schedule": None}, "schedule"),
        ({"timezone": "Mars/Olympus"}, "timezone"),
        ({"timezone": None}, "timezone"),
        ({"status": "paused"}, "status"),
        ({"title": "a" * 201}, "title"),
        ({"next_run_at": "2026-11-01T00:00:00Z"}, "next_run_at"),
    ],
)
def test_a_refusal_names_the_exact_member(members: dict[str, Any], member: str) -> None:
    """AUT-02: in snake_case, from the job on; the value is in neither member nor reason."""
    with pytest.raises(Problem) as caught:
        read_fields(raw(**members))
    problem = caught.value
    assert problem.code is Code.AUTOMATION_JOB_INVALID
    assert problem.params is not None
    assert (problem.params["member"], problem.detail) == (member, f"invalid AutomationJob.{member}")
    assert "Mars" not in str(problem.params)


@pytest.mark.parametrize(
    "sent",
    [
        timed("monthly", weekdays=[], month_days=[1, 15], end_date="2027-01-31"),
        timed("once", weekdays=[], date="2026-12-24"),
        {"type": "cron", "weekdays": [], "cron": "0 9,18 * * MON-FRI", "end_date": "2027-01-31"},
    ],
)
def test_a_schedule_has_the_members_of_its_type(sent: dict[str, Any]) -> None:
    """AUT-02: the others are absent, so that a daily or weekly job is what it was for its readers."""
    fields = read_fields(raw(schedule=sent))
    assert fields.model_dump(mode="json")["schedule"] == sent
    assert JobFields.model_validate_json(fields.model_dump_json()) == fields
    assert read_change(b'{"title": "Other"}', fields).schedule == fields.schedule


@pytest.mark.parametrize(
    ("cron", "reason"),
    [
        ("*/15 9 * * *", "at most once an hour"),
        ("0,30 9 * * *", "at most once an hour"),
        ("0 9 1 * 1", "both a day of month and a day of week"),
        ("0 9 */2 * 1", "both a day of month and a day of week"),
        ("0 9 * * 1#2", "# or L in its day of week"),
        ("0 9 * * 5L", "# or L in its day of week"),
        ("0 9 LW * *", "as numbers, or L alone"),
        ("0 9 15,L * *", "as numbers, or L alone"),
    ],
)
def test_an_expression_that_no_schedule_stands_for_has_a_code_of_its_own(cron: str, reason: str) -> None:
    """AUT-03: The problem has the reason."""
    with pytest.raises(Problem) as caught:
        read_fields(raw(schedule={"type": "cron", "cron": cron}))
    assert caught.value.code is Code.AUTOMATION_SCHEDULE_UNSUPPORTED
    assert caught.value.params is not None
    assert caught.value.params["member"] == "schedule.cron"
    assert reason in str(caught.value.params["reason"])


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"{", Code.REQUEST_INVALID),
        (b"[]", Code.AUTOMATION_JOB_INVALID),
        (b'{"title": "\\ud800"}', Code.REQUEST_INVALID),
        (b" " * (MAX_BODY_BYTES + 1), Code.REQUEST_TOO_LARGE),
    ],
)
def test_a_body_that_is_no_job_is_refused(body: bytes, code: Code) -> None:
    """ERR-11."""
    with pytest.raises(Problem) as caught:
        read_fields(body)
    assert caught.value.code is code


def test_a_change_replaces_the_members_that_it_has() -> None:
    """AUT-02: each as a whole; null takes back what may be left out."""
    before = read_fields(raw())
    after = read_change(b'{"enabledTools": [], "context": null, "status": "disabled"}', before)
    assert after == JobFields(**{**JOB, "enabled_tools": (), "context": None, "status": "disabled"})
    with pytest.raises(Problem) as caught:
        read_change(b'{"schedule": {"type": "daily"}}', before)
    assert caught.value.params is not None
    assert caught.value.params["member"] == "schedule.run_at"


def test_a_client_may_choose_the_id() -> None:
    """AUT-02: The id is a UUID, stored in lower case."""
    job_id = "9F0C7A52-3C1E-4B7E-9D55-0A4C1B2D3E4F"
    assert read_new(raw(id=job_id)) == (job_id.lower(), read_fields(raw()))
    assert read_new(raw()) == (None, read_fields(raw()))
    wrong: tuple[Any, ...] = ("morning", "", 7, {})
    for item in wrong:
        with pytest.raises(Problem) as caught:
            read_new(raw(id=item))
        assert caught.value.code is Code.AUTOMATION_JOB_INVALID
        assert caught.value.params == {"member": "id", "reason": "must be a UUID"}
