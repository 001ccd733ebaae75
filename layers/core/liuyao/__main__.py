"""`python -m liuyao` reads divination payloads and writes divinations, one JSON object per line.

`--show` draws each as a plate (排盘). An invalid line yields a problem object; blank lines are skipped.
"""

import argparse
import json
import signal
import sys
from collections.abc import Callable
from typing import Final

from pydantic import ValidationError

from liuyao import Divination, DivinationPayload, derive
from liuyao.chart import draw

_PROBLEM: Final = {"type": "about:blank", "title": "Unprocessable Content", "status": 422}
_CODE: Final = "AGENT_RUN_INPUT_INVALID"
"""The problem (RFC 9457) that the service answers to such a payload."""


def main() -> None:
    """Answer every line of standard input on standard output, in order and as soon as it is read."""
    parser = argparse.ArgumentParser(prog="python -m liuyao", description="Derive Liu Yao divinations.")
    parser.add_argument("--show", action="store_true", help="draw each plate (排盘) instead of printing JSON")
    render = _plate if parser.parse_args().show else Divination.model_dump_json
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # end quietly with the reader, e.g. in `… | head`
    for line in sys.stdin.buffer:
        if line.strip():
            sys.stdout.buffer.write(answer(line, render).encode() + b"\n")
            sys.stdout.buffer.flush()


def answer(line: bytes, render: Callable[[Divination], str]) -> str:
    """Return one payload, JSON in UTF-8, as its rendered divination or as a problem object."""
    try:
        return render(derive(DivinationPayload.model_validate_json(line)))
    except ValidationError as error:
        return json.dumps({**_PROBLEM, "detail": _detail(error), "code": _CODE}, ensure_ascii=False)


def _detail(error: ValidationError) -> str:
    faults = []
    for fault in error.errors(include_url=False, include_input=False, include_context=False):
        place = ".".join(map(str, fault["loc"]))
        message = fault["msg"].removeprefix("Value error, ")
        faults.append(f"{place}: {message}" if place else message)
    return "; ".join(faults)


def _plate(divination: Divination) -> str:
    return draw(divination) + "\n"


if __name__ == "__main__":
    main()
