"""The command `yarrow` by its entry point, in a pipe and in a terminal."""

import codecs
import io
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass
from fcntl import ioctl
from pathlib import Path
from typing import Any

import pytest

from tests.support.paths import ROOT
from yarrow_client.cli import command
from yarrow_client.cli.service import Tokens
from yarrow_client.cli.words import Words
from yarrow_client.sync_client import Yarrow as Client

SECONDS = 30
QUESTION = "我最近换工作是否合适?"
SCRIPT = Path(sys.executable).with_name("yarrow")
COMMAND = [str(SCRIPT)] if SCRIPT.is_file() else [sys.executable, "-m", "yarrow_client"]
"""The script of the environment; where it is not installed, the module that it calls."""


def environment(url: str, **more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("YARROW_", "LC_", "LANG"))}
    path = os.pathsep.join(filter(None, (str(ROOT / "clients/python/src"), os.environ.get("PYTHONPATH"))))
    return {**kept, "PYTHONPATH": path, "YARROW_URL": url, "LANG": "zh_CN.UTF-8", "TZ": "Asia/Shanghai", **more}


AWAY = ("--url", "http://127.0.0.1:9", "--lang", "zh-TW")

Yarrow = Callable[..., "Shown"]


@pytest.fixture(scope="module")
def user() -> str:
    return f"terminal-{uuid.uuid4()}"


@dataclass(frozen=True)
class Shown:
    """What the command wrote, and its exit code."""

    returncode: int
    stdout: str
    stderr: str


def script(stack: str, *arguments: str) -> Shown:
    """Run its entry point in a pipe."""
    ended = subprocess.run(
        [*COMMAND, *arguments],
        env=environment(stack, COLUMNS="80"),
        capture_output=True,
        text=True,
        input="",
        timeout=SECONDS,
        check=False,
    )
    return Shown(ended.returncode, ended.stdout, ended.stderr)


@pytest.fixture
def yarrow(stack: str, user: str, monkeypatch: pytest.MonkeyPatch) -> Yarrow:
    """Run what the entry point calls, which takes half a second less than a process."""
    for name, value in environment(stack, COLUMNS="80").items():
        monkeypatch.setenv(name, value)

    def call(*arguments: str) -> Shown:
        with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err:
            code = command.run([*arguments, "--user", user])
        return Shown(code, out.getvalue(), err.getvalue())

    return call


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


@pytest.fixture(scope="module")
def cast(stack: str, user: str) -> tuple[str, Shown]:
    """A session with a reading, and what the command showed."""
    thread = str(uuid.uuid4())
    shown = script(stack, "cast", QUESTION, "--lines", "787986", "--thread", thread, "--user", user)
    assert shown.returncode == 0, shown.stderr
    return thread, shown


def test_a_cast_is_drawn_and_read(cast: tuple[str, Shown]) -> None:
    """DIV-06: without colours and padding in a pipe."""
    thread, shown = cast
    text = shown.stdout
    assert text.startswith("雷火丰（坎宫五世） 之 山火贲（艮宫一世）\n")
    # 空 follows a branch that the day leaves empty, and widens its column.
    assert re.search(r"官鬼庚戌土空? +▅▅ ▅▅  ×     ▅▅▅▅▅  子孙丙寅木", text)
    assert re.search(r"^ [上中下]{2}签$", text, re.MULTILINE)
    assert "\n建议\n• " in text
    assert "\x1b" not in text
    assert not re.search(r" $", text, re.MULTILINE)
    assert f"yarrow history {thread}" in shown.stderr
    assert f"yarrow outcome {thread} came-true" in shown.stderr


def test_a_declined_cast_asks_for_no_outcome(stack: str) -> None:
    """CARE-05."""
    shown = script(stack, "cast", "我不想活了，还有意义吗？", "--lines", "787986", "--user", f"declined-{uuid.uuid4()}")
    assert (shown.returncode, "yarrow history" in shown.stderr, "yarrow outcome" in shown.stderr) == (0, True, False)


def test_a_cast_by_true_solar_time_notes_the_clocks(stack: str, user: str) -> None:
    """DIV-20: at 87.6° E the Sun is 2 h 13 min behind the clock of the zone."""
    when = ("--time", "2026-04-03T20:30:00", "--longitude", "87.6")
    shown = script(stack, "cast", QUESTION, *when, "--json", "--user", user)
    assert shown.returncode == 0, shown.stderr
    events = [line["event"] for line in lines(shown.stdout)]
    (derived,) = [event["divination"] for event in events if event["type"] == "DIVINATION_DERIVED"]
    assert derived["divinationTime"] == "2026年04月03日 18:17"
    text = "".join(event["delta"] for event in events if event["type"] == "TEXT_MESSAGE_CONTENT")
    (note,) = re.findall("起卦时刻：[^。]*。", text)
    assert "若按时钟20:30（丁未日戌时）" in note
    wrong = script(stack, "cast", QUESTION, "--longitude", "-181", "--user", user)
    assert (wrong.returncode, "经度" in wrong.stderr) == (2, True)


