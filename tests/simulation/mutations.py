"""`python -m tests.simulation.mutations [SEED] [COUNT]`: changes of single lines, each of which must be noticed.

A change is of a condition or an order in the code that is simulated, COUNT of them chosen by the seed, after those of
`named`. Each is tried in a copy of the core layer: by simulations, then by the tests of its module, then by those of
its room.
Prints a table.
"""

import ast
import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.support.paths import ROOT

CORE: Final = ROOT / "layers" / "core"
SEEDS: Final = 60
"""With faults of every kind; a third as many with writes that are made twice alone, or reads that are stale alone."""
DEATHS: Final = 100
"""Of steps, with workers that die alone, or are late and replaced alone; of messages, with replaced ones."""
MANY: Final = 100
SECONDS: Final = 900.0
KINDS: Final = ("unit", "contract", "integration")
ROOMS: Final = ("store", "runs", "worker")
"""Tests for changes of `store/` and `runs/`, which all rooms use."""
SCENARIO: Final = (
    {"media/": "media", "store/recordings.py": "media", "store/uploads.py": "media"}
    | dict.fromkeys(("workspace/", "store/workspace/", "web/lambda_websocket.py", "web/lambda_stream.py"), "workspace")
    | dict.fromkeys(
        (
            "services/steps/",
            "services/api/steps.py",
            "store/runner/steps.py",
            "worker/turns.py",
            "protocol/runner/turn.py",
        ),
        "steps",
    )
    | dict.fromkeys(
        (
            "services/steps/asking.py",
            "store/questions.py",
            "worker/continuation.py",
            "runs/answer_questions.py",
            "runs/submission/answer_door.py",
            "worker/results/text_messages.py",
            "worker/run_steps.py",
        ),
        "questions",
    )
    | {"domain_events/": "domain_events"}
    | dict.fromkeys(("webhooks/", "store/webhooks/"), "webhooks")
    | dict.fromkeys(("notifications/", "store/devices.py"), "notifications")
    | {"traces/": "traces", "mcp_oauth/": "mcp_connections", "store/mcp_connections.py": "mcp_connections"}
    | {"store/mcp_clients.py": "mcp_connections"}
    | dict.fromkeys(("runs/steer_run.py", "store/runner/added_messages.py", "services/api/steering.py"), "messages")
)
"""Files that one scenario is about; all scenarios are simulated for the others."""
FILES: Final = (
    *("store/journal.py", "store/runs.py", "store/sessions.py", "store/table.py", "store/submit_snapshot.py"),
    *("store/limits/run_slots.py", "store/limits/stream_slots.py"),
    *("runs/submit_run.py", "runs/submission/reading.py", "runs/submission/admission.py"),
    *("runs/submission/planning.py", "runs/submission/door.py", "runs/start_execution.py"),
    *("runs/end_run.py", "runs/cancel_run.py", "runs/delete_session.py", "runs/lost_runs.py"),
    *("runs/stream_events.py", "worker/execute_run.py", "worker/journal_writer.py", "worker/heartbeat.py"),
    *("runs/read_stream.py", "runs/send_message.py", "runs/get_history.py", "store/limits/buckets.py"),
    *("runs/record_outcome.py", "store/feedback/session_outcomes.py"),
    *("store/calendar.py", "store/memories.py", "store/recordings.py", "store/uploads.py"),
    *("store/workspace/log.py", "store/workspace/connections.py", "store/workspace/tickets.py"),
    *("workspace/workspace_push.py", "workspace/delivery.py", "workspace/follow_run.py", "workspace/advance.py"),
    *("workspace/open_workspace.py", "workspace/workspace_command.py", "workspace/known_connections.py"),
    *("media/uploads.py", "media/attachments.py", "media/transcription/transcribe.py"),
    *("media/transcription/amazon.py", "web/streams/journal_polling.py", "web/streams/event_stream.py"),
    *("web/streams/durable_stream.py", "web/lambda_stream.py", "web/lambda_websocket.py"),
    *("web/workspace_authorization.py", "services/steps/step_log.py", "services/api/steps.py"),
    *("store/runner/steps.py", "worker/turns.py", "protocol/runner/turn.py"),
    *("services/steps/asking.py", "store/questions.py", "worker/continuation.py"),
    *("runs/answer_questions.py", "runs/submission/answer_door.py"),
    *("domain_events/publish_events.py", "domain_events/changed_items.py", "domain_events/expire_question.py"),
    *("webhooks/deliver.py", "webhooks/queue.py", "webhooks/pauses.py", "webhooks/secrets.py", "webhooks/send_now.py"),
    *("webhooks/change_webhook.py", "store/webhooks/webhooks.py", "store/webhooks/deliveries.py"),
    *("notifications/send_notifications.py", "notifications/messages.py", "notifications/queue.py"),
    *("notifications/devices.py", "store/devices.py", "traces/export_traces.py", "traces/stored_run.py"),
    *("mcp_oauth/connections.py", "mcp_oauth/sign_in.py", "store/mcp_connections.py"),
    *("mcp_oauth/own_client.py", "store/mcp_clients.py"),
    *("runs/steer_run.py", "store/runner/added_messages.py", "services/api/steering.py"),
)
_SIMULATIONS: Final = ("-m", "tests.simulation.mutations", "simulations")
RULES: Final = (
    (r" & Attr\(\"[a-z_]+\"\)\.[a-z_]+\([^()]*\)", ""),
    (r"\b(IS_NEW|EXISTS) [&|] ", ""),
    (r", (IS_NEW|EXISTS)\b", ""),
    (r" &= ", " = "),
    (r"\.lte\(", ".lt("),
    (r"\.lt\(", ".lte("),
    (r"\.gte\(", ".gt("),
    (r"\.gt\(", ".gte("),
    (r"\.not_exists\(", ".exists("),
    (r"\) \| ", ") & "),
    (r" is None\b", " is not None"),
    (r" is not None\b", " is None"),
    (r" not in ", " in "),
    (r" >= ", " > "),
    (r" > ", " >= "),
    (r" < ", " <= "),
    (r" == ", " != "),
    (r" and ", " or "),
    (r" or ", " and "),
    (r" \+ 1\b", ""),
    (r"\bif not ", "if "),
    (r"\bcontinue\b", "break"),
    (r"\braise$", "pass"),
    (r"\breturn False\b", "return True"),
    (r"\breturn True\b", "return False"),
    (r"ConsistentRead=True", "ConsistentRead=False"),
)


