"""Which runners are found, which are not, and which of several is meant."""

import asyncio
import importlib.metadata
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import pytest

from tests.support.run_contexts import no_api, run_context
from yarrow.protocol.runner.manifest import AgentRunnerManifest, AgentRunnerPermissions, ListAgentRunnersResponse
from yarrow.protocol.runner.models import AgentRunner, InstalledRunner
from yarrow.runners import discovery
from yarrow.runners.discovery import Candidate, RejectedRunner, Source
from yarrow.worker.invocation.registry import Registry, RunnerNotFoundError, _isolated_entry_points, registry
from yarrow.worker.runner_loop import RunnerFailedError, read_results
from yarrow_agents.divination.runner import RUNNER, DivinationRunner

ECHO = "plugin:acme/echo/default"


def installed(runner_id: str = ECHO, **members: Any) -> InstalledRunner:
    manifest = AgentRunnerManifest(id=runner_id, name="default", label={"en_US": "Echo"}, **members)
    return InstalledRunner(manifest=manifest, create=DivinationRunner)


def offering(*offers: object) -> Source:
    """A source with candidates named a, b, c …; an exception is raised on loading it."""

    def load(offer: object) -> object:
        if isinstance(offer, Exception):
            raise offer
        return offer

    def source() -> Iterator[Candidate]:
        for name, offer in zip("abcdef", offers, strict=False):
            yield Candidate(name, partial(load, offer))

    return source


def ids(request: Registry) -> list[str]:
    return [manifest.id for manifest in request.list_agent_runners().runners]


