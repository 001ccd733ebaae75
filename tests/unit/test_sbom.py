"""The bill of materials: what is in the built layer, said so that scanners understand it."""

from pathlib import Path

import pytest

from tools.make_sbom import bill, untested


@pytest.fixture
def layer(tmp_path: Path) -> Path:
    for name, version, licence in (
        ("Some_Package", "1.2", "License-Expression: MIT"),
        ("older", "3.0", "Classifier: License :: OSI Approved :: BSD License"),
        ("silent", "0.1", "Summary: says nothing of its licence"),
    ):
        folder = tmp_path / f"{name}-{version}.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(f"Metadata-Version: 2.4\nName: {name}\nVersion: {version}\n{licence}\n")
    return tmp_path


def test_every_package_is_listed_with_its_address_and_licence(layer: Path) -> None:
    components = {each["purl"]: each.get("licenses") for each in bill(layer)["components"]}
    assert components == {
        "pkg:pypi/some-package@1.2": [{"expression": "MIT"}],
        "pkg:pypi/older@3.0": [{"license": {"name": "BSD License"}}],
        "pkg:pypi/silent@0.1": None,
    }


def test_the_same_packages_make_the_same_bill(layer: Path) -> None:
    first = bill(layer)
    assert bill(layer) == first
    (layer / "silent-0.1.dist-info/METADATA").write_text("Metadata-Version: 2.4\nName: silent\nVersion: 0.2\n")
    assert bill(layer)["serialNumber"] != first["serialNumber"]


def test_a_package_in_an_untested_version_is_told(layer: Path) -> None:
    assert untested(layer, "some-package==1.2\nOlder==2.9\nsilent==0.1\n") == ["older==3.0"]
    assert untested(layer, "some.package==1.2\nolder==3.0\n") == ["silent==0.1"]
