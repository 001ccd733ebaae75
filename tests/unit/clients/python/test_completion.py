"""`yarrow completion`: what shells offer is what the parser takes."""

import shutil
import subprocess

import pytest

from yarrow_client.cli.command import run
from yarrow_client.cli.completion import SHELLS, script
from yarrow_client.cli.parser import parser
from yarrow_client.cli.texts.manual import EXAMPLES
from yarrow_client.cli.words import Words
from yarrow_client.starter import FRAMEWORKS


def offered(*words: str) -> set[str]:
    """Return what bash offers for the last of the words."""
    if shutil.which("bash") is None:
        pytest.skip("needs bash")
    line = " ".join(f"'{word}'" for word in ("yarrow", *words))
    asked = f'COMP_WORDS=({line}); COMP_CWORD={len(words)}; _yarrow; printf "%s\\n" "${{COMPREPLY[@]}}"'
    done = subprocess.run(
        ["bash", "-euc", f"{script('bash', parser(Words('en')))}\n{asked}"],
        capture_output=True,
        text=True,
        check=True,
        timeout=30,
    )
    return set(done.stdout.split())


def test_bash_offers_every_command() -> None:
    assert offered("") == {*EXAMPLES, *("--help", "--version", "--url", "--user", "--lang", "--json")}
    assert offered("ca") == {"cast", "cancel"}


def test_bash_finds_the_command_behind_options() -> None:
    """Bash divides an address at its colons."""
    assert offered("--url", "http", ":", "//127.0.0.1", ":", "3000", "ca") == {"cast", "cancel"}
    assert offered("--lang", "zh") == {"zh-CN", "zh-TW"}
    assert offered("--user", "cast", "--json", "outcome", "THREAD", "c") == {"came-true"}
    assert "--version" not in offered("--json", "cast", "--")


def test_bash_offers_the_options_of_a_command_and_their_choices() -> None:
    assert {"--limit", "--after", "--lang", "--url"} <= offered("history", "--")
    assert "--lines" not in offered("history", "--")
    assert offered("new", "x", "--framework", "") == set(FRAMEWORKS)
    assert offered("chat", "--lang", "zh") == {"zh-CN", "zh-TW"}
    assert offered("outcome", "THREAD", "c") == {"came-true"}
    assert offered("completion", "") >= set(SHELLS)


@pytest.mark.parametrize("shell", SHELLS)
def test_a_script_is_one_that_its_shell_reads(shell: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"needs {shell}")
    subprocess.run([shell, "-n"], input=script(shell, parser(Words("en"))), text=True, check=True, timeout=30)


def test_fish_is_told_of_every_command_and_option() -> None:
    text = script("fish", parser(Words("en")))
    for name in EXAMPLES:
        assert f" -a {name} -d " in text
    assert "-l framework -x -a " in text
    assert all(line.startswith("complete -c yarrow ") for line in text.splitlines())
    assert all(line.replace("\\'", "").count("'") % 2 == 0 for line in text.splitlines())


def test_the_command_needs_no_service(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["completion", "bash"]) == 0
    assert capsys.readouterr().out == script("bash", parser(Words("en")))
