"""How the console is served: its address, caching, compression, and the policy of its page."""

import asyncio
import gzip
import json

import httpx
import pytest
from starlette.types import Receive, Scope, Send

from functions.serve_console import app as function
from tests.support.paths import ROOT
from yarrow.settings import Settings
from yarrow.web.console import page as console

ISSUER = "https://issuer.example/realms/a"
VARIABLES = {
    "CONSOLE": "true",
    "CONSOLE_URL": "",
    "CONSOLE_CLIENT_ID": "",
    "CONSOLE_NAME": "Yarrow",
    "CONSOLE_COLOR": "",
    "CONSOLE_LOGO": "",
    "SIGN_IN_URL": "",
    "OIDC_ISSUER": ISSUER,
    "OIDC_AUDIENCE": "yarrow",
    "OPERATOR_SCOPE": "yarrow/operate",
    "WORKSPACE_URL": "wss://workspaces.example/live",
}


@pytest.fixture(autouse=True)
def deployed(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """The settings of a deployment, read anew."""
    for name, value in VARIABLES.items():
        monkeypatch.setenv(name, value)
    for module in (function, console):
        monkeypatch.setattr(module, "settings", Settings())
    return monkeypatch


def get(path: str, *, context_path: str | None = None, **headers: str) -> httpx.Response:
    """`context_path` is the path with its stage, where that is another."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        context = {"requestContext": {"path": context_path or scope["path"]}}
        await function.app({**scope, "aws.event": context}, receive, send)

    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="https://api.example") as client:
            return await client.get(path, headers={"accept-encoding": "identity", **headers})

    return asyncio.run(ask())


def directives(response: httpx.Response) -> dict[str, str]:
    parts = (word.partition(" ") for word in response.headers["content-security-policy"].split("; "))
    return {name: value for name, _, value in parts}


def test_the_page_names_its_files_by_their_version() -> None:
    response = get("/")
    assert (response.status_code, response.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert 'content="console/config.json"' in response.text
    assert '="./' not in response.text
    for name in ("app.js", "style.css", "vendor/oidc-client-ts.js"):
        path = f"console/{function.FILES.version}/{name}"
        assert f'"{path}"' in response.text
        file = get(f"/{path}")
        assert (file.status_code, file.content) == (200, (ROOT / "console" / name).read_bytes())
        assert file.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert file.headers["x-content-type-options"] == "nosniff"


def test_a_file_of_another_version_is_not_kept() -> None:
    """While a deployment goes on, a page may come from one version and its files from the other."""
    assert get("/console/0123456789abcdef/app.js").headers["cache-control"] == "no-store"
    assert get("/console/app.js").headers["cache-control"] == "no-cache"


@pytest.mark.parametrize(
    "path", ["app.py", "../app.py", "%2e%2e/app.py", "..%2f..%2ftemplate.yaml", "words", "x/y/app.js"]
)
def test_nothing_else_of_the_package_is_served(path: str) -> None:
    response = get(f"/console/{path}")
    assert (response.status_code, response.json()["code"]) == (404, "ROUTE_NOT_FOUND")


def test_who_has_a_file_is_told_so() -> None:
    for path in ("/", "/console/app.js", "/console/config.json"):
        first = get(path)
        again = get(path, **{"if-none-match": f'"x", W/{first.headers["etag"]}'})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", first.headers["etag"])
        assert get(path, **{"if-none-match": '"x"'}).status_code == 200


def test_files_are_compressed_for_who_takes_that() -> None:
    """Each form has an ETag of its own, and caches are told. The page with the code of all its views
    stays under 185 KB; what the first one takes, the tests in a browser limit to 120 KB."""
    plain, packed = get("/console/app.js"), get("/console/app.js", **{"accept-encoding": "br, gzip"})
    assert (plain.headers.get("content-encoding"), packed.headers["content-encoding"]) == (None, "gzip")
    assert plain.content == packed.content
    assert plain.headers["etag"] != packed.headers["etag"]
    assert "accept-encoding" in packed.headers["vary"].lower()
    names = [path for path in (ROOT / "console").rglob("*") if path.suffix in {".js", ".css", ".html"}]
    assert sum(len(gzip.compress(path.read_bytes(), 9)) for path in names) < 185_000


def test_the_page_may_run_its_own_files_alone_and_talk_to_the_service_and_the_issuer() -> None:
    response = get("/")
    policy = directives(response)
    assert policy["default-src"] == policy["base-uri"] == policy["form-action"] == policy["frame-ancestors"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == "'self'"
    assert policy["connect-src"] == "'self' https://issuer.example wss://workspaces.example"
    assert policy["require-trusted-types-for"] == "'script'"
    assert policy["trusted-types"] == "service-worker"  # a policy that makes its one address
    assert "unsafe" not in response.headers["content-security-policy"]
    assert response.headers["referrer-policy"] == "no-referrer"
    assert "set-cookie" not in response.headers


def test_the_stacks_own_pool_signs_in_at_a_domain_of_its_own(deployed: pytest.MonkeyPatch) -> None:
    """And to an address that it knows: until that is given, the page says what to do."""
    for url, is_ready in (("", False), ("https://api.example/live/", True)):
        deployed.setenv("SIGN_IN_URL", "https://console-1.auth.eu-west-1.amazoncognito.com")
        deployed.setenv("CONSOLE_URL", url)
        for module in (function, console):
            deployed.setattr(module, "settings", Settings())
        assert directives(get("/"))["connect-src"].split()[2] == "https://console-1.auth.eu-west-1.amazoncognito.com"
        config = json.loads(get("/console/config.json").content)
        assert (config["isReady"], config["redirectUri"]) == (is_ready, url or None)


def test_the_token_that_the_service_takes_is_sent(deployed: pytest.MonkeyPatch) -> None:
    """The id token has the client as its audience; with a client of another name, the access token has it."""
    assert get("/console/config.json").json()["sends"] == "id_token"
    deployed.setenv("CONSOLE_CLIENT_ID", "console")
    deployed.setattr(console, "settings", Settings())
    config = get("/console/config.json").json()
    assert (config["sends"], config["clientId"], config["audience"]) == ("access_token", "console", "yarrow")


def test_the_page_is_told_which_doors_there_are(deployed: pytest.MonkeyPatch) -> None:
    """Without a workspace's address, its view is not shown, and no origin is allowed for it."""
    for url in ("wss://workspaces.example/live", ""):
        deployed.setenv("WORKSPACE_URL", url)
        deployed.setattr(console, "settings", Settings())
        config = get("/console/config.json").json()
        assert (config["jobs"], config["workspace"]) == (True, url or None)
        assert ("wss://workspaces.example" in directives(get("/"))["connect-src"].split()) == bool(url)


def test_the_page_is_told_where_users_sign_in_to_servers(deployed: pytest.MonkeyPatch) -> None:
    """MCP-01: elsewhere it asks for no connections."""
    for url in ("https://api.example/live/", ""):
        deployed.setenv("MCP_CALLBACK_URL", url)
        deployed.setattr(console, "settings", Settings())
        assert get("/console/config.json").json()["connections"] is bool(url)


def test_a_deployment_may_bring_its_name_colour_and_logo(deployed: pytest.MonkeyPatch) -> None:
    """Pictures may come from the logo's host then, and from no other."""
    config = get("/console/config.json").json()
    assert (config["name"], config["color"], config["logo"]) == ("Yarrow", None, None)
    assert directives(get("/"))["img-src"] == "'self' data: blob:"
    deployed.setenv("CONSOLE_NAME", "Oracle & Co")
    deployed.setenv("CONSOLE_COLOR", "#225588")
    deployed.setenv("CONSOLE_LOGO", "https://cdn.example/a/logo.svg")
    deployed.setattr(console, "settings", Settings())
    config = get("/console/config.json").json()
    assert (config["name"], config["color"]) == ("Oracle & Co", "#225588")
    assert config["logo"] == "https://cdn.example/a/logo.svg"
    assert directives(get("/"))["img-src"] == "'self' data: blob: https://cdn.example"


def test_the_address_of_a_stage_gets_its_slash() -> None:
    """Else the page's links would leave the stage."""
    for context_path, answer in (("/live", (308, "/live/")), ("/live/", (200, None)), ("/", (200, None))):
        response = get("/", context_path=context_path)
        assert (response.status_code, response.headers.get("location")) == answer


def test_a_deployment_may_have_no_console(deployed: pytest.MonkeyPatch) -> None:
    deployed.setenv("CONSOLE", "false")
    deployed.setattr(function, "settings", Settings())
    for path in ("/", "/console/app.js", "/console/config.json"):
        assert (get(path).status_code, get(path).json()["code"]) == (404, "ROUTE_NOT_FOUND")
