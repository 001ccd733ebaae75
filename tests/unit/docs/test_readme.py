"""The READMEs: the same commands and output in both languages; light and dark pictures that differ in colour only."""

import re

from tests.support.paths import ROOT


def blocks(name: str) -> list[str]:
    return re.findall(r"^```\w*\n.*?^```$", (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def test_both_languages_have_the_same_commands_and_output() -> None:
    assert blocks("README.zh-CN.md") == blocks("README.md")
    assert any("make run" in block for block in blocks("README.md"))


def test_both_languages_link_to_each_other_and_show_the_same_pictures() -> None:
    english, chinese = ((ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "README.zh-CN.md"))
    assert "(README.zh-CN.md)" in english
    assert "(README.md)" in chinese
    pictures = re.findall(r'(?:src|srcset)="([^"]+)"', english)
    assert re.findall(r'(?:src|srcset)="([^"]+)"', chinese) == pictures
    assert len(pictures) == 4
    assert all((ROOT / picture).is_file() for picture in pictures)


def test_the_pictures_differ_only_in_style() -> None:
    light, dark = ((ROOT / f"docs/images/run-{theme}.svg").read_text(encoding="utf-8") for theme in ("light", "dark"))
    assert light != dark
    assert re.sub(r"<style>.*</style>", "", light, flags=re.DOTALL) == re.sub(
        r"<style>.*</style>", "", dark, flags=re.DOTALL
    )


def test_the_agent_that_is_shown_is_the_example() -> None:
    (shown,) = (block for block in blocks("README.md") if block.startswith("```python\n"))
    example = (ROOT / "examples/minimal_agent/echo.py").read_text(encoding="utf-8")
    assert shown.removeprefix("```python\n").removesuffix("```") in example
