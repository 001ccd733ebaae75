"""The runbook: each alarm has its section, and what is to be pasted into a shell sets what it uses and asks AWS for
what there is. Links lead somewhere, those of the other pages as well."""

import re
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import botocore.session
import pytest
from botocore import xform_name

from local.translation import translate
from tests.support.paths import ROOT

RUNBOOK = ROOT / "docs/runbook.md"
PAGES = [
    *sorted(ROOT.glob("*.md")),
    *sorted(ROOT.glob("docs/**/*.md")),
    *ROOT.glob("examples/*/*.md"),
]
SHELL = [
    pytest.param(block, id=f"{path.stem}-{number}")
    for path in (RUNBOOK, ROOT / "docs/operations.md")
    for number, block in enumerate(re.findall(r"^```sh\n(.*?)^```", path.read_text(encoding="utf-8"), re.M | re.S))
]


@cache
def anchors(path: Path) -> list[str]:
    """Of a page's headings, as GitHub makes them."""
    text = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)
    headings = re.findall(r"^#+ (.+)$", text, re.M)
    return [re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings]


def sections() -> dict[str, str]:
    """Return the sections of alarms by their headings."""
    text = RUNBOOK.read_text(encoding="utf-8").partition("\n## Alarms\n")[2].partition("\n## Procedures\n")[0]
    parts = re.split(r"^### (.+)$", text, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def alarms() -> dict[str, Any]:
    resources = translate(ROOT / "template.yaml", {})["Resources"]
    return {
        name: resource["Properties"]
        for name, resource in resources.items()
        if resource["Type"] == "AWS::CloudWatch::Alarm"
    }


OF_FUNCTIONS = "A function fails"
"""The section of the alarms that watch the errors of one function each."""


def watches_a_function(alarm: dict[str, Any]) -> bool:
    return (alarm.get("Namespace"), alarm.get("MetricName")) == ("AWS/Lambda", "Errors")


def test_each_alarm_has_one_section_and_links_to_it() -> None:
    found = alarms()
    assert sorted(sections()) == sorted(
        {OF_FUNCTIONS if watches_a_function(alarm) else name for name, alarm in found.items()}
    )
    for name, alarm in found.items():
        text, _, anchor = alarm["AlarmDescription"]["Fn::Sub"].partition(" ${RunbookUrl}#")
        assert text.endswith("."), name
        assert anchor == ("a-function-fails" if watches_a_function(alarm) else name.lower())
        assert anchors(RUNBOOK).count(anchor) == 1


def test_the_section_of_functions_says_what_each_alarm_means() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (.+) \|$", sections()[OF_FUNCTIONS], re.M)
    assert sorted(name for name, _ in rows) == sorted(
        name for name, alarm in alarms().items() if watches_a_function(alarm)
    )


def test_without_a_parameter_the_link_is_of_this_repository() -> None:
    default = translate(ROOT / "template.yaml", {})["Parameters"]["RunbookUrl"]["Default"]
    assert ROOT / default == RUNBOOK


@pytest.mark.parametrize("name", sorted(sections()))
def test_a_section_says_what_it_means_how_to_look_and_what_to_do(name: str) -> None:
    section = sections()[name]
    assert re.findall(r"^\*\*(\w+)\.\*\* ?", section, re.M) == ["Impact", "Check", "Fix"]
    check = section.partition("**Check.**")[2].partition("**Fix.**")[0]
    assert check.count("```sh\n") == 1


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(path: Path) -> None:
    text = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        there = (path.parent / name).resolve() if name else path
        assert there.exists(), target
        assert not anchor or anchor in anchors(there), target


@pytest.mark.parametrize("block", SHELL)
def test_a_block_sets_what_it_uses(block: str) -> None:
    used = set(re.findall(r"\$\{?([A-Za-z_]\w*)", re.sub(r"'[^']*\{ \$\.[^']*'", "", block)))
    values = set(re.findall(r"(?:^|\s)([A-Z_]+)=", block)) | set(re.findall(r"\bfor (\w+) in\b", block))
    read = {name for names in re.findall(r"\bread -r ([A-Z_ ]+);", block) for name in names.split()}
    assert used <= values | read


@pytest.mark.parametrize("block", SHELL)
def test_a_block_is_of_the_shell(block: str) -> None:
    done = subprocess.run(["bash", "-n"], input=block, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


OF_THE_CLI = {"output", "query", "max-items", "cli-binary-format", "region", "zip-file"}
CUSTOM = {("logs", "tail"), ("configure", "get"), ("s3", "sync")}
"""Commands that are the CLI's own, and no operation of a service."""


@cache
def options(service: str, command: str) -> set[str]:
    """What an operation of AWS takes."""
    model = botocore.session.get_session().get_service_model(service)
    (operation,) = (name for name in model.operation_names if xform_name(name, "-") == command)
    shape = model.operation_model(operation).input_shape
    names = {xform_name(member, "-") for member in (shape.members if shape else ())}
    flags = {f"no-{name}" for name in names}
    return names | flags


@pytest.mark.parametrize("block", SHELL)
def test_a_block_asks_aws_for_what_there_is(block: str) -> None:
    """Operations and their options, as botocore knows them."""
    joined = block.replace("\\\n", " ")
    for service, command, rest in re.findall(
        r"\baws ([a-z0-9-]+) ([a-z0-9-]+)((?:[^\n;|)\"']|\"[^\"]*\"|'[^']*')*)", joined
    ):
        if (service, command) in CUSTOM or command == "wait":
            continue
        bare = re.sub(r"\"[^\"]*\"|'[^']*'", "", rest)
        values = set(re.findall(r" --([a-z0-9-]+)", bare))
        assert values - OF_THE_CLI <= options(service, command), (service, command)
