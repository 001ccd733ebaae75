"""A layer that Lambda would refuse is noticed where it is built."""

import re
from pathlib import Path

import pytest

from tests.support.paths import ROOT
from tools import layer_size


def filled(folder: Path, megabytes: int) -> Path:
    (folder / "package").mkdir()
    with (folder / "package/large.so").open("wb") as file:
        file.truncate(megabytes * 1_000_000)
    return folder


def test_a_layer_that_fits_is_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert layer_size.main(filled(tmp_path, 122), ["core", "models"]) == 0
    assert capsys.readouterr().out == f"{tmp_path} has 122 MB, of 122 that core and models leave\n"


def test_a_layer_that_is_too_large_fails_the_build(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert layer_size.main(filled(tmp_path, 123), ["core", "models"]) == 1
    assert "docs/agents-layer.md" in capsys.readouterr().err
    assert layer_size.main(tmp_path, ["core"]) == 0


def test_the_layers_of_yarrow_are_as_large_as_the_decision_says() -> None:
    text = (ROOT / "docs/decisions/layers.md").read_text(encoding="utf-8")
    sizes = dict(re.findall(r"^\| `(\w+)`:.*\| ([\d.]+) MB \| [\d.]+ MB \|$", text, re.MULTILINE))
    assert {name: int(float(sizes[name])) + 1 for name in layer_size.UNPACKED_MB} == dict(layer_size.UNPACKED_MB)
