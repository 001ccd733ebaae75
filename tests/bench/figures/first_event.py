"""`python -m tests.bench.figures.first_event` draws `docs/first-event.svg`: what the stack does from a request to its
first event and first delta, the median of the runs of `bench_first_event`.
"""

from html import escape
from typing import Final

from tests.bench.bench_first_event import Watched, watched
from tests.support.paths import ROOT

FIGURE: Final = ROOT / "docs/first-event.svg"
WIDTH, LEFT, ROW, BAR = 900, 220, 22, 14
STYLE: Final = (
    "text{font:13px system-ui,sans-serif;fill:#333}.faint{fill:#777}.door{fill:#00796b}.worker{fill:#b26a00}"
    ".viewer{fill:#3f51b5}.page{fill:#fff}.mark{stroke:#c62828;stroke-width:1.5;stroke-dasharray:4 3}.grid{stroke:#ccc}"
    "@media(prefers-color-scheme:dark){text{fill:#ddd}.faint{fill:#aaa}.door{fill:#4db6ac}.worker{fill:#ffb74d}"
    ".viewer{fill:#9fa8da}.page{fill:#1e2129}.mark{stroke:#ef9a9a}.grid{stroke:#555}}"
)
MARGIN: Final = 46


def main() -> None:
    runs = sorted(watched(), key=lambda watched: watched.first_delta - watched.submitted)
    FIGURE.write_text(drawn(runs[len(runs) // 2]), encoding="utf-8")


def drawn(run: Watched) -> str:
    """The figure, as SVG that follows the reader's theme."""
    spans = [span for span in run.spans if span.kind == "call" and span.begin <= run.first_delta]
    height = MARGIN + ROW * len(spans) + MARGIN
    scale = (WIDTH - LEFT - 30) / (run.first_delta - run.submitted)

    def x(moment: float) -> float:
        return round(LEFT + (moment - run.submitted) * scale, 1)

    milliseconds = round((run.first_delta - run.submitted) * 1000)
    parts = [
        f'<line class="grid" x1="{x(at)}" x2="{x(at)}" y1="{MARGIN - 12}" y2="{height - MARGIN + 4}"/>'
        f'<text class="faint" x="{x(at)}" y="{height - MARGIN + 20}" text-anchor="middle">{step} ms</text>'
        for step in range(0, milliseconds + 1, 10)
        for at in [run.submitted + step / 1000]
    ]
    for number, span in enumerate(spans):
        y, part = MARGIN + ROW * number, _part(span.thread, span.end <= run.first_event)
        end = min(span.end, run.first_delta)
        width = max(1.0, round((end - span.begin) * scale, 1))
        name = escape(f"{part}: {span.name}")
        parts.append(
            f'<text x="{LEFT - 10}" y="{y + BAR - 2}" text-anchor="end">{name}</text>'
            f'<rect class="{part}" x="{x(span.begin)}" y="{y}" width="{width}" height="{BAR}" rx="2">'
            f"<title>{name}, {(span.end - span.begin) * 1000:.1f} ms</title></rect>"
        )
    for moment, label, anchor in ((run.first_event, "first event", "end"), (run.first_delta, "first delta", "end")):
        parts.append(
            f'<line class="mark" x1="{x(moment)}" x2="{x(moment)}" y1="{MARGIN - 20}" y2="{height - MARGIN + 4}"/>'
            f'<text x="{x(moment)}" y="{MARGIN - 26}" text-anchor="{anchor}">'
            f"{label}, {(moment - run.submitted) * 1000:.0f} ms</text>"
        )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" aria-label="Calls of AWS '
        f'from a request to its first delta"><style>{STYLE}</style>'
        f'<rect class="page" width="100%" height="100%"/>{"".join(parts)}</svg>\n'
    )


def _part(thread: str, is_before: bool) -> str:
    """The worker's calls are made in threads of its own, the viewer's in the door's after the first event."""
    if "ExecuteRun" in thread or thread.startswith("journal"):
        return "worker"
    return "door" if is_before else "viewer"


if __name__ == "__main__":
    main()