def test_it_is_read_back_and_watched_again(cast: tuple[str, Shown], yarrow: Yarrow) -> None:
    """EVT-04: the history draws the same; `watch` goes on after a number; `tail` lists what is stored."""
    thread, shown = cast
    request = json.loads(yarrow("history", thread, "--json").stdout)["messages"][0]
    run = request["id"].removeprefix("msg_").removesuffix("_user_0")
    assert yarrow("history", thread).stdout.endswith(shown.stdout)
    sessions = yarrow("history").stdout
    assert thread in sessions
    assert yarrow("watch", thread, run).stdout == shown.stdout
    events = lines(yarrow("tail", thread, run, "--json").stdout)
    assert [event["id"] for event in events] == list(range(1, len(events) + 1))
    assert events[-1]["event"]["type"] == "RUN_FINISHED"
    assert lines(yarrow("watch", thread, run, "--json", "--after", "3").stdout) == events[3:]
    listed = yarrow("tail", thread, run, "--after", "2").stdout.splitlines()
    assert [line.split()[:2] for line in listed] == [[str(event["id"]), event["event"]["type"]] for event in events[2:]]


def test_one_talks_over_several_runs(yarrow: Yarrow) -> None:
    """With the tools' calls; a session remembers."""
    thread = str(uuid.uuid4())
    first = yarrow("chat", "/call get_current_time {}", "--thread", thread)
    assert "get_current_time {} → {" in first.stdout
    assert "Asia/Shanghai" in first.stdout
    yarrow("chat", "again", "--thread", thread)
    messages = json.loads(yarrow("history", thread, "--json").stdout)["messages"]
    assert [message["role"] for message in messages] == ["user", "assistant"] * 2


def test_one_asks_on_about_a_cast(cast: tuple[str, Shown], yarrow: Yarrow) -> None:
    """FUP-03: by plain text, to the agent of the session."""
    thread, _ = cast
    shown = yarrow("chat", "那什么时候合适?", "--thread", thread)
    assert (shown.returncode, shown.stderr) == (0, "")
    messages = json.loads(yarrow("history", thread, "--json").stdout)["messages"]
    assert [message["role"] for message in messages] == ["user", "assistant"] * 2


def test_one_says_how_a_reading_turned_out(stack: str) -> None:
    """With a note; the history and the record show it in the language that is asked for."""
    thread, me = str(uuid.uuid4()), ("--user", f"outcome-{uuid.uuid4()}")
    assert "yarrow outcome" in script(stack, "record", *me).stdout
    assert json.loads(script(stack, "record", "--json", *me).stdout) is None
    assert script(stack, "cast", QUESTION, "--lines", "787986", "--thread", thread, *me).returncode == 0
    stored = json.loads(script(stack, "outcome", thread, "did-not", "--json", *me).stdout)
    assert (stored["threadId"], stored["outcome"], stored["note"]) == (thread, "did_not", None)
    shown = script(stack, "outcome", thread, "came-true", "--note", "周五定了", "--run", stored["runId"], *me)
    assert (shown.returncode, shown.stdout) == (0, "应验  周五定了\n")
    assert script(stack, "history", thread, *me).stdout.endswith("\n应验  周五定了\n")
    listed = script(stack, "history", "--lang", "en", *me)
    assert f"{thread}  Came true  " in listed.stdout
    assert listed.stderr == "100 % of 1 came true.\n"
    record = script(stack, "record", "--lang", "en", *me).stdout
    assert record.splitlines() == [
        "   1  Came true",
        "   0  Partly",
        "   0  Did not come true",
        "100 % of 1 came true.",
    ]
    assert script(stack, "outcome", thread, "maybe", *me).returncode == 2
    refused = script(stack, "outcome", str(uuid.uuid4()), "partly", *me)
    assert (refused.returncode, "AGENT_SESSION_NOT_FOUND" in refused.stderr) == (3, True)


def test_a_file_is_uploaded(yarrow: Yarrow) -> None:
    """ATT-03."""
    attachment = json.loads(yarrow("upload", str(ROOT / "docs/picture.png"), "--json").stdout)
    assert attachment["mimeType"] == "image/png"


