"""The file that lists the agents: what it may say, what it means, and what is refused."""

import copy
from pathlib import Path
from typing import Any, get_args

import pytest
import yaml
from pydantic import ValidationError
from samtranslator.yaml_helper import yaml_parse

from tests.support.log_lines import LogLines
from tests.support.paths import ROOT
from tools import make_bundled
from yarrow.agents import bindings, deployment_checks, descriptors, system_agents
from yarrow.agents.descriptors import SystemAgentsError
from yarrow.agents.policies import ResourcePolicy, RuntimeConfig
from yarrow.agents.system_agents import SystemAgent
from yarrow.packages import declared
from yarrow.protocol.problems import Problem
from yarrow.protocol.runner import api, vocabulary
from yarrow.protocol.runner.api import ToolDetail
from yarrow.services.tools.builtin import TOOLS
from yarrow.services.tools.names import NAMES
from yarrow.settings import Settings, settings
from yarrow.worker.invocation.registry import registry

TITLE = {"type": "object", "properties": {"title": {"type": "string"}}}
DETAIL = ToolDetail(tool_name="calendar_write", description="", parameters=TITLE)
BLOCK: dict[str, Any] = {"runner": "plugin:acme/echo/default", "modes": {"chat": {}}}


def load(tmp_path: Path, text: str) -> Any:
    path = tmp_path / "system_agents.yaml"
    path.write_text(text, encoding="utf-8")
    return system_agents.load(path)


def agent(**members: Any) -> SystemAgent:
    return SystemAgent.model_validate({**copy.deepcopy(BLOCK), **members})


def test_the_agents_of_the_file_have_runners_that_are_there() -> None:
    """AUT-05: and use no tool that is not there."""
    runners = {manifest.id for manifest in registry.list_agent_runners().runners}
    agents = system_agents.load()
    assert {agent.runner for agent in agents.values()} <= runners
    deployment_checks.check_tools(agents, TOOLS.detail)


def test_the_names_of_the_tools_are_those_that_are_registered() -> None:
    """TOOL-05: the list that a submit reads."""
    assert TOOLS.names == NAMES


def test_the_bindings_are_the_agents_of_the_file() -> None:
    """AUT-05: read when a function starts, and bound to rules that are there."""
    assert bindings.deployed() == bindings.bind(system_agents.load())
    assert {name: binding.policy for name, binding in bindings.deployed().items()} == system_agents.load()


def test_the_descriptors_of_the_bundled_agents_are_those_of_their_file() -> None:
    """AUT-05: If it fails, run `python -m tools.make_bundled`."""
    assert declared.INDEX.read_text(encoding="utf-8") == make_bundled.index()
    assert descriptors.FILE.read_text(encoding="utf-8") == make_bundled.agents_file()
    described = {name: system_agent.descriptor(name) for name, system_agent in system_agents.load().items()}
    assert descriptors.bundled() == described


def test_what_the_file_says_of_a_block_is_a_block_that_can_be_copied(tmp_path: Path) -> None:
    """AUT-05: the comment shows every member there is."""
    comment = [line.removeprefix("#   ") for line in descriptors.FILE.read_text(encoding="utf-8").splitlines()]
    shown = "\n".join(comment[comment.index(next(line for line in comment if line.startswith("<name>"))) :])
    block = shown[: shown.index("\n\nagents:")].replace("<name>:", "agents:\n  copied:", 1)
    block = block.replace("plugin:author/name/runner", BLOCK["runner"]).replace("[a]", "[calendar_read]")
    block = "\n".join(line if line.startswith(("agents", "  copied")) else "  " + line for line in block.splitlines())
    copied = load(tmp_path, block)["copied"]
    assert set(yaml.safe_load(block)["agents"]["copied"]) == set(SystemAgent.model_fields)
    assert [model.operations for model in copied.resources.models][1] == ("invoke",)
    assert copied.resources.platform_actions[0].approved


def test_what_is_left_out_allows_nothing() -> None:
    """RNR-08: but state of the conversation and the user, which is the runner's own."""
    plain = agent()
    assert plain.resources == ResourcePolicy()
    assert not any(value for _, value in plain.resources)
    assert plain.state.scopes == ("conversation", "actor")
    assert (plain.delivery.surface, plain.delivery.streaming, plain.stages) == ("agui", True, ("worker",))


