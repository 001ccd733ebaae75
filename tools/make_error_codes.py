"""Makes `docs/errors.md`: every error code a client can see, from the registry in `yarrow.protocol.problems`.

Run `python -m tools.make_error_codes` after adding a code; a test compares the two.
"""

from pathlib import Path
from typing import Final

from yarrow.protocol.problems import Code

TARGET: Final = Path(__file__).parent.parent / "docs/errors.md"

INTRODUCTION: Final = """\
# Error codes

Every error is an RFC 9457 (7807) problem, `application/problem+json`, with these members:

| member | meaning |
|---|---|
| `type` | `about:blank`: `code` tells the kind of problem |
| `title` | the phrase of the HTTP status |
| `status` | the HTTP status |
| `detail` | one sentence on what was wrong; for a broken rule of the run input, the documents' exact message |
| `code` | one of the codes below, for programs |
| `params` | facts about this problem, where there are any |
| `instance` | the path of the request |
| `traceId` | where the service failed, what finds the cause in its logs |

Codes are added, never renamed or removed. A status given here is the usual one: `AGENT_RUN_INPUT_INVALID` is 413 for a
body that is too large; `REQUEST_INVALID` and `INTERNAL_ERROR` stand for rarer 4xx and 5xx answers of the gateway too.
"""


def document() -> str:
    """The whole file."""
    rows = [f"| `{code.name}` | {code.status} | {code.meaning} |" for code in Code]
    return "\n".join([INTRODUCTION, "| code | status | meaning |", "|---|---|---|", *rows, ""])


if __name__ == "__main__":
    TARGET.write_text(document(), encoding="utf-8")
