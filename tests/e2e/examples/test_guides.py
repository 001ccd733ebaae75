"""The recipes on the local stack: a tool with its approval, structured output, an MCP server's tool, a sign-in."""

import json
import re
import socket
import subprocess
import sys
import uuid
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from tests.support.functions.emulated_aws import served
from tests.support.guides import SHELF, block, package
from tests.support.paths import ROOT
from tests.support.stack.app import App
from tests.support.stack.entry_points import python_path
from tests.support.stack.process import running
from tests.support.stack.runs import submit


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield a stack with the agents of three pages; the MCP server is that of its page if `mcp` is installed."""
    folder = tmp_path_factory.mktemp("guides")
    shop, triage, weather = (package(name, folder) for name in ("tool", "structured-output", "mcp-server-tools"))
    approval = shown("approval", "yaml")[0].split("tools:\n")[1]
    blocks = (shop / "agent.yaml").read_text(encoding="utf-8").replace("tools: [refund]\n", f"tools:\n{approval}")
    blocks += (triage / "agent.yaml").read_text(encoding="utf-8")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        blocks += (weather / "agent.yaml").read_text(encoding="utf-8").replace(":8001/", f":{port}/")
        agents = folder / "agents.yaml"
        bundled = (ROOT / "layers/core/system_agents.yaml").read_text(encoding="utf-8")
        agents.write_text(bundled + blocks, encoding="utf-8")
        environment = {
            "PYTHONPATH": python_path(folder, shop, triage),
            "SYSTEM_AGENTS": str(agents),
            "MODELS": "",
        }
        try:
            names: dict[str, Any] = {"__name__": "server"}
            exec((weather / "server.py").read_text(encoding="utf-8"), names)  # noqa: S102 (a page of this repository)
        except ModuleNotFoundError:
            with running(environment=environment) as url:
                yield url
        else:
            with served(names["server"].streamable_http_app(), listener), running(environment=environment) as url:
                yield url


def shown(page: str, language: str) -> list[str]:
    text = (SHELF / f"{page}.md").read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def message(page: str) -> tuple[str, str]:
    """Return the agent and the message of a page's `yarrow chat`."""
    ((agent, text),) = re.findall(r"yarrow chat --agent (\w+) '(.*?)'", "".join(shown(page, "sh")))
    return agent, text


@pytest.fixture
def alice(url: str) -> Iterator[App]:
    app = App(url, f"alice-{uuid.uuid4()}")
    yield app
    app.http.close()


def events_of(app: App, agent: str, text: str) -> list[dict[str, Any]]:
    thread = str(uuid.uuid4())
    submit(app, agent, thread, "run-1", text)
    return [event for _, _, event in app.watch(thread, "run-1")]


def result_of(events: list[dict[str, Any]]) -> Any:
    assert events[-1]["type"] == "RUN_FINISHED", events[-1]
    (result,) = (event for event in events if event["type"] == "TOOL_CALL_RESULT")
    return json.loads(result["content"])


def test_a_small_refund_happens_at_once(alice: App) -> None:
    """The condition does not match it."""
    assert result_of(events_of(alice, *message("tool"))) == {"order": "A-7", "refunded": 20}


@pytest.mark.parametrize(
    ("number", "result"),
    [
        (0, {"order": "A-7", "refunded": 110}),
        (1, {"order": "A-7", "refunded": 100}),
        (2, {"approved": False, "reason": "too much"}),
    ],
)
def test_a_large_refund_waits_for_each_of_the_answers_of_the_page(
    alice: App, number: int, result: dict[str, Any]
) -> None:
    events = events_of(alice, *message("approval"))
    assert "TOOL_CALL_RESULT" not in [event["type"] for event in events]
    (interrupt,) = events[-1]["outcome"]["interrupts"]
    assert interrupt["metadata"]["toolName"] == "refund"
    assert interrupt["metadata"]["arguments"] == {"order": "A-7", "amount": 110}
    answer = json.loads(shown("approval", "json")[0].splitlines()[number])
    accepted = alice.http.post(f"/api/v1/agent/interrupts/{interrupt['id']}", json=answer)
    assert accepted.status_code == 202, accepted.text
    went_on = [event for _, _, event in alice.watch(accepted.json()["threadId"], accepted.json()["runId"])]
    assert result.items() <= result_of(went_on).items()