def test_an_entry_of_a_list_is_an_id_or_says_what_may_be_done_with_it() -> None:
    """RNR-08."""
    listed = agent(resources={"models": ["default", {"id": "cheap", "operations": ["invoke"]}], "tools": ["a"]})
    assert [(model.id, model.operations) for model in listed.resources.models] == [
        ("default", ("invoke", "stream", "rerank")),
        ("cheap", ("invoke",)),
    ]
    assert listed.resources.tools[0].operations == ("detail", "call")


@pytest.mark.parametrize(
    ("members", "fault"),
    [
        ({"runner": "echo"}, "runner"),
        ({"modes": {}}, "modes"),
        ({"modes": {"dream": {}}}, "modes.dream"),
        ({"stages": []}, "stages"),
        ({"stages": ["worker", "worker"]}, "stages names worker twice"),
        ({"colour": "red"}, "colour: Extra inputs"),
        ({"resources": {"models": [{"id": "m", "operations": ["train"]}]}}, "operations"),
        ({"resources": {"models": [{"id": "m", "operations": []}]}}, "operations"),
        ({"resources": {"models": ["m", "m"]}}, "models names m twice"),
        ({"resources": {"tools": ["t", {"id": "t"}]}}, "tools names t twice"),
        ({"resources": {"knowledge_bases": ["k", "k"]}}, "knowledge_bases names k twice"),
        ({"resources": {"platform_actions": [{"action": "a"}, {"action": "a"}]}}, "platform_actions names a twice"),
        ({"resources": {"history": ["all"]}}, "history"),
        ({"resources": {"storage": ["everything"]}}, "storage"),
        ({"state": {"scopes": ["world"]}}, "scopes"),
        ({"delivery": {"max_message_size": 0}}, "max_message_size"),
        ({"modes": {"chat": {"enabled_tools": ["t"]}}}, r"chat\.enabled_tools\[0\]: resources\.tools does not list t"),
        ({"modes": {"chat": {"context": {"window_mode": "week", "window_count": 1}}}}, "window_mode"),
        ({"modes": {"chat": {"context": {"window_mode": "day", "window_count": 0}}}}, "window_count"),
        ({"modes": {"automation": {"enabled_tools": []}}}, "come from its job"),
        ({"modes": {"automation": {"context": {"window_mode": "day", "window_count": 1}}}}, "come from its job"),
        ({"implied_by": {"runtime_modes": ["follow_up"]}}, "not among its modes"),
        ({"config": {"backend": [{"API_KEY": "x"}]}}, "config.API_KEY looks like a secret"),
        ({"config": {"accessToken": "x"}}, "looks like a secret"),
        ({"modes": {"chat": {"config": {"password": "x"}}}}, "looks like a secret"),
    ],
)
def test_a_block_that_breaks_a_rule_is_refused_with_its_place(
    tmp_path: Path, members: dict[str, Any], fault: str
) -> None:
    """AUT-05, RNR-26."""
    text = yaml.safe_dump({"agents": {"echo": {**BLOCK, **members}}})
    with pytest.raises(SystemAgentsError, match=fault) as caught:
        load(tmp_path, text)
    assert "agents.echo" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "valid dictionary"),
        ("agents: {}", "agents"),
        ("agents: [", r"^line 2: [^\n]+ expected [^\n]+$"),
        ("agents: \0", r"^[^\n]+control characters are not allowed[^\n]+$"),
        ("agents:\n  Echo: {runner: 'plugin:a/b/c', modes: {chat: {}}}", "agents.Echo"),
        ("agents:\n  a: {runner: x}\n  b: {runner: y}\n  a: {runner: z}", "line 4: a is repeated"),
        ("agents:\n  a: {runner: 'plugin:a/b/c', modes: {chat: {}}, runner: x}", "line 2: runner is repeated"),
        ("agents:\n  a: {runner: 'plugin:a/b/c', modes: {chat: {}}, config: {since: 2026-04-03}}", "since"),
        ("agents: !!python/object/apply:os.getcwd []", "could not determine a constructor"),
    ],
)
def test_a_file_that_is_none_or_says_something_twice_is_refused(tmp_path: Path, text: str, fault: str) -> None:
    """AUT-05."""
    with pytest.raises(SystemAgentsError, match=fault):
        load(tmp_path, text)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    """AUT-05."""
    with pytest.raises(SystemAgentsError, match=r"^cannot be read: No such file or directory$"):
        system_agents.load(tmp_path / "nowhere.yaml")


