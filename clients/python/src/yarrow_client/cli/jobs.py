"""`yarrow jobs` lists automation jobs, or shows the runs of one, starts, pauses, resumes or deletes it."""

from datetime import datetime
from typing import Any, Final

from rich.text import Text

from yarrow_client.cli.actions import Context, follow, print_line, sure
from yarrow_client.cli.input import harmless
from yarrow_client.sync_client import Yarrow

_RUNS: Final = 20


def jobs(context: Context, yarrow: Yarrow) -> int:
    options = context.options
    if options.job is None:
        return _list(context, yarrow)
    if options.start:
        accepted = yarrow.run_job(options.job)
        return follow(context, yarrow, accepted["threadId"], accepted["runId"])
    if options.delete:
        return _delete(context, yarrow)
    if options.pause or options.resume:
        return _change(context, yarrow)
    return _show_runs(context, yarrow)


def _list(context: Context, yarrow: Yarrow) -> int:
    listed = yarrow.list_jobs()
    if context.options.json:
        context.document({"jobs": listed})
        return 0
    if not listed:
        context.out.print(context.words("no_jobs"))
    for job in harmless(listed):
        is_active = job["status"] == "active"
        line = Text(f"{job['id']}  ", style="cyan")
        line.append(f"{context.words('active' if is_active else 'paused')}  ", style="green" if is_active else "yellow")
        if next_at := job["next_run_at"]:
            line.append(f"{_when(next_at)}  ", style="dim")
        line.append(" ".join((job["title"] or job["input_template"]).split()), style="default not dim")
        print_line(context.out, line)
    return 0


def _show_runs(context: Context, yarrow: Yarrow) -> int:
    page = yarrow.job_runs(context.options.job, limit=_RUNS)
    if context.options.json:
        context.document(page)
        return 0
    if not page["runs"]:
        context.out.print(context.words("no_runs"))
    for run in harmless(page["runs"]):
        line = Text(f"{_when(run['due_at'])}  ", style="dim").append(run["status"], style="default not dim")
        if run["run_id"]:
            line.append(f"  {run['thread_id']} {run['run_id']}", style="cyan not dim")
        if run["reason"]:
            line.append(f"  {run['reason']}", style="yellow not dim")
        context.out.print(line, soft_wrap=True)
    return 0


def _change(context: Context, yarrow: Yarrow) -> int:
    options = context.options
    fields: dict[str, Any] = {"status": "disabled" if options.pause else "active"}
    # The version that was read: a change of another device in between is not undone.
    changed = yarrow.change_job(options.job, fields, etag=yarrow.get_job(options.job).get("etag"))
    if options.json:
        context.document(changed)
    else:
        context.out.print(context.words("job_paused" if options.pause else "job_resumed"))
    return 0


def _delete(context: Context, yarrow: Yarrow) -> int:
    if not sure(context, "delete_job?"):
        return 0
    yarrow.delete_job(context.options.job)
    if context.options.json:
        context.document({"id": context.options.job, "deleted": True})
    else:
        context.out.print(context.words("deleted"))
    return 0


def _when(moment: str) -> str:
    return f"{datetime.fromisoformat(moment).astimezone():%m-%d %H:%M}"