def test_the_output_is_in_the_events_and_the_history(alice: App) -> None:
    thread = str(uuid.uuid4())
    submit(alice, "triage", thread, "run-1", "I want my money back")
    events = [event for _, _, event in alice.watch(thread, "run-1")]
    assert events[-1]["type"] == "RUN_FINISHED", events[-1]
    (end,) = (event for event in events if event["type"] == "TEXT_MESSAGE_END")
    (answer,) = (one for one in alice.history(threadId=thread)["messages"] if one["role"] == "assistant")
    assert {"topic", "urgent", "summary"} <= end.keys()
    assert {"topic", "urgent", "summary"} <= answer["agent_output"].keys()


def test_the_tool_of_the_mcp_server_is_called(alice: App) -> None:
    pytest.importorskip("mcp.server", reason="needs the package mcp: make frameworks")
    assert "Sun in Bergen." in json.dumps(result_of(events_of(alice, *message("mcp-server-tools"))))


def test_a_sign_in_goes_as_the_page_says(url: str) -> None:
    """At the local issuer, which redirects to the console: the page's requests, and a token that the API takes."""
    names: dict[str, Any] = {}
    exec(block("device-sign-in", "pkce"), names)  # noqa: S102 (a page of this repository)
    known = {"CHALLENGE": names["challenge"], "STATE": names["state"], "NONCE": names["nonce"]}
    with httpx.Client() as browser:
        issuer = browser.get(f"{url}/local/.well-known/openid-configuration").json()
        asked = form(block("device-sign-in", "authorize"), known) | {"redirect_uri": f"{url}/"}
        who = {"as_name": "alice", "as_locale": "en", "as_zoneinfo": "Europe/London"}
        redirect = browser.post(issuer["authorization_endpoint"], data=asked | who)
        back = {name: value[0] for name, value in parse_qs(urlsplit(redirect.headers["location"]).query).items()}
        assert back["state"] == names["state"]
        exchanged = form(block("device-sign-in", "token"), {"CODE": back["code"], "VERIFIER": names["verifier"]})
        stolen = exchanged | {"redirect_uri": f"{url}/", "code_verifier": "v" * 43}
        assert browser.post(issuer["token_endpoint"], data=stolen).status_code == 400
        again = browser.post(issuer["authorization_endpoint"], data=asked | who).headers["location"]
        code = parse_qs(urlsplit(again).query)["code"][0]
        tokens = browser.post(
            issuer["token_endpoint"], data=exchanged | {"redirect_uri": f"{url}/", "code": code}
        ).json()
        headers = {"Authorization": f"Bearer {tokens['id_token']}"}
        assert browser.get(f"{url}/api/v1/agent/history", headers=headers).status_code == 200
        assert tokens["refresh_token"]


def form(text: str, values: dict[str, str]) -> dict[str, str]:
    pairs = (line.split("=", 1) for line in text.splitlines())
    return {name: values.get(value, value) for name, value in pairs}


def test_the_inbox_and_the_answer_of_the_approval_page_are_commands(url: str) -> None:
    (asking, inbox, answer) = (
        line.partition("#")[0].strip() for line in shown("approval", "sh")[0].splitlines() if "yarrow" in line
    )
    user = f"bob-{uuid.uuid4()}"
    done = []
    for line in (asking, inbox, answer):
        command = line.replace(".venv/bin/yarrow", f"{sys.executable} -m yarrow_client")
        done.append(
            subprocess.run(  # noqa: S602 (a page of this repository)
                f"{command} --url {url} --user {user}",
                shell=True,
                capture_output=True,
                text=True,
                timeout=60,
                check=False,
            )
        )
    assert [one.returncode for one in done] == [0, 0, 0], [one.stdout + one.stderr for one in done]
    assert "refund" in done[1].stdout
