"""Shows a run in a terminal: finished text, below it the text being written and a status line."""

import time
from collections.abc import Iterable, Iterator
from typing import Any

from rich.console import Console, ConsoleOptions, Group, RenderResult
from rich.live import Live
from rich.markdown import Markdown
from rich.padding import Padding
from rich.segment import Segment
from rich.spinner import Spinner
from rich.table import Table
from rich.text import Text

from yarrow_client.cli.input import harmless
from yarrow_client.cli.plate import plate
from yarrow_client.cli.prose import MEASURE, fold
from yarrow_client.cli.words import Words
from yarrow_client.effects import Event

_TAIL_LINES = 12
_GRADES = {
    "上上签": "bold white on green",
    "中上签": "bold white on blue",
    "中下签": "bold black on yellow",
    "下下签": "bold white on red",
}


class RunView:
    """The view of one run."""

    def __init__(self, console: Console, words: Words, *, after: int = 0) -> None:
        self._console, self._words = console, words
        self._text = ""
        self._status = words("waiting")
        self._tools: dict[str, dict[str, str]] = {}
        self._began = time.monotonic()
        self._spinner = Spinner("dots")
        self._live: Live | None = None
        self.last = after
        self.ended: Event | None = None
        self.has_reading = False
        """Whether a cast was read and not declined."""

    def show(self, events: Iterable[Event]) -> Event | None:
        """Show the events; returns the last one."""
        console = self._console
        with Live(
            self, console=console, transient=True, refresh_per_second=12, auto_refresh=console.is_terminal
        ) as live:
            self._live = live
            try:
                for event in events:
                    self.last = event.id
                    self._take(event, harmless(event.data))
            finally:
                self._live = None
        return self.ended

    def waits(self, seconds: float, failure: Exception | None) -> None:
        """Show that the client waits before its next try."""
        if failure is not None:
            self._status = self._words("again", after=self.last, seconds=f"{seconds:.1f}")

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if not console.is_terminal:
            return
        if self._text:
            lines = console.render_lines(Markdown(self._text), options, pad=False)
            yield from _as_segments(lines[-min(_TAIL_LINES, max(3, console.height - 4)) :])
            yield ""
        seconds = int(time.monotonic() - self._began)
        parts = (f"{self._status}  {seconds} s", self._words("event", number=self.last), self._words("keys"))
        status = Table.grid(padding=(0, 1))
        status.add_row(self._spinner, Text(" · ".join(parts), style="dim"))
        yield status

    def _take(self, event: Event, data: dict[str, Any]) -> None:
        match event.type:
            case "DIVINATION_DERIVED":
                self._console.print(plate(data["divination"], self._words, self._console.width))
                self._console.print()
                self._status = self._words("reading")
            case "TEXT_MESSAGE_START":
                self._text, self._status = "", self._words("writing")
            case "TEXT_MESSAGE_CONTENT":
                self._text += data["delta"]
                self._status = self._words("writing")
            case "TEXT_MESSAGE_END":
                text, self._text = self._text, ""
                self.has_reading |= _is_reading(data)
                self._refresh()
                print_answer(self._console, self._words, text, data)
            case "TOOL_CALL_START":
                self._call(data)["name"] = data["toolCallName"]
                self._status = data["toolCallName"]
            case "TOOL_CALL_ARGS":
                self._call(data)["arguments"] += data["delta"]
            case "TOOL_CALL_RESULT":
                self._tool(data)
            case "RUN_FINISHED" | "RUN_ERROR":
                self.ended = event

    def _call(self, data: dict[str, Any]) -> dict[str, str]:
        """Return a call; its name is empty if the run is watched from its middle."""
        return self._tools.setdefault(data["toolCallId"], {"name": "", "arguments": ""})

    def _tool(self, data: dict[str, Any]) -> None:
        call = self._call(data)
        line = Text(f"{call['name']} {call['arguments']} → {data['content']}", style="dim")
        line.truncate(max(20, self._console.width - 2), overflow="ellipsis")
        self._console.print(Padding(line, (0, 0, 0, 2)))

    def _refresh(self) -> None:
        if self._live is not None and self._console.is_terminal:
            self._live.refresh()


def _is_reading(output: dict[str, Any]) -> bool:
    return output.get("status") == "success" and bool(output.get("sign_level"))


def print_answer(console: Console, words: Words, text: str, output: dict[str, Any]) -> None:
    """Print a whole answer; the answer to a cast in parts."""
    if not _is_reading(output):
        console.print(Markdown(text or str(output.get("answer") or "")))
        console.print()
        return
    grade: str = output["sign_level"]
    name = words(grade)
    stamp = Text(f" {words.spell(grade)} ", style=_GRADES[grade])
    if words.language == "en":
        stamp.append(f"  {name}", style="bold not reverse default on default")
    conclusion = output["conclusion"]
    width = min(console.width, MEASURE)

    def prose(text: str, indent: int = 0, style: str = "") -> Text:
        folded = text if words.language == "en" else fold(text, width - indent)
        return Text(folded, style=style, overflow="fold")

    parts: list[Any] = [stamp, "", prose(conclusion[0], style="bold"), *map(prose, conclusion[1:])]
    for heading, items in (("advice", output["advice"]), ("reasons", output["focus_points"])):
        parts += ["", Text(words(heading), style="bold")]
        style = "dim" if heading == "reasons" else ""
        parts += [_bullet(prose(item, indent=2, style=style)) for item in items]
    console.print(Group(*parts, ""), width=width)


def _bullet(text: Text) -> Table:
    bullet = Table.grid(padding=(0, 1))
    bullet.add_row("•", text)
    return bullet


def _as_segments(lines: list[list[Segment]]) -> Iterator[Segment]:
    for line in lines:
        yield from line
        yield Segment.line()