@pytest.fixture
def warned(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    events: list[dict[str, Any]] = []
    monkeypatch.setattr("yarrow.worker.invocation.registry.logger.warning", lambda _, extra: events.append(extra))
    return events


def test_the_runners_of_yarrow_and_of_others_are_listed() -> None:
    """RNR-01, RNR-02: Those of Yarrow come first."""
    listed = Registry(offering(installed())).list_agent_runners()
    assert [runner.id for runner in listed.runners] == [*discovery.BUILT_IN, ECHO]
    assert ListAgentRunnersResponse.model_validate_json(listed.model_dump_json()) == listed


@pytest.mark.parametrize(("runner_id", "place"), discovery.BUILT_IN.items())
def test_a_runner_of_yarrow_is_named_by_its_own_id(runner_id: str, place: str) -> None:
    """RNR-02: which is how it is found without loading the others."""
    assert discovery.checked(resolve_name(place)).manifest.id == runner_id
    assert registry.find(runner_id).manifest.id == runner_id


def test_others_are_not_looked_for_when_yarrow_has_the_runner() -> None:
    """RNR-01: a cold start does not wait for them."""

    def never() -> Iterator[Candidate]:
        pytest.fail("looked for others")
        yield

    found = Registry(never).find("plugin:yarrow/divination/default")
    assert isinstance(found.create(), DivinationRunner)


def raises() -> AgentRunner:
    raise ValueError("secret")


def exits() -> AgentRunner:
    raise SystemExit


def makes_nothing() -> Any:
    return None


@pytest.mark.parametrize("create", [raises, exits, makes_nothing])
def test_an_installed_runner_that_cannot_be_made_fails_its_run(
    create: Callable[[], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """RNR-40, RNR-72: in its own thread, where it holds up nobody."""
    offered = InstalledRunner(installed().manifest, create)
    monkeypatch.setattr(discovery, "entry_points", offering(offered))
    runner = Registry(_isolated_entry_points).find(ECHO).create()

    async def take(_: object) -> bool:
        return False

    with pytest.raises(RunnerFailedError) as failed:
        asyncio.run(read_results(runner, run_context("run"), no_api("run"), take))
    assert (failed.value.code, failed.value.message) == ("runner.error", "the agent failed")


def test_others_are_looked_for_once() -> None:
    """RNR-01: what was found is kept."""
    requests = []

    def counting() -> Iterator[Candidate]:
        requests.append(1)
        return iter(list(offering(installed())()))

    several = Registry(counting)
    assert several.find(ECHO) is several.find(ECHO)
    assert len(requests) == 1


@pytest.mark.parametrize("key", [ECHO, "echo", "something else"])
def test_only_the_runner_that_is_asked_for_is_imported(key: str) -> None:
    """RNR-01: by the name of its entry point; if that says nothing, others are tried after all that it may be."""
    imported: list[str] = []

    def load(name: str, runner_id: str) -> InstalledRunner:
        imported.append(name)
        return installed(runner_id)

    def packages() -> Iterator[Candidate]:
        yield Candidate("heavy", partial(load, "heavy", "plugin:acme/heavy/default"), "heavy")
        yield Candidate("echo", partial(load, "echo", ECHO), key)

    def functions() -> Iterator[Candidate]:
        for name in ("remote", "other"):
            runner_id = f"plugin:acme/{name}/default"
            yield Candidate(name, partial(load, name, runner_id), runner_id)

    several = Registry(packages, functions)
    for _ in range(2):
        assert several.find(ECHO).manifest.id == ECHO
        assert imported == (["heavy", "echo"] if key == "something else" else ["echo"])
    imported.clear()
    assert Registry(packages, functions).find("plugin:acme/remote/default").manifest.name == "default"
    assert imported == ["remote"]


@pytest.mark.parametrize(
    ("offer", "reason"),
    [
        (ImportError("no module named acme"), "ImportError: no module named acme"),
        (AttributeError("RUNNER"), "AttributeError"),
        (RuntimeError("at import"), "RuntimeError"),
        (DivinationRunner, "not an InstalledRunner"),
        (None, "not an InstalledRunner"),
        (InstalledRunner(manifest={"id": ECHO}, create=DivinationRunner), "not an AgentRunnerManifest"),  # type: ignore[arg-type]
        (
            InstalledRunner(manifest=AgentRunnerManifest.model_construct(id="echo"), create=DivinationRunner),
            "ValidationError",
        ),
        (
            InstalledRunner(
                manifest=AgentRunnerManifest.model_construct(
                    **{
                        **dict(installed().manifest),
                        "permissions": AgentRunnerPermissions.model_construct(models=("own",)),
                    }
                ),
                create=DivinationRunner,
            ),
            "permissions.models",
        ),
        (installed(metadata={"icon": object()}), "Serialization"),
    ],
)
def test_a_runner_that_is_none_is_skipped_with_a_warning_and_the_others_are_listed(
    warned: list[dict[str, Any]], offer: object, reason: str
) -> None:
    """RNR-03: it does not load, or its manifest is not valid."""
    assert ids(Registry(offering(offer, installed()))) == [*discovery.BUILT_IN, ECHO]
    (output,) = warned
    assert output["runner"] == "a"
    assert reason in output["reason"]


def test_the_first_of_two_runners_with_one_id_is_meant_and_the_other_is_rejected(warned: list[dict[str, Any]]) -> None:
    """RNR-03: the warning names both."""
    first, second = installed(), installed()
    found = Registry(offering(first, second))
    assert found.find(ECHO).manifest == first.manifest
    assert ids(found) == [*discovery.BUILT_IN, ECHO]
    assert warned == [{"runner": "b", "reason": f"{ECHO} is already the id of a"}]


def test_no_package_takes_the_place_of_a_runner_of_yarrow(warned: list[dict[str, Any]]) -> None:
    """RNR-03."""
    impostor = InstalledRunner(manifest=RUNNER.manifest, create=lambda: pytest.fail("called"))
    several = Registry(offering(impostor))
    assert ids(several) == list(discovery.BUILT_IN)
    assert isinstance(several.find(RUNNER.manifest.id).create(), DivinationRunner)
    assert [item["runner"] for item in warned] == ["a"]


@pytest.mark.parametrize("runner_id", ["plugin:acme/none/default", "", "divination"])
def test_a_runner_that_is_not_there_is_not_found(runner_id: str) -> None:
    """RNR-13: the error names it."""
    with pytest.raises(RunnerNotFoundError) as caught:
        Registry(offering(installed())).find(runner_id)
    assert caught.value.runner_id == runner_id


def test_installed_packages_offer_runners_as_entry_points(monkeypatch: pytest.MonkeyPatch) -> None:
    """RNR-01, RNR-03: in the group `yarrow.runners`, in an order that does not depend on the installation."""
    good = importlib.metadata.EntryPoint("zeta", "yarrow_agents.divination.runner:RUNNER", discovery.ENTRY_POINTS)
    bad = importlib.metadata.EntryPoint("alpha", "yarrow.nowhere:RUNNER", discovery.ENTRY_POINTS)
    requests: list[str] = []

    def entry_points(*, group: str) -> list[importlib.metadata.EntryPoint]:
        requests.append(group)
        return [good, bad]

    monkeypatch.setattr(importlib.metadata, "entry_points", entry_points)
    found = list(discovery.discover([discovery.entry_points]))
    assert requests == ["yarrow.runners"]
    assert isinstance(found[0], RejectedRunner)
    assert found[0].name == "alpha = yarrow.nowhere:RUNNER"
    assert isinstance(found[1], InstalledRunner)
    assert found[1].manifest.id == RUNNER.manifest.id


@pytest.mark.parametrize(
    "runner_id",
    [
        "acme/echo/default",
        "plugin:acme/echo",
        "plugin:acme/echo/default/more",
        "plugin://default",
        "plugin:acme//default",
        "plugin:acme/echo/",
        "plugin:acme/ec ho/default",
        "plugin:acme/echo/default\n",
        "plugin:" + "a" * 250 + "/e/d",
    ],
)
def test_an_id_has_three_parts_that_are_not_empty(runner_id: str) -> None:
    """RNR-02."""
    with pytest.raises(ValueError, match="id"):
        installed(runner_id)


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A package with a runner that cannot be imported, and says when it is."""
    (tmp_path / "heavy.py").write_text("print('imported')\nraise ImportError('no framework')\n")
    metadata = tmp_path / "heavy-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: heavy\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text("[yarrow.runners]\nheavy = heavy:RUNNER\n")
    return tmp_path


def run(*arguments: str, site: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "yarrow.runners", *arguments]
    environment = os.environ | ({} if site is None else {"PYTHONPATH": str(site)})
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


def test_the_command_lists_the_runners_and_imports_none(site: Path) -> None:
    """RNR-01."""
    header, *rows = run(site=site).stdout.splitlines()
    assert header.split() == ["runner", "found", "in"]
    assert [row.split()[0] for row in rows] == [*discovery.BUILT_IN, "heavy"]
    assert rows[-1].split()[1] == "heavy:RUNNER"


def test_the_command_says_what_one_runner_can_do_or_why_it_is_none(site: Path) -> None:
    """RNR-01, RNR-03: by its name or its id; it imports no other."""
    for name in ("divination", RUNNER.manifest.id):
        header, row = run(name, site=site).stdout.splitlines()
        assert header.split()[:2] == ["id", "label"]
        assert row.split()[0] == RUNNER.manifest.id
    failed = run("heavy", site=site)
    assert failed.returncode == 1
    assert failed.stderr == "not used: heavy = heavy:RUNNER: ImportError: no framework\n"
    assert run("nobody", site=site).stderr == "there is no runner nobody\n"


def test_the_command_prints_the_response() -> None:
    """RNR-01."""
    response = ListAgentRunnersResponse.model_validate(json.loads(run("--json").stdout))
    assert [runner.id for runner in response.runners][: len(discovery.BUILT_IN)] == list(discovery.BUILT_IN)


def test_the_create_of_a_runner_makes_one_for_each_run() -> None:
    """RNR-01: No run shares what another one's runner holds."""
    create: Callable[[], AgentRunner] = registry.find(RUNNER.manifest.id).create
    assert create() is not create()
