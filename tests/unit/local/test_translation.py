"""Translations on disk: the same as SAM makes, and never in the way."""

from pathlib import Path
from typing import Any

import pytest

from local import translation
from local.stack import TemplateError

ISSUER = "http://127.0.0.1:1234/local"
TEMPLATE = """
Transform: AWS::Serverless-2016-10-31
Parameters:
  OidcIssuer: { Type: String }
  Name: { Type: String }
Resources:
  First:
    Type: AWS::Serverless::LayerVersion
    Properties: { ContentUri: layer, LayerName: !Ref Name }
  Second:
    Type: AWS::Serverless::LayerVersion
    Properties: { ContentUri: layer, LayerName: !Ref OidcIssuer }
"""


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(translation, "FOLDER", tmp_path / "kept")
    template = tmp_path / "template.yaml"
    template.write_text(TEMPLATE)
    return template


def translated(path: Path, issuer: str = ISSUER, name: str = "one") -> tuple[Any, Any]:
    """The names of the layers, for which SAM takes the parameters' values."""
    template = translation.translate(path, {"OidcIssuer": issuer, "Name": name})
    first, second = template["Resources"].values()
    return first["Properties"]["LayerName"], second["Properties"]["LayerName"]


def test_what_was_translated_once_is_not_again(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The issuer's port does not matter."""
    assert translated(path) == ("one", ISSUER)
    monkeypatch.setattr(translation, "_transform", None)
    assert translated(path) == ("one", ISSUER)
    assert translated(path, 'http://"quoted"') == ("one", 'http://"quoted"')
    with pytest.raises(TypeError):
        translated(path, name="other")


def test_another_template_or_parameter_is_another_translation(path: Path) -> None:
    assert translated(path)[0] == "one"
    assert translated(path, name="two")[0] == "two"
    path.write_text(TEMPLATE.replace("!Ref Name", "three"))
    assert translated(path)[0] == "three"


def test_a_folder_that_cannot_be_written_to_costs_time_only(path: Path) -> None:
    translation.FOLDER.write_text("a file")
    assert translated(path) == translated(path) == ("one", ISSUER)


def test_only_a_few_translations_are_kept(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(translation, "KEPT", 2)
    for number in range(4):
        translated(path, name=f"n{number}")
    assert len(list(translation.FOLDER.iterdir())) == 2


def test_what_was_used_longest_ago_goes_first(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(translation, "KEPT", 2)
    for name in ("one", "two", "one", "three"):
        translated(path, name=name)
    monkeypatch.setattr(translation, "_transform", None)
    assert translated(path, name="one")[0] == "one"
    with pytest.raises(TypeError):
        translated(path, name="two")


def test_what_sam_refuses_is_not_kept(path: Path) -> None:
    path.write_text(TEMPLATE.replace("LayerVersion", "Function"))
    for _ in range(2):
        with pytest.raises(TemplateError):
            translated(path)
    assert not translation.FOLDER.exists()
