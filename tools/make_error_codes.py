"""Makes `docs/errors.md`: every error code a client can see, from the registry in `yarrow.protocol.problems` and from
what ends runs.

Run `python -m tools.make_error_codes` after adding a code; a test compares the two.
"""

from pathlib import Path
from typing import Final

from yarrow.host import ending
from yarrow.protocol.agent_output import DECLINED, DECLINED_MESSAGE
from yarrow.protocol.problems import Code
from yarrow.runners.divination import NOTHING_DERIVED, NOTHING_DERIVED_MESSAGE

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
| `instance` | the path of the request; the route, where API Gateway answers by itself |
| `traceId` | where the service failed, what finds the cause in its logs |

Codes are added, never renamed or removed. A status given here is the usual one: `AGENT_RUN_INPUT_INVALID` is 413 for a
body that is too large; `REQUEST_INVALID` and `INTERNAL_ERROR` stand for rarer 4xx and 5xx answers of the gateway too.
What is not HTTP never reaches the API: a bare 400 is all that is said of it.

`params.reason`, where a member breaks a rule of its shape, says what the rule wants.
"""


IN_THE_STREAM: Final = """
## In the event stream

A run that does not end well ends with RUN_ERROR, whose `code` is one of these or, in lower case, one that the agent's
runner chose:

| code | message |
|---|---|
"""

IN_AN_OUTPUT: Final = """
## In an answer's `error`

A run that ends well may say in the output of its answer (`status: "failed"`) why there is no reading:

| code | message |
|---|---|
"""

OF_THE_HOST: Final = (ending.CANCELED, ending.FAILED, ending.LOST, ending.TOOK_TOO_LONG, ending.TOKENS_SPENT)


def document() -> str:
    """The whole file."""
    rows = [f"| `{code.name}` | {code.status} | {code.meaning} |" for code in Code]
    table = "\n".join([INTRODUCTION, "| code | status | meaning |", "|---|---|---|", *rows, ""])
    reasons = [f"| `{reason.code}` | {reason.message} |\n" for reason in OF_THE_HOST]
    reasons.append(f"| `{NOTHING_DERIVED}` | {NOTHING_DERIVED_MESSAGE} |\n")
    return table + IN_THE_STREAM + "".join([*reasons, IN_AN_OUTPUT, f"| `{DECLINED}` | {DECLINED_MESSAGE} |\n"])


if __name__ == "__main__":
    TARGET.write_text(document(), encoding="utf-8")