def test_a_session_is_deleted_once_one_says_so(stack: str, yarrow: Yarrow) -> None:
    """In a pipe nobody can be asked, so it takes `--yes`."""
    thread = str(uuid.uuid4())
    assert yarrow("chat", "hello", "--thread", thread).returncode == 0
    refused = yarrow("delete", thread, "--lang", "en")
    assert (refused.returncode, refused.stderr) == (
        command.USAGE,
        "this cannot be undone, and nobody can be asked here: say --yes\n",
    )
    assert yarrow("history", thread).returncode == 0
    assert yarrow("delete", thread, "--yes", "--lang", "en").stdout == "Deleted.\n"
    assert yarrow("history", thread).returncode == command.REFUSED


def test_jobs_are_listed_run_paused_and_deleted(stack: str, yarrow: Yarrow, user: str) -> None:
    assert yarrow("jobs", "--lang", "en").stdout == "No jobs yet.\n"
    fields = {
        "title": "Morning",
        "input_template": "What is in my calendar today?",
        "enabled_tools": ["calendar_read"],
        "schedule": {"type": "daily", "run_at": {"hour": 8, "minute": 0}},
        "timezone": "Asia/Shanghai",
    }
    with Client(stack, Tokens(stack, user, Words("en"))) as client:
        job = client.create_job(fields)["id"]
    (listed,) = yarrow("jobs", "--lang", "en").stdout.splitlines()
    assert listed.startswith(f"{job}  active  ")
    assert listed.endswith("Morning")
    assert yarrow("jobs", job, "--lang", "en").stdout == "It has not run yet.\n"
    ran = yarrow("jobs", job, "--start", "--json")
    assert (ran.returncode, lines(ran.stdout)[-1]["event"]["type"]) == (0, "RUN_FINISHED")
    (run,) = yarrow("jobs", job).stdout.splitlines()
    assert lines(ran.stdout)[0]["event"]["runId"] in run
    assert yarrow("jobs", job, "--pause", "--lang", "en").stdout == "Paused.\n"
    assert "  paused  " in yarrow("jobs", "--lang", "en").stdout
    assert json.loads(yarrow("jobs", job, "--resume", "--json").stdout)["status"] == "active"
    assert yarrow("jobs", job, "--delete").returncode == command.USAGE
    assert yarrow("jobs", job, "--delete", "--yes", "--lang", "en").stdout == "Deleted.\n"
    assert yarrow("jobs", job).returncode == command.REFUSED
    with pytest.raises(SystemExit):
        yarrow("jobs", "--pause")


def test_exit_codes_say_what_happened(stack: str, yarrow: Yarrow, monkeypatch: pytest.MonkeyPatch) -> None:
    thread = str(uuid.uuid4())
    wrong = script(stack, "cast", QUESTION, "--lines", "123")
    assert (wrong.returncode, "不是六爻" in wrong.stderr, wrong.stdout) == (2, True, "")
    ended = yarrow("chat", "fail", "--agent", "scenes", "--thread", thread, "--lang", "en")
    assert (ended.returncode, "ended with an error" in ended.stderr) == (1, True)
    refused = yarrow("cancel", thread, "nothing", "--lang", "en")
    assert (refused.returncode, "AGENT_RUN_NOT_FOUND" in refused.stderr) == (3, True)
    unknown = yarrow("add", thread, "nothing", "in Celsius", "--lang", "en")
    assert (unknown.returncode, "AGENT_RUN_NOT_FOUND" in unknown.stderr) == (3, True)
    nobody = yarrow("history", "--url", "http://127.0.0.1:9")
    assert (nobody.returncode, "make run" in nobody.stderr) == (4, True)
    before = yarrow(*AWAY, "history")
    assert (before.returncode, before.stderr) == (4, yarrow("history", *AWAY).stderr)
    assert yarrow("history", "--url", "https://api.example").returncode == 2
    monkeypatch.setenv("YARROW_TOKEN", "forged")
    assert yarrow("history").returncode == 3


# ---- In a terminal ---------------------------------------------------------------------------------------------------
class Terminal:
    """A process in a terminal of 80 by 40 cells."""

    def __init__(self, command: list[str], env: dict[str, str]) -> None:
        master, slave = pty.openpty()
        ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 80, 0, 0))
        self.process = subprocess.Popen(
            command,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env={**env, "TERM": "xterm-256color"},
            start_new_session=True,
        )
        os.close(slave)
        self._master = master
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._seen = 0
        self.text = ""

    def wait_for(self, words: str) -> None:
        """Until these words came after those that were waited for before."""
        end = time.monotonic() + SECONDS
        before = len(self.text)
        while words not in self.text[self._seen :]:
            ready, _, _ = select.select([self._master], [], [], max(0.0, end - time.monotonic()))
            assert ready, self.text[before:]
            self.text += self._decoder.decode(os.read(self._master, 65536))
        self._seen = self.text.index(words, self._seen) + len(words)

    def press(self, keys: str) -> None:
        os.write(self._master, keys.encode())

    def ended(self) -> int:
        """Its exit code; what it said last is in the text."""
        with suppress(OSError):  # the other end is closed
            while data := os.read(self._master, 65536):
                self.text += self._decoder.decode(data)
        return self.process.wait(SECONDS)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._master)


