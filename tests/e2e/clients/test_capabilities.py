"""What an agent can do, as each released client asks for it through `YarrowAgent`, and as ours do."""

import json
import shutil
import subprocess
from collections.abc import Iterator

import pytest

from tests.clients.agui_clients import VERSIONS, Node, node_with
from tests.support.paths import ROOT
from tests.support.stack.app import App
from yarrow_client import Refused, Yarrow

_ASK = """
import { Yarrow } from "./clients/js/yarrow.js";
const [url, token, agent] = process.argv.slice(1);
console.log(JSON.stringify(await new Yarrow({ url, token: () => token }).capabilities(agent)));
"""


@pytest.fixture(scope="module", params=VERSIONS)
def node(request: pytest.FixtureRequest) -> Iterator[Node]:
    with node_with(request.param, ROOT / "clients/js/yarrow-agent.js") as node:
        yield node


def token_of(app: App) -> str:
    return str(app.http.headers["Authorization"]).removeprefix("Bearer ")


def test_an_agui_client_is_told_in_the_words_of_its_sdk(node: Node, stack: str, alice: App) -> None:
    """EVT-36: the SDK's schema drops no member, whatever its version."""
    url = f"{stack}/send-message?agent=scenes"
    headers = {"Authorization": alice.http.headers["Authorization"]}
    answer = alice.http.get("/send-message/capabilities", params={"agent": "scenes"})
    found = node.converse(url=url, headers=headers, threadId="t", turns=[], asksCapabilities=True)["capabilities"]
    assert answer.headers["cache-control"] == "private, max-age=60"
    assert found["told"] == answer.json()
    newer = {"humanInTheLoop": {"interrupts", "approveWithEdits"}} if node.version < "agui-1" else {}
    for category, members in found["told"].items():
        kept = {name: value for name, value in members.items() if name not in newer.get(category, ())}
        assert {name: found["parsed"][category].get(name) for name in kept} == kept
    assert found["told"]["identity"]["metadata"]["agent"] == "scenes"


def test_without_credentials_nobody_is_asked(node: Node, stack: str) -> None:
    """EVT-36: CopilotKit's runtime asks for capabilities of an agent that has none of its own."""
    url = f"{stack}/send-message?agent=scenes"
    found = node.converse(url=url, headers={}, threadId="t", turns=[], asksCapabilities=True)["capabilities"]
    assert found == {"told": {}, "parsed": {}}


def test_the_other_clients_are_told_the_same(stack: str, alice: App) -> None:
    """EVT-36."""
    if shutil.which("node") is None:
        pytest.skip("needs Node 20 or newer")
    expected = alice.http.get("/send-message/capabilities", params={"agent": "assistant"}).json()
    command = ["node", "--input-type=module", "-e", _ASK, stack, token_of(alice), "assistant"]
    asked = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=True)
    assert json.loads(asked.stdout) == expected
    with Yarrow(stack, token_of(alice)) as yarrow:
        assert yarrow.capabilities("assistant") == expected
        for agent in ("divination", "cast"):
            assert yarrow.capabilities(agent)["identity"]["metadata"]["agent"] == agent
            assert "multimodal" in yarrow.capabilities(agent)  # its runner was found
        with pytest.raises(Refused, match="no such agent") as refused:
            yarrow.capabilities("nobody")
    assert (refused.value.status, refused.value.code) == (404, "AGENT_NAME_UNKNOWN")