@dataclass(frozen=True, slots=True)
class Change:
    """Of the line of a file with this number, from 0; of the line after it too where they change places."""

    file: str
    line: int
    new: str

    def text(self) -> str:
        """The whole file, changed."""
        lines = _lines(self.file)
        lines[self.line : self.line + 1 + self.new.count("\n")] = [self.new]
        return "\n".join(lines) + "\n"

    def __str__(self) -> str:
        old = _lines(self.file)[self.line].strip()
        to = "after the next line" if "\n" in self.new else f"→ {self.new.strip()}"
        return f"{self.file}:{self.line + 1}  {old}  {to}"


def _named(file: str, old: str, new: str) -> Change:
    (line,) = (number for number, line in enumerate(_lines(file)) if old in line)
    return Change(file, line, _lines(file)[line].replace(old, new))


def named() -> list[Change]:
    """What none of the rules makes: a write without what guards it, reads that are not consistent, a part forgotten."""
    return [
        _named("worker/journal_writer.py", "if own is None:", "if True:"),
        _named("worker/execute_run.py", "if run.attempt == 1 or order.ended:", "if True:"),
        _named("store/journal.py", "is_whole = IS_ACTIVE if", 'is_whole = Attr("pk").exists() if'),
        _named("store/table.py", "Key=to_wire(key), ConsistentRead=True", "Key=to_wire(key), ConsistentRead=False"),
        _named("web/streams/journal_polling.py", "renewed = now", "renewed = now + 3600"),
        _named("workspace/workspace_push.py", "failed += news.records", "failed += news.records[-1:]"),
        _named("store/recordings.py", "may_begin = IS_NEW | ", 'may_begin = IS_NEW | Attr("pk").exists() | '),
        _named(
            "store/runner/steps.py", "put_alone(_item(run_key, step), has_not_ended)", "put_alone(_item(run_key, step))"
        ),
        _named("store/runner/steps.py", 'IS_ACTIVE & Attr("attempt").eq(step.attempt)', "IS_ACTIVE"),
        _named("store/runner/steps.py", "consistent=consistent)", "consistent=False)"),
        _named("services/steps/step_log.py", " or (begun is None and step.reads)", ""),
        _named("services/steps/step_log.py", ".values() if step.is_in_doubt]", ".values() if False]"),
        _named("worker/run_steps.py", "if run.attempt > 1 or run.earlier else []", "if False or run.earlier else []"),
        _named("worker/run_steps.py", "if run.attempt > 1 or run.earlier else []", "if run.attempt > 1 else []"),
        _named("store/questions.py", "_OPEN, question.id), is_open)", "_OPEN, question.id))"),
        _named("store/questions.py", 'else EXISTS & Attr("lapsed").not_exists()', "else EXISTS"),
        _named("domain_events/publish_events.py", "or not _is_followed(event)", "or (_is_followed(event) and False)"),
        _named("store/questions.py", "**_item(passed_on)}, is_as_read)", "**_item(passed_on)})"),
        _named("runs/submission/answer_door.py", "for one in self.answers]:", "for one in self.answers] and False:"),
        _named("runs/submission/answer_door.py", "if is_open and left_open is not None", "if False"),
        _named("runs/answer_questions.py", "if not _may_go_on_again(taken.run, session):", "if True:"),
        _named("runs/answer_questions.py", "taken.run.earlier[-1] if taken.run.earlier else", ""),
        _named("worker/continuation.py", "*questions.abandon(run.user_id, left)]", "]"),
        _named("services/steps/asking.py", "if line is not None and line.is_over:", "if False:"),
        _named("worker/results/text_messages.py", "yield from self._go_on(missing)", "yield from self._start_new()"),
        _named("webhooks/deliver.py", "if delivery.count == due.number:", "if False:"),
        _named("webhooks/deliver.py", "if delivery.count == 1:", "if False:"),
        _named("webhooks/deliver.py", "attempts[place].sequence):", "-attempts[place].sequence):"),
        _named("webhooks/deliver.py", 'return "the webhook is disabled"', "return None"),
        _named("webhooks/deliver.py", "            webhooks.succeeded(webhook)", "            pass"),
        _named("store/webhooks/deliveries.py", "return there if there is not None", "return None if there is not None"),
        _named(
            "store/webhooks/deliveries.py",
            "waits_since = (delivery.waits_since or attempt.at)",
            "waits_since = attempt.at",
        ),
        _named("webhooks/secrets.py", "if webhook.is_rotating and", "if False and"),
        _named("notifications/send_notifications.py", "and _is_watched(event)", "and False"),
        _named("notifications/send_notifications.py", 'document.get("deviceId", device.id) == device.id', "True"),
        _named("notifications/send_notifications.py", "devices.remove(sending.user_id, device.id)", "pass"),
        _named("notifications/messages.py", "return question is not None and question.ended is None", "return True"),
        _named("mcp_oauth/own_client.py", "return not mcp_connections.has_left(user_id, kept.id)", "return True"),
        _named("mcp_oauth/connections.py", "if isinstance(error, UnknownClientError):", "if False:"),
        _named("traces/export_traces.py", "            return left", "            return left[:-1]"),
        _named("traces/endpoint.py", "frozenset({400, 413, 422})", "frozenset({400, 401, 413, 422, 503})"),
        _named("worker/results/text_messages.py", "if uuid.UUID(name).version == _RANDOM", "if True"),
        _named(
            "store/runner/added_messages.py", 'is_next = journal.IS_ACTIVE & Attr("added")', 'is_next = Attr("added")'
        ),
        _named("store/runner/added_messages.py", 'journal.IS_ACTIVE & Attr("attempt").eq(attempt)', "EXISTS"),
        _named("services/api/steering.py", "if services.steps.attempt > 1:", "if False:"),
    ]


