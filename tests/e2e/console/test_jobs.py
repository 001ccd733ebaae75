"""Jobs in the console: create one, run it, change it, be told of a conflict, pause and delete it."""

from contextlib import closing

from tests.browser.console import PHONE, Page
from tests.browser.hostile import HOSTILE
from tests.clients.front_ends import Browser
from tests.support.stack.app import App

JOBS = "/api/v1/automation/jobs"


def test_a_job_is_created_run_changed_paused_and_deleted(page: Page, served: str) -> None:
    """AUT-02, AUT-03; a refusal is said at its field, and what was changed elsewhere is not overwritten."""
    page.sign_in()
    page.click("Jobs", "link")
    page.sees(".empty")
    page.click("New job", "link")
    page.click("Save")
    page.has("sees", "Say what to ask.", selector="#text-fault")
    page.do("fill", selector="#title", text="Morning")
    page.do("fill", selector="#text", text="What is {{tomorrow}}?")
    page.do("choose", selector="#type", value="weekly")
    page.do("fill", selector="#zone", text="Asia/Shanghai")
    page.click("Save")
    page.sees("#text-fault", "last_result here")
    page.sees("#text:focus")
    page.do("fill", selector="#text", text="What is on {{date}}?")
    page.click("Save")
    page.sees(".job-runs .empty")
    _, _, job_id = page.do("hash").split("/")
    app = App(served, page.user)
    with closing(app.http):
        job = app.http.get(f"{JOBS}/{job_id}").json()
        assert job["schedule"] == {
            "type": "weekly",
            "run_at": {"hour": 7, "minute": 30},
            "weekdays": [1, 2, 3, 4, 5],
        }
        shown = page.sees("main")
        assert "Monday to Friday at 7:30" in shown
        page.has("value", job["next_run_at"], expression="document.querySelector('main time').dateTime")
        page.click("Run now")
        page.sees(".job-run .standing")
        page.sees(".standing.finished")
        app.http.patch(f"{JOBS}/{job_id}", json={"title": "Changed elsewhere"})
        page.click("Pause")
        page.sees(".problem", "AUTOMATION_JOB_CHANGED")
        assert app.http.get(f"{JOBS}/{job_id}").json()["status"] == "active"
        page.click("Load the latest version")
        page.do("reads", text="Changed elsewhere")
        page.click("Pause")
        page.do("reads", text="No next time while it is paused")
        assert app.http.get(f"{JOBS}/{job_id}").json()["status"] == "disabled"
        page.do("click", selector=".job-run .what")
        page.sees("main.talk .asked", "What is on ")
        assert page.do("hash").startswith(f"#/talk/{job['thread_id']}")
        page.at(f"#/jobs/{job_id}")
        page.click("Delete")
        page.do("press", selector="dialog", key="Escape")
        page.click("Delete")
        page.do("click", selector="dialog .primary")
        page.sees(".empty")
        assert app.http.get(JOBS).json() == {"jobs": []}
    page.check("412", "422")


def test_jobs_are_accessible_and_hostile_texts_run_nothing(browser: Browser, served: str) -> None:
    """In both themes, on a phone and in Chinese; empty, long, with the form's faults, and at the cap of jobs."""
    page = Page(browser, served, language="zh-TW", **PHONE)
    page.sign_in()
    app = App(served, page.user)

    with closing(app.http):
        fields = {
            "title": "".join(HOSTILE)[:200].replace("\0", ""),
            "input_template": "\n".join(HOSTILE)[:4_000].replace("\0", "").replace("{{", "{ {"),
            "schedule": {"type": "weekly", "run_at": {"hour": 7, "minute": 5}, "weekdays": [1, 3, 7]},
            "timezone": "America/Argentina/Buenos_Aires",
        }
        created = app.http.post(JOBS, json=fields)
        assert created.status_code == 201, created.text
        page.at("#/jobs")
        page.sees(".job")
        page.look("list")
        page.at(f"#/jobs/{created.json()['id']}")
        page.sees(".job-runs .empty")
        page.look("job")
        page.do("click", selector=".buttons button", nth=3)
        page.sees("dialog")
        page.look("deletion")
        page.at("#/jobs/new")
        page.do("click", selector="details summary")
        page.do("click", selector=".job-form .primary")
        page.sees(".fault")
        page.look("form")
        page.do("choose", selector="#type", value="cron")
        page.sees("#cron-hint")
        page.look("cron form")
        page.do("choose", selector="#type", value="daily")
        page.do("fill", selector="#text", text="今天有什麼安排？")
        page.do("refuse", path=JOBS, status=409, code="AUTOMATION_JOB_LIMIT")
        page.do("click", selector=".job-form .primary")
        page.sees(".problem", "任務數量已達上限")
        page.look("limit")
        page.at("#/jobs/none")
        page.sees(".problem")
        page.look("no such job")
    page.check("404", "409")


def test_a_job_runs_by_a_cron_expression_then_monthly_then_once(page: Page, served: str) -> None:
    """AUT-02, AUT-03: each with its own fields; what Scheduler cannot express is refused at the field."""
    page.sign_in()
    page.click("Jobs", "link")
    page.click("New job", "link")
    page.do("fill", selector="#text", text="What is new?")
    page.do("choose", selector="#type", value="cron")
    page.do("fill", selector="#zone", text="Asia/Shanghai")
    page.click("Save")
    page.has("sees", "Write a cron expression.", selector="#cron-fault")
    page.do("fill", selector="#cron", text="*/15 9 * * *")
    page.click("Save")
    page.sees("#cron-fault", "at most once an hour")
    page.do("fill", selector="#cron", text="0 9,18 * * 1-5")
    page.do("fill", selector="#end", text="2099-12-31")
    page.click("Save")
    page.do("reads", text="Cron: 0 9,18 * * 1-5, until December 31, 2099")
    _, _, job_id = page.do("hash").split("/")
    app = App(served, page.user)
    with closing(app.http):

        def schedule() -> object:
            return app.http.get(f"{JOBS}/{job_id}").json()["schedule"]

        cron = {"type": "cron", "weekdays": [], "cron": "0 9,18 * * 1-5", "end_date": "2099-12-31"}
        assert schedule() == cron
        page.click("Edit")
        page.do("choose", selector="#type", value="monthly")
        page.do("fill", selector="#monthDays", text="1, 15")
        page.do("fill", selector="#end", text="")
        page.click("Save")
        page.do("reads", text="Day 1 and 15 of each month at 7:30")
        at = {"hour": 7, "minute": 30}
        assert schedule() == {"type": "monthly", "run_at": at, "weekdays": [], "month_days": [1, 15]}
        page.click("Edit")
        page.do("choose", selector="#type", value="once")
        page.do("fill", selector="#date", text="2020-01-01")
        page.click("Save")
        page.sees("#date-fault", "must have a time in the future")
        page.do("fill", selector="#date", text="2099-12-24")
        page.click("Save")
        page.do("reads", text="Once, on December 24, 2099 at 7:30")
        assert schedule() == {"type": "once", "run_at": at, "weekdays": [], "date": "2099-12-24"}
    page.check("422")
