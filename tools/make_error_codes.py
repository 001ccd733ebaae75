"""Generates `docs/errors.md`: the codes of problems, of agents, of the ends of runs and of workspaces.

Run `python -m tools.make_error_codes` after adding a code; a test compares the two.
"""

from pathlib import Path
from typing import Final

from yarrow.packages import error_codes
from yarrow.protocol.problems import Code
from yarrow.protocol.workspace.errors import ErrorCode
from yarrow.runs import end_run
from yarrow_agents.divination.output import DECLINED, DECLINED_MESSAGE
from yarrow_agents.divination.readings import NOTHING_DERIVED, NOTHING_DERIVED_MESSAGE

TARGET: Final = Path(__file__).parent.parent / "docs/errors.md"

INTRODUCTION: Final = """\
# Error codes

Every error is an RFC 9457 (7807) problem, `application/problem+json`, with these members:

| member | meaning |
|---|---|
| `type` | always `about:blank`; use `code` |
| `title` | the phrase of the HTTP status |
| `status` | the HTTP status |
| `detail` | one sentence on what is wrong; for an invalid run input, the specified message |
| `code` | one of the codes below, for programs |
| `params` | facts about this problem, if any; `params.reason` says what a malformed member must look like |
| `instance` | the path of the request; the route, if API Gateway itself answers |
| `traceId` | on a failure of the service, the id to find it by in the logs |

Codes are added, never renamed or removed. The status given here is the usual one: `AGENT_RUN_INPUT_INVALID` is 413 for
a body that is too large, and `REQUEST_INVALID` and `INTERNAL_ERROR` also stand for rare 4xx and 5xx of the gateway.
A request that is not valid HTTP gets a bare 400 from the gateway.
"""


IN_THE_STREAM: Final = """
## In the event stream

A failed run ends with RUN_ERROR. Its `code` is one of these, or a lower-case code of the agent's runner, such as
`runner.outcome_unknown` (a worker died in a [step](write-a-runner.md#steps) that must not be repeated, and its user did
not decide what to do) or
`runner.too_many_turns` (the run had [900 workers](write-a-runner.md#runs-of-hours)).

| code | message |
|---|---|
"""

IN_AN_OUTPUT: Final = """
## In an answer's `error`

A finished run may have an answer without a reading (`status: "failed"`). Its `error` says why:

| code | message |
|---|---|
"""

IN_A_WORKSPACE: Final = """
## In a workspace

A command that a workspace refuses is answered by `agent_error`, with one of these as `code` and a sentence in English
as `message`. Nothing has changed then, and the connection stays open:

| code | meaning |
|---|---|
"""

OF_THE_HOST: Final = (end_run.CANCELED, end_run.FAILED, end_run.LOST, end_run.TIMED_OUT, end_run.TOKENS_SPENT)


def document() -> str:
    rows = [f"| `{code.name}` | {code.status} | {code.meaning} |" for code in [*Code, *error_codes.find_all()]]
    table = "\n".join([INTRODUCTION, "| code | status | meaning |", "|---|---|---|", *rows, ""])
    reasons = [f"| `{reason.code}` | {reason.message} |\n" for reason in OF_THE_HOST]
    reasons.append(f"| `{NOTHING_DERIVED}` | {NOTHING_DERIVED_MESSAGE} |\n")
    declined = [IN_AN_OUTPUT, f"| `{DECLINED}` | {DECLINED_MESSAGE} |\n"]
    refused = [f"| `{error.code}` | {error.meaning} |\n" for error in ErrorCode]
    return table + IN_THE_STREAM + "".join([*reasons, *declined, IN_A_WORKSPACE, *refused])


if __name__ == "__main__":
    TARGET.write_text(document(), encoding="utf-8")
