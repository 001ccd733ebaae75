"""Writes the parts of `template.yaml` that follow from its functions: their alarms and the dashboard's lists.

Run `python -m tools.template.parts` after adding, renaming or removing a function or an alarm; a test compares the two.
A function has an alarm of its own if its `DeploymentPreference` names it: `SubmitRunFunction`, `SubmitRunFailing`.
"""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

TARGET: Final = Path(__file__).parents[2] / "template.yaml"
BEGIN: Final = "  # Each function's own alarm, written by `python -m tools.template.parts`.\n"
END: Final = "  # End of what is written.\n"

_RESOURCE: Final = re.compile(r"^  (\w+):(?: \{ Type: (\S+),.*\n|\n    Type: (\S+)\n((?:    .*\n|\n)*))", re.MULTILINE)
_ALARM: Final = (
    "  {name}Failing: {{ Type: AWS::CloudWatch::Alarm, Properties: {{ <<: *a_few_errors, Namespace: AWS/Lambda, "
    "MetricName: Errors, Dimensions: [{{ Name: FunctionName, Value: !Ref {name}Function }}], "
    'AlarmDescription: !Sub "{name}Function ended with errors. ${{RunbookUrl}}#a-function-fails" }} }}\n'
)


def text(template: str) -> str:
    resources = template[template.index("\nResources:\n") :]
    functions = [name for name, kind, _ in _resources(resources) if kind == "AWS::Serverless::Function"]
    watched = [
        name.removesuffix("Function")
        for name, kind, body in _resources(resources)
        if kind == "AWS::Serverless::Function" and f"!Ref {name.removesuffix('Function')}Failing]" in body
    ]
    before, _, rest = template.partition(BEGIN)
    _, _, after = rest.partition(END)
    made = before + BEGIN + "".join(_ALARM.format(name=name) for name in watched) + END + after
    # The dashboard's text cannot leave out a conditional resource that does not exist.
    alarms = [
        name
        for name, kind, body in _resources(made[made.index("\nResources:\n") :])
        if kind == "AWS::CloudWatch::Alarm" and "    Condition: " not in body
    ]
    made = _with_list(made, "Alarms", """'", "'""", (f"!GetAtt {name}.Arn" for name in alarms))
    return _with_list(made, "Functions", """'"], ["...", "'""", (f"!Ref {name}" for name in functions))


def _resources(template: str) -> list[tuple[str, str, str]]:
    """Return name, type and text of all resources, in order."""
    found = _RESOURCE.finditer(template)
    return [(resource[1], resource[2] or resource[3], resource[4] or "") for resource in found]


def _with_list(template: str, variable: str, delimiter: str, values: Iterable[str]) -> str:
    """Set a variable in the dashboard's text, which must have its line."""
    line = re.compile(rf"^(          {variable}: ).*$", re.MULTILINE)
    made, count = line.subn(lambda found: f"{found[1]}!Join [{delimiter}, [{', '.join(values)}]]", template)
    if count != 1:
        raise ValueError(f"the template has {count} lines for {variable}")
    return made


if __name__ == "__main__":
    TARGET.write_text(text(TARGET.read_text(encoding="utf-8")), encoding="utf-8")
