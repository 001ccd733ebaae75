"""Requests to hosts that users or files name reach public ones only."""

import asyncio
import socket
from typing import Any

import httpx2
import pytest

from yarrow.outbound.public_hosts import ForbiddenHostError, PublicHosts, is_public


@pytest.mark.parametrize(
    "address", ["93.184.216.34", "8.8.8.8", "2606:4700:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"]
)
def test_a_public_address_is_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "127.9.9.9", "0.0.0.0", "10.0.0.1", "172.16.0.1", "192.168.1.1", "100.64.0.1"),  # noqa: S104 (an address that is refused)
        *("169.254.169.254", "169.254.170.2", "192.0.2.1", "198.18.0.1", "224.0.0.1", "239.1.1.1", "255.255.255.255"),
        *("::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "fd00:ec2::254", "ff02::1", "2001:db8::1"),
        *("::ffff:127.0.0.1", "::ffff:169.254.169.254", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe"),
        *("::10.0.0.1", "::ffff:0:10.0.0.1", "fec0::1"),
        *("2002:7f00:1::", "2002:a9fe:a9fe::1", "2001:0:7f00:1::", "", "localhost", "1.2.3", "0x7f000001"),
    ],
)
def test_a_private_or_reserved_address_is_not_public(address: str) -> None:
    assert not is_public(address)


class _Sent(httpx2.AsyncBaseTransport):
    def __init__(self) -> None:
        self.requests: list[httpx2.Request] = []

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        self.requests.append(request)
        return httpx2.Response(200)


def get(url: str, *, allows_loopback: bool = False) -> httpx2.Request:
    """Send a request, and return it as the transport below got it."""

    async def send() -> httpx2.Request:
        sent = _Sent()
        async with httpx2.AsyncClient(transport=PublicHosts(sent, allows_loopback=allows_loopback)) as client:
            await client.get(url)
        return sent.requests[0]

    return asyncio.run(send())


@pytest.fixture
def resolves(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Make every name resolve to these addresses."""

    def to(*addresses: str) -> None:
        async def getaddrinfo(*_: Any, **__: Any) -> list[Any]:
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 443)) for address in addresses]

        monkeypatch.setattr(asyncio.BaseEventLoop, "getaddrinfo", getaddrinfo)

    return to


def test_the_checked_address_is_connected_to_under_the_name(resolves: Any) -> None:
    resolves("93.184.216.34")
    request = get("https://agent.example.com/run")
    assert request.url.host == "93.184.216.34"
    assert request.headers["Host"] == "agent.example.com"
    assert request.extensions["sni_hostname"] == "agent.example.com"


@pytest.mark.parametrize("addresses", [["10.0.0.1"], ["93.184.216.34", "127.0.0.1"], []])
def test_a_name_with_another_address_is_refused(resolves: Any, addresses: list[str]) -> None:
    resolves(*addresses)
    with pytest.raises(ForbiddenHostError, match=r"agent\.example\.com is not a public host"):
        get("https://agent.example.com/run")


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1/", "http://[::1]/", "http://2130706433/", "http://0x7f.1/", "http://[::ffff:10.0.0.1]/"]
)
def test_addresses_in_other_forms_are_refused(url: str) -> None:
    with pytest.raises(httpx2.RequestError):
        get(url)


def test_loopback_passes_where_it_is_allowed_and_private_networks_do_not(resolves: Any) -> None:
    resolves("127.0.0.1")
    assert get("http://localhost:8000/", allows_loopback=True).url.host == "127.0.0.1"
    resolves("192.168.1.1")
    with pytest.raises(ForbiddenHostError):
        get("http://printer.local/", allows_loopback=True)


def test_a_name_that_does_not_resolve_cannot_be_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    async def getaddrinfo(*_: Any, **__: Any) -> None:
        raise socket.gaierror

    monkeypatch.setattr(asyncio.BaseEventLoop, "getaddrinfo", getaddrinfo)
    with pytest.raises(httpx2.ConnectError, match="cannot be resolved"):
        get("https://nowhere.example.com/")
