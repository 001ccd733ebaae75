"""The layers: each function has what its code imports, and what is deployed is what was tested."""

import ast
import re
import subprocess
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from botocore.loaders import Loader
from botocore.model import Shape
from botocore.session import Session
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.support import layers
from tests.support.paths import ROOT
from tests.support.reachable_calls import reached_from

FUNCTIONS = layers.of_functions()
MODEL_CALLERS = {"agents", "execute_run", "runner_api"}
"""With what imports runners, which may need what they call models with."""
CONSTRAINTS = dict(line.split("==") for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").split())
REGIONS = ("eu-west-1", "cn-north-1", "us-gov-west-1")
PINS: dict[str, str] = {canonicalize_name(name): version for name, version in CONSTRAINTS.items()}


@cache
def projects() -> Mapping[str, list[str]]:
    """What is installed, by the packages it brings."""
    return packages_distributions()


@cache
def imported(module: str) -> frozenset[str]:
    """Return the top-level packages that a module of ours imports, wherever in it."""
    path = ROOT / module.replace(".", "/") if module.startswith("functions.") else _core(module)
    tree = ast.parse(path.with_suffix(".py").read_text(encoding="utf-8"))
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    names |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    return frozenset(name.partition(".")[0] for name in names)


def _core(module: str) -> Path:
    path = layers.LAYERS / "core" / module.replace(".", "/")
    return path / "__init__" if path.is_dir() else path


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_function_imports_only_what_its_layers_have(function: str) -> None:
    """Lazy imports too; `test_functions_on_lambda` starts each with its layers alone."""
    reached = {module for module, _ in reached_from(function)}
    needed = {
        canonicalize_name(project)
        for module in reached
        for name in imported(module)
        for project in projects().get(name, ())
    }
    ours = {name for layer in layers.folders().values() for name in layers.locked(layer)}
    has = {name for layer in FUNCTIONS[function] for name in layers.locked(layer)}
    assert needed & ours <= has


def test_only_what_calls_models_has_their_sdks() -> None:
    assert {name for name, own in FUNCTIONS.items() if "models" in own} == MODEL_CALLERS
    signing = {name for name, own in FUNCTIONS.items() if "identity" in own}
    assert signing == {"authorize", "authorize_workspace", "devices", "send_notifications"}
    assert {own[0] for own in FUNCTIONS.values()} == {"core"}


def test_no_layer_but_the_models_has_an_sdk_of_models() -> None:
    for layer in set(layers.folders().values()) - {"models"}:
        assert not {"openai", "pydantic-ai-slim", "tiktoken"} & layers.locked(layer).keys(), layer


@pytest.mark.parametrize("function", FUNCTIONS)
def test_the_layer_of_own_agents_comes_last(function: str) -> None:
    """Of two files with one name, the last layer's counts; a function has at most five layers."""
    names = layers.names_of_functions()[function]
    assert names[-1] == "AgentsLayer"
    assert len(names) <= 5


@pytest.mark.parametrize("layer", layers.folders().values())
def test_a_lock_has_what_the_requirements_need(layer: str) -> None:
    """`make lock` writes it. Another layer than the core repeats only what it names itself."""
    own = {canonicalize_name(requirement.name) for requirement in layers.requirements(layer)}
    needed = layers.closure(layers.requirements(layer))
    rest = set() if layer == "core" else layers.closure(layers.requirements("core")) - own
    assert set(layers.locked(layer)) == needed - rest


@pytest.mark.parametrize("layer", layers.folders().values())
def test_a_lock_has_the_tested_versions_with_hashes_and_no_address(layer: str) -> None:
    assert {name: PINS[name] for name in layers.locked(layer)} == layers.locked(layer)
    header, *lines = (layers.LAYERS / layer / "requirements.lock").read_text(encoding="utf-8").splitlines()
    assert header == "# Made by `make lock` from requirements.txt and constraints.txt."
    assert all(re.fullmatch(r"[a-z0-9-]+==[\w.]+ --hash=sha256:[0-9a-f]{64}", line) for line in lines)


def test_the_layers_ask_for_what_the_project_does() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    requests = [requirement for layer in layers.folders().values() for requirement in layers.requirements(layer)]
    assert sorted(str(request) for request in requests if request.name != "botocore") == sorted(
        str(Requirement(item)) for item in project
    )


def test_the_core_describes_the_services_of_which_there_are_clients() -> None:
    """What botocore brings of others is left out."""
    tree = ast.parse((ROOT / "layers/core/yarrow/store/clients.py").read_text(encoding="utf-8"))
    made = {
        node.args[0].value
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "create_client"
        and isinstance(node.args[0], ast.Constant)
    }
    assert made == layers.services()


@pytest.fixture(scope="module")
def trimmed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """botocore's data as the core layer has it."""
    data = tmp_path_factory.mktemp("botocore") / "data"
    layers.copy_botocore_data(data)
    return data


@pytest.mark.parametrize("service", sorted(layers.services()))
def test_a_client_of_the_core_is_as_any_other(trimmed: Path, service: str) -> None:
    """It has its operations and their shapes, and its endpoints in every partition."""

    def described(loader: Loader) -> object:
        session = Session()
        session.register_component("data_loader", loader)
        model = session.get_service_model(service)
        shapes = {name: _members(model.shape_for(name)) for name in model.shape_names}
        session.set_credentials("a", "b")
        clients = [session.create_client(service, region) for region in REGIONS]
        return (
            model.operation_names,
            shapes,
            [(client.meta.endpoint_url, client.meta.region_name) for client in clients],
        )

    assert described(Loader([str(trimmed)], include_default_search_paths=False)) == described(Loader())


def _members(shape: Shape) -> object:
    named = getattr(shape, "members", {})
    return shape.type_name, shape.metadata, {name: member.name for name, member in named.items()}


def test_a_layer_is_built_for_every_one_of_the_template() -> None:
    for name, folder in layers.folders().items():
        requests = ["make", "--dry-run", "--makefile", f"{layers.LAYERS / folder}/Makefile", f"build-{name}"]
        shown = subprocess.run(requests, capture_output=True, text=True, check=True).stdout
        assert "--require-hashes" in shown
        assert "manylinux_2_34_aarch64" in shown


def test_the_record_of_the_layers_names_what_they_are() -> None:
    """Functions and services as in the template; sizes within a tenth, where a package is built."""
    page = (ROOT / "docs/decisions/layers.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(\w+)`: [^|]+\| ([^|]+) \| [\d.]+ MB \|", page, re.M))
    named = {layer: set(re.findall(r"`(\w+)`", functions)) or set(FUNCTIONS) for layer, functions in rows.items()}
    wanted = {layer: {name for name, own in FUNCTIONS.items() if layer in own} for layer in layers.folders().values()}
    assert named == wanted
    assert f"keeps the {len(layers.services())} services" in page
    sizes = dict(re.findall(r"^\| `(\w+)`: [^|]+\| [^|]+ \| ([\d.]+) MB \|", page, re.M))
    for name, layer in layers.folders().items():
        built = ROOT / ".aws-sam/build" / name
        if built.exists():
            size = sum(file.stat().st_size for file in built.rglob("*") if file.is_file()) / 1e6
            assert size == pytest.approx(float(sizes[layer]), rel=0.1), layer