def changes() -> Iterator[Change]:
    """All that the rules make and that mean something else."""
    for file in FILES:
        lines, before = _lines(file), _meaning("\n".join(_lines(file)))
        for number, line in enumerate(lines):
            if line.startswith(("from ", "import ")):
                continue
            made = [
                line[: found.start()] + new + line[found.end() :]
                for old, new in RULES
                for found in re.finditer(old, line)
            ]
            after = lines[number + 1] if number + 1 < len(lines) else ""
            if _is_statement(line) and _is_statement(after) and _indent(line) == _indent(after):
                made.append(f"{after}\n{line}")
            for new in made:
                change = Change(file, number, new)
                meaning = _meaning(change.text())
                if meaning not in (None, before):
                    yield change


def _lines(file: str) -> list[str]:
    return (CORE / "yarrow" / file).read_text(encoding="utf-8").splitlines()


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _is_statement(line: str) -> bool:
    return re.fullmatch(r"\s+(await |[a-z_.]+ = )?[a-z_.]+\(.*\)", line) is not None


def _meaning(text: str) -> str | None:
    """The syntax tree without docstrings; None where there is none."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return None
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            kept = [node for node in body if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))]
            node.body = kept  # type: ignore[attr-defined]
    return ast.dump(tree)


def noticed(change: Change) -> str | None:
    """What goes wrong in simulations; None if nothing does."""
    with _changed(change) as core:
        scenario = [name for start, name in SCENARIO.items() if change.file.startswith(start)][-1:]
        return _run(core, *_SIMULATIONS, *scenario)


def failed(change: Change) -> str | None:
    """The first file of tests that fails; None if none does."""
    with _changed(change) as core:
        for tests in tests_of(change.file):
            if _run(core, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", str(tests)) is not None:
                return str(tests.relative_to(ROOT))
    return None


@contextmanager
def _changed(change: Change) -> Iterator[Path]:
    """Return a changed core layer."""
    with TemporaryDirectory() as folder:
        core = Path(folder) / "core"
        shutil.copytree(CORE, core, ignore=shutil.ignore_patterns("__pycache__"))
        (core / "yarrow" / change.file).write_text(change.text(), encoding="utf-8")
        yield core


def tests_of(file: str) -> list[Path]:
    """Those named as the module, then those of its room, and of ROOMS if all rooms use it."""
    room = Path(file).parts[0]
    rooms = ROOMS if room in ROOMS else (room,)
    folders = (ROOT / "tests" / kind / room for room in rooms for kind in KINDS)
    named = sorted((ROOT / "tests").glob(f"*/**/test_{Path(file).stem}.py"))
    return [*named, *(folder for folder in folders if folder.is_dir())]


def _run(core: Path, *arguments: str) -> str | None:
    """The last line of what failed; None if nothing did."""
    environment = {**os.environ, "PYTHONPATH": f"{core}{os.pathsep}{ROOT}"}
    try:
        done = subprocess.run(
            [sys.executable, *arguments],
            env=environment,
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "no end"
    return None if done.returncode == 0 else (done.stdout.strip() or done.stderr.strip()).splitlines()[-1][:160]


def simulations(scenario: str | None = None) -> int:
    """Whether any goes wrong; of all scenarios if none is named."""
    from tests.simulation.__main__ import deployment, quickly  # the changed core is imported only here
    from tests.simulation.simulate import Report, simulate

    def reports() -> Iterator[tuple[Report, int]]:
        """With the most workers that a run may be given to."""
        for seed in range(SEEDS):
            yield simulate(seed, scenario=scenario), MANY
        for seed in range(SEEDS // 3):
            if scenario is None:
                yield simulate(seed, kinds=["twice"], rate=0.3, scenario="conversation"), 1
            yield simulate(seed, kinds=["stale"], rate=0.3, scenario=scenario), MANY
        for seed in range(DEATHS if scenario == "messages" else 0):
            yield simulate(seed, kinds=["unheard"], rate=0.6, scenario=scenario), MANY
        for seed in range(DEATHS if scenario == "steps" else 0):
            yield simulate(seed, kinds=["killed before", "killed after"], rate=0.05, scenario=scenario), MANY
            yield simulate(seed, kinds=["late", "unheard"], rate=0.25, scenario=scenario), MANY

    with quickly(), deployment():
        for report, most in reports():
            if report.problems or report.works > most:
                print(f"{report.scenario} {report.seed}: {[*report.problems, 'another worker'][0]}")
                return 1
    return 0


def main(seed: str = "1", count: str = "30") -> int:
    """The number of changes that nothing notices."""
    for scenario in (None, *sorted({*SCENARIO.values()})):
        if (by := _run(CORE, *_SIMULATIONS, *([] if scenario is None else [scenario]))) is not None:
            print(f"simulations break a rule without any change: {by}")
            return 1
    first = named()
    chosen = first + random.Random(int(seed)).sample(list(changes()), int(count))
    with ThreadPoolExecutor(2) as pool:
        left = _tried(chosen, pool.map(noticed, chosen), "no simulation")
        print(f"{len(chosen)} changes, {len(left)} noticed by no simulation; the tests:")
        left = _tried(left, pool.map(failed, left), "NOTHING")
    print(f"{len(left)} noticed by nothing")
    return min(len(left), 1)


def _tried(chosen: list[Change], results: Iterable[str | None], nothing: str) -> list[Change]:
    """Those that nothing noticed."""
    left = []
    for change, by in zip(chosen, results, strict=True):
        left += [change] if by is None else []
        print(f"{by or nothing:<60}  {change}", flush=True)
    return left


if __name__ == "__main__":
    sys.exit(simulations(*sys.argv[2:]) if sys.argv[1:2] == ["simulations"] else main(*sys.argv[1:]))
