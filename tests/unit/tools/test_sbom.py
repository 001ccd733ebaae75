"""The bill of materials: what is in the built layer, said so that scanners understand it."""

from pathlib import Path

import pytest

from tools.make_sbom import CYCLONEDX, bill, untested

needs_cyclonedx = pytest.mark.skipif(not CYCLONEDX.exists(), reason="needs what lists packages: make cyclonedx")


@pytest.fixture
def layer(tmp_path: Path) -> Path:
    for name, version, says in (
        ("Some_Package", "1.2", "License-Expression: MIT"),
        ("older", "3.0", "Classifier: License :: OSI Approved :: BSD License"),
        ("silent", "0.1", "Summary: says nothing of its licence"),
        ("mangum", "0.22.0", "Classifier: License :: OSI Approved :: MIT License\nRequires-Dist: some-package"),
    ):
        folder = tmp_path / f"{name}-{version}.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(f"Metadata-Version: 2.4\nName: {name}\nVersion: {version}\n{says}\n")
    return tmp_path


@needs_cyclonedx
def test_every_package_is_listed_with_its_address_and_licence(layer: Path) -> None:
    """Those of the layer, and none of the interpreter that makes the bill."""
    made = bill([layer])
    assert (made["bomFormat"], made["specVersion"]) == ("CycloneDX", "1.6")
    licences = {
        component["purl"]: [
            licence["license"].get("id") or licence["license"]["name"] for licence in component.get("licenses", [])
        ]
        for component in made["components"]
    }
    assert licences == {
        "pkg:pypi/some-package@1.2": ["MIT"],
        "pkg:pypi/older@3.0": ["License :: OSI Approved :: BSD License"],
        "pkg:pypi/silent@0.1": [],
        "pkg:pypi/mangum@0.22.0": ["MIT"],
    }


@needs_cyclonedx
def test_it_says_which_package_requires_which(layer: Path) -> None:
    made = bill([layer], validated=False)
    names = {
        component["bom-ref"]: component["name"] for component in [made["metadata"]["component"], *made["components"]]
    }
    requires = {
        names[dependency["ref"]]: [names[ref] for ref in dependency.get("dependsOn", [])]
        for dependency in made["dependencies"]
    }
    assert requires["yarrow"] == ["mangum"]
    assert requires["mangum"] == ["Some_Package"]


@needs_cyclonedx
def test_packages_of_several_layers_make_one_bill(layer: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    other = tmp_path_factory.mktemp("other")
    (layer / "silent-0.1.dist-info").rename(other / "silent-0.1.dist-info")
    assert "pkg:pypi/silent@0.1" not in {
        component["purl"] for component in bill([layer], validated=False)["components"]
    }
    assert len(bill([layer, other], validated=False)["components"]) == 4
    assert untested([layer, other], "some-package==1.2\nolder==3.0\nmangum==0.22.0\n") == ["silent==0.1"]


@needs_cyclonedx
def test_the_same_packages_make_the_same_bill(layer: Path) -> None:
    first = bill([layer], validated=False)
    assert bill([layer], validated=False) == first
    (layer / "silent-0.1.dist-info/METADATA").write_text("Metadata-Version: 2.4\nName: silent\nVersion: 0.2\n")
    assert bill([layer], validated=False)["serialNumber"] != first["serialNumber"]


def test_a_package_in_an_untested_version_is_told(layer: Path) -> None:
    others = "mangum==0.22.0\n"
    assert untested([layer], others + "some-package==1.2\nOlder==2.9\nsilent==0.1\n") == ["older==3.0"]
    assert untested([layer], others + "some.package==1.2\nolder==3.0\n") == ["silent==0.1"]