@pytest.mark.parametrize(
    ("implied", "fault"),
    [
        ({"runtime_modes": ["chat"]}, "runtime_modes names chat twice"),
        ({"forwarded_props": ["cards"]}, "forwarded_props names cards twice"),
    ],
)
def test_two_agents_that_one_run_could_mean_are_refused(tmp_path: Path, implied: dict[str, Any], fault: str) -> None:
    """RNR-86: The binding is ambiguous."""
    block = {**BLOCK, "implied_by": implied}
    with pytest.raises(SystemAgentsError, match=fault):
        load(tmp_path, yaml.safe_dump({"agents": {"one": block, "two": copy.deepcopy(block)}}))


def test_an_unknown_tool_is_told() -> None:
    """AUT-05: It is reported before any run."""
    agents = {"echo": agent(resources={"tools": ["calendar_write", "calender_read"]})}
    deployment_checks.check_tools(agents, {"calendar_write": DETAIL, "calender_read": DETAIL}.get)
    place = r"^agents\.echo\.resources\.tools\[1\]: there is no tool calender_read$"
    with pytest.raises(SystemAgentsError, match=place):
        deployment_checks.check_tools(agents, {"calendar_write": DETAIL, "calendar_read": DETAIL}.get)


@pytest.mark.parametrize(
    ("policy", "fault"),
    [
        ({"approval": {"when": {"titel": {"const": "x"}}}}, "when.titel is no parameter of the tool"),
        ({"approval": {"when": {"title": {"pattern": "x"}}}}, "when.title has the keyword pattern"),
        ({"approval": {"when": {"title": {"type": "text"}}}}, "when.title is not valid"),
    ],
)
def test_an_approval_that_does_not_fit_its_tool_is_told(policy: dict[str, Any], fault: str) -> None:
    """ASK-06: a condition that could never match would ask nobody."""
    agents = {"echo": agent(resources={"tools": [{"id": "calendar_write", **policy}]})}
    with pytest.raises(SystemAgentsError, match=rf"^agents\.echo\.resources\.tools\[0\]: {fault}"):
        deployment_checks.check_tools(agents, {"calendar_write": DETAIL}.get)


def test_edits_are_offered_only_for_schemas_that_can_be_checked() -> None:
    agents = {"echo": agent(resources={"tools": [{"id": "t", "approval": "always", "allow_edit": True}]})}
    plain = {"type": "object", "properties": {"at": {"$ref": "#/$defs/At"}}, "$defs": {"At": {"type": "string"}}}
    deployment_checks.check_tools(agents, {"t": ToolDetail(tool_name="t", description="", parameters=plain)}.get)
    hard = {"type": "object", "properties": {"at": {"type": "string", "pattern": "^x"}}}
    with pytest.raises(SystemAgentsError, match="allow_edit"):
        deployment_checks.check_tools(agents, {"t": ToolDetail(tool_name="t", description="", parameters=hard)}.get)


@pytest.mark.parametrize(
    "tool",
    [
        {"approval": "sometimes"},
        {"approval": {"when": {}}},
        {"approval": {"when": {"a": "b"}}},
        {"approval": {"unless": {"a": {}}}},
        {"allow_edit": True},
        {"approval": "never", "allow_edit": True},
    ],
)
def test_an_approval_that_means_nothing_is_refused(tool: dict[str, Any]) -> None:
    """ASK-06."""
    with pytest.raises(ValidationError):
        agent(resources={"tools": [{"id": "calendar_write", **tool}]})


@pytest.mark.parametrize("models", [{}, {"a": None}, {"a": "bedrock:x", "c": "bedrock:y"}])
def test_agents_whose_models_are_there_pass(models: dict[str, str | None]) -> None:
    """AUT-05, RNR-52: where none is configured a script answers, and one without a stand-in is left out."""
    deployment_checks.check_models({"echo": agent(resources={"models": ["a", {"id": "b", "stand_in": False}]})}, models)


