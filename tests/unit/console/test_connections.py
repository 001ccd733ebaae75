"""The console's connections, in Node: what it takes from the address, and what it keeps of it; which rows there are."""

import json
import shutil
import subprocess
from typing import Any

import pytest

from tests.support.paths import ROOT
from yarrow.mcp_oauth.sign_in import STATE_PREFIX
from yarrow.services.mcp.sign_in import refusal

_SCRIPT = """
import { catchReturn, takeReturn, takeWanted, want } from "./console/connections/callback.js";
import { beginSignIn } from "./console/connections/connections_api.js";
import { rowsOf } from "./console/connections/rows.js";
const { search, begun, listed } = JSON.parse(process.argv[1]);
const kept = new Map();
const page = {
  location: { search, pathname: "/live/" },
  history: { replaceState: (...given) => (page.address = given[2]) },
  sessionStorage: {
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, value) => kept.set(name, value),
    removeItem: (name) => kept.delete(name),
  },
};
const isCaught = catchReturn(page);
const [first, second] = [takeReturn(page), takeReturn(page)];
want({ agent: "helper", server: "calc", host: "calc.example" }, page);
const wanted = [takeWanted(page), takeWanted(page)];
const api = { request: async () => ({ json: async () => ({ authorizationUrl: begun }) }) };
const url = await beginSignIn(api, { agent: "helper", server: "calc" }).catch((error) => error.name);
const rows = rowsOf(listed).map(({ key, connection, offers }) => [key, connection?.id ?? null, offers.length]);
const { address = null } = page;
console.log(JSON.stringify({ isCaught, first, second, wanted, address, left: [...kept], url, rows }));
"""


def found(search: str = "", **given: Any) -> dict[str, Any]:
    """What the script finds at an address with this query; skips without Node."""
    if shutil.which("node") is None:
        pytest.skip("needs Node 20 or newer")
    task = {
        "search": search,
        "begun": "https://issuer.example/",
        "listed": {"connections": [], "servers": []},
        **given,
    }
    command = ["node", "--input-type=module", "-e", _SCRIPT, json.dumps(task)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=True)
    result: dict[str, Any] = json.loads(done.stdout)
    return result


@pytest.mark.parametrize(
    ("search", "body"),
    [
        ("?code=c%2B1&state=mcp-s&iss=https%3A%2F%2Fi", {"state": "mcp-s", "code": "c+1", "iss": "https://i"}),
        ("?error=access_denied&error_description=x&state=mcp-s", {"state": "mcp-s", "error": "access_denied"}),
        ("?state=mcp-s&code=", {"state": "mcp-s"}),
        (f"?state=mcp-s&code={'c' * 5_000}", {"state": "mcp-s", "code": "c" * 4_096}),
    ],
)
def test_a_return_leaves_the_address_at_once_and_is_taken_once(search: str, body: dict[str, str]) -> None:
    """MCP-01: nothing of it stays in the tab."""
    assert STATE_PREFIX == "mcp-"
    seen = found(search)
    assert (seen["isCaught"], seen["first"], seen["second"]) == (True, body, None)
    assert (seen["address"], seen["left"]) == ("/live/#/connections", [])


@pytest.mark.parametrize("search", ["", "?code=c&state=0a1b", "?code=mcp-c", "?state=&code=c", "?x=mcp-1"])
def test_what_is_not_ours_is_left_to_the_consoles_own_sign_in(search: str) -> None:
    seen = found(search)
    assert (seen["isCaught"], seen["first"], seen["address"], seen["left"]) == (False, None, None, [])


def test_what_one_left_for_is_remembered_without_its_secrets() -> None:
    assert found()["wanted"] == [{"agent": "helper", "server": "calc"}, None]


@pytest.mark.parametrize(
    ("begun", "url"),
    [
        ("https://issuer.example/authorize?x=1", "https://issuer.example/authorize?x=1"),
        ("javascript:alert(1)", "Error"),
        ("/authorize", "TypeError"),
    ],
)
def test_the_browser_goes_to_pages_alone(begun: str, url: str) -> None:
    assert found(begun=begun)["url"] == url


def test_a_connection_is_one_row_however_many_servers_use_it() -> None:
    """One that no agent uses any more can still be removed; a connection that the list no longer has is none."""
    connections = [{"id": "c1", "host": "a.example"}, {"id": "c2", "host": "old.example"}]
    servers = [
        {"agent": "x", "server": "a", "host": "a.example", "connectionId": "c1"},
        {"agent": "y", "server": "a", "host": "a.example", "connectionId": "c1"},
        {"agent": "x", "server": "b", "host": "b.example"},
        {"agent": "x", "server": "c", "host": "c.example", "connectionId": "gone"},
    ]
    rows = found(listed={"connections": connections, "servers": servers})["rows"]
    assert rows == [["c2", "c2", 0], ["c1", "c1", 2], ["x/b", None, 1], ["x/c", None, 1]]


def test_the_console_knows_the_code_of_a_call_without_a_sign_in() -> None:
    text = (ROOT / "console/talk/message.js").read_text(encoding="utf-8")
    assert f'NOT_CONNECTED = "{refusal("calc")["code"]}"' in text
