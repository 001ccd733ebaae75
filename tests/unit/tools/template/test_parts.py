"""What follows from the functions of the template is written by a tool, and up to date."""

import pytest

from tools.template.parts import BEGIN, END, TARGET, text

FUNCTION = """  {name}Function:
    Type: AWS::Serverless::Function
    Properties:
      DeploymentPreference: {{ Alarms: !If [RollsBack, [!Ref ApiFailing, !Ref {name}Failing], []] }}

"""
SCHEDULED = """  SweepFunction:
    Type: AWS::Serverless::Function
    Properties: {}

"""
HEAD = """Parameters:
  CodeUri: { Type: String }

Resources:
  ApiFailing:
    Type: AWS::CloudWatch::Alarm
    Properties: {}

  BackupsFailing:
    Type: AWS::CloudWatch::Alarm
    Condition: BacksUp
    Properties: {}

"""
TAIL = f"""{BEGIN}  GoneFailing: {{ Type: AWS::CloudWatch::Alarm, Properties: {{}} }}
{END}
  Dashboard:
    Type: AWS::CloudWatch::Dashboard
    Properties:
      DashboardBody: !Sub
        - |
            ["${{Alarms}}", "${{Functions}}"]
        - TableName: table
          Alarms: []
          Functions: []
"""


def test_the_template_is_what_its_functions_make_it() -> None:
    """`python -m tools.template.parts` makes it again."""
    template = TARGET.read_text(encoding="utf-8")
    assert text(template) == template


def test_a_new_function_is_watched_and_shown_and_one_that_is_gone_is_not() -> None:
    template = HEAD + FUNCTION.format(name="GetOne") + SCHEDULED + TAIL
    made = text(template)
    assert [line.split(":")[0].strip() for line in made.splitlines() if "a-function-fails" in line] == ["GetOneFailing"]
    assert "GoneFailing" not in made
    # Without what has a condition; with the functions that have no alarm of their own.
    assert """Alarms: !Join ['", "', [!GetAtt ApiFailing.Arn, !GetAtt GetOneFailing.Arn]]\n""" in made
    assert """Functions: !Join ['"], ["...", "', [!Ref GetOneFunction, !Ref SweepFunction]]\n""" in made
    assert text(made) == made


def test_a_template_without_the_lines_is_refused() -> None:
    with pytest.raises(ValueError, match="0 lines for Functions"):
        text((HEAD + TAIL).replace("          Functions: []\n", ""))