def test_an_unknown_model_is_told() -> None:
    """AUT-05: before any run, which would find that there is no such model."""
    agents = {"echo": agent(resources={"models": ["chat", "chatt"]})}
    with pytest.raises(SystemAgentsError, match=r"^agents\.echo needs chatt, not in Models \(MODELS\): chat, x$"):
        deployment_checks.check_models(agents, {"x": "bedrock:x", "chat": None})


def test_a_function_that_cannot_start_logs_why(monkeypatch: pytest.MonkeyPatch) -> None:
    """AUT-05: nothing else tells, for the runtime has no words for it."""
    monkeypatch.setitem(settings.__dict__, "system_agents", Path("mine.yaml"))
    with LogLines.captured() as log, pytest.raises(SystemAgentsError, match=r"^mine\.yaml: has no agent nobody "):
        bindings.check_default("nobody")
    (line,) = log.records
    assert (line["level"], line["message"]) == ("CRITICAL", "the agents cannot be used")
    assert line["reason"].startswith("mine.yaml: has no agent nobody ")


def test_the_default_agent_of_the_template_is_there() -> None:
    """C36: The same holds for AG-UI clients."""
    parameters = yaml_parse((ROOT / "template.yaml").read_text("utf-8"))["Parameters"]
    for name in ("DefaultAgent", "AguiAgent"):
        bindings.check_default(parameters[name]["Default"])


def test_a_deployment_may_have_no_default_agent(monkeypatch: pytest.MonkeyPatch) -> None:
    """C36: a run has to name its agent then."""
    monkeypatch.delenv("DEFAULT_AGENT", raising=False)
    assert Settings().default_agent == ""
    bindings.check_default("")
    with pytest.raises(Problem, match="unknown agent"):
        bindings.for_mode("chat", "")


@pytest.mark.parametrize(("models", "left"), [({}, ["a"]), ({"b": None}, ["a"]), ({"b": "bedrock:x"}, ["a", "b"])])
def test_a_model_that_may_not_be_stood_in_for_needs_one(models: dict[str, str | None], left: list[str]) -> None:
    """DIV-34, RNR-25: an agent that does without is not given a script."""
    served = agent(resources={"models": ["a", {"id": "b", "stand_in": False}]}).served_by(models)
    assert [model.id for model in served.resources.models] == left


WINDOW = {"source": "latest_chat", "window_mode": "number", "window_count": 5}
MODAL = agent(
    resources={"tools": ["a", "b"]},
    modes={"chat": {"context": WINDOW}, "follow_up": {"enabled_tools": ["b"]}, "automation": {"config": {"depth": 2}}},
    config={"depth": 1, "tone": "plain"},
)
JOB = RuntimeConfig.model_validate({"enabled_tools": ["a"], "context": {"window_mode": "day", "window_count": 1}})


@pytest.mark.parametrize(
    ("mode", "job", "expected"),
    [
        ("chat", None, {"enabled_tools": ["a", "b"], "context": WINDOW}),
        ("chat", JOB, {"enabled_tools": ["a", "b"], "context": WINDOW}),
        ("follow_up", None, {"enabled_tools": ["b"]}),
        ("automation", JOB, JOB.model_dump()),
        ("automation", None, {}),
    ],
)
def test_tools_and_context_come_from_the_file_but_from_the_job_in_automation(
    mode: Any, job: RuntimeConfig | None, expected: dict[str, Any]
) -> None:
    """FWD-12, FWD-11, AUT-04: without a job there are none."""
    assert MODAL.runtime_config(mode, job) == RuntimeConfig.model_validate(expected)


def test_a_mode_changes_members_of_the_config() -> None:
    """FWD-12."""
    assert MODAL.config_in("chat") == {"depth": 1, "tone": "plain"}
    assert MODAL.config_in("automation") == {"depth": 2, "tone": "plain"}


@pytest.mark.parametrize("name", ["max_tokens", "tokenizer", "secrecy", "keywords"])
def test_a_member_that_only_sounds_like_a_secret_may_stand_in_a_config(name: str) -> None:
    """RNR-26."""
    assert agent(config={name: 1}).config == {name: 1}


@pytest.mark.parametrize("name", ["StateScope", "StorageArea"])
def test_a_policy_and_the_api_know_the_same_words(name: str) -> None:
    """RNR-24, RNR-60."""
    assert get_args(getattr(api, name)) == get_args(getattr(vocabulary, name))
