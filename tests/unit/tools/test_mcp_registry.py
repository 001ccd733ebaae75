"""The `server.json` of a deployment's MCP server."""

import json

import pytest

from tools import mcp_registry


def test_it_names_the_server_and_its_address(capsys: pytest.CaptureFixture[str]) -> None:
    """MCP-02: with the members that the registry requires."""
    assert mcp_registry.main(["com.example/yarrow", "api.example.com"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found.keys() >= {"$schema", "name", "description", "version"}
    assert 0 < len(found["description"]) <= 100
    (remote,) = found["remotes"]
    assert (remote["type"], remote["url"]) == ("streamable-http", "https://api.example.com/mcp")
    assert [header["isSecret"] for header in remote["headers"]] == [True]


@pytest.mark.parametrize(
    "arguments",
    [
        ["yarrow", "api.example.com"],
        ["com.example/", "api.example.com"],
        ["com.example/yarrow", "https://api.example.com"],
        ["com.example/yarrow", "API.example.com"],
        ["com.example/yarrow", "api.example.com", "--description", "x" * 101],
    ],
)
def test_what_a_registry_would_refuse_is_refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """MCP-02."""
    assert mcp_registry.main(arguments) == 2
    assert capsys.readouterr().out == ""