@pytest.fixture(autouse=True)
def interruptible() -> Iterator[None]:
    """A shell that starts the tests in its background has them, and every process of theirs, ignore Ctrl-C."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@contextmanager
def terminal(stack: str, user: str, *arguments: str) -> Iterator[Terminal]:
    shown = Terminal([*COMMAND, *arguments, "--user", user], environment(stack))
    try:
        yield shown
    finally:
        shown.close()


def test_coins_are_thrown_with_enter_and_the_reading_streams(stack: str, user: str) -> None:
    with terminal(stack, user, "cast") as shown:
        shown.wait_for("所问何事？")
        shown.press(f"{QUESTION}\n")
        for number in range(1, 7):
            shown.wait_for(f"第 {number} 次")
            shown.press("\n")
        shown.wait_for("本卦")
        shown.wait_for("Ctrl-C")
        shown.wait_for("建议")
        assert shown.ended() == 0
    assert "\x1b[" in shown.text


def test_ctrl_c_asks_whether_to_cancel(stack: str, user: str, yarrow: Yarrow) -> None:
    """CAN-04: no leaves the run alone, and says how to come back; yes ends it."""
    thread = str(uuid.uuid4())
    with terminal(stack, user, "chat", "wait", "--agent", "scenes", "--thread", thread, "--lang", "en") as shown:
        shown.wait_for("Writing")
        shown.process.send_signal(signal.SIGINT)
        shown.wait_for("Cancel the run?")
        shown.press("n\n")
        assert shown.ended() == 130
    (run,) = re.findall(rf"yarrow watch {thread} (\S+)", shown.text)
    with terminal(stack, user, "tail", thread, run, "--lang", "en") as shown:
        shown.wait_for("TEXT_MESSAGE_CONTENT")
        shown.process.send_signal(signal.SIGINT)
        shown.wait_for("Cancel the run?")
        shown.press("y\n")
        assert shown.ended() == 130
    assert "Canceled." in shown.text
    ended = lines(yarrow("tail", thread, run, "--json").stdout)[-1]["event"]
    assert (ended["type"], ended["code"]) == ("RUN_ERROR", "RUN_CANCELED")


def test_a_question_is_answered_in_the_terminal(stack: str) -> None:
    """ASK-04: what is asked, until when, and how to answer; the run that goes on, and what it asks next."""
    user = f"asked-{uuid.uuid4()}"
    with terminal(stack, user, "chat", "ask for a form", "--agent", "scenes", "--lang", "en") as shown:
        shown.wait_for("It asks you. Answer with: yarrow answer")
        assert shown.ended() == 0
    with terminal(stack, user, "inbox", "--lang", "en") as shown:
        shown.wait_for("Who travels?")
        shown.wait_for("until 2")
        shown.wait_for("--form")
        assert shown.ended() == 0
    with terminal(stack, user, "answer", "--lang", "en") as shown:
        for prompt, keys in (("Name", "Ada"), ("Seats [2]", ""), ("Day", ""), ("Class", "economy"), ("Meals", "")):
            shown.wait_for(prompt)
            shown.press(f"{keys}\n")
        shown.wait_for("With insurance")
        shown.press("y\n")
        shown.wait_for('"insured": true')
        assert shown.ended() == 0
    assert '"seats": 2' in shown.text
    script(stack, "chat", "ask for a choice", "--agent", "scenes", "--user", user)
    unsure = script(stack, "answer", "--user", user, "--lang", "en")
    assert (unsure.returncode, unsure.stderr.strip()) == (2, "Give the answer: --text …")
    with terminal(stack, user, "answer", "--lang", "en") as shown:
        shown.wait_for("The left one")
        shown.press("1\n")
        shown.wait_for('answered: "left"')
        assert shown.ended() == 0
    script(stack, "chat", "ask for a yes", "--agent", "scenes", "--user", user)
    refused = script(stack, "answer", "--no", "--reason", "Not yet", "--user", user)
    assert (refused.returncode, refused.stdout.strip()) == (0, "refused: false")
    assert script(stack, "answer", "--yes", "--user", user, "--lang", "en").stdout.strip() == "Nothing to answer."
