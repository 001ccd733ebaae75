"""Restricts HTTP requests to public hosts (SSRF).

A host is resolved once, every address it has is checked, and the connection is made to a checked address, so a name
cannot resolve to another one between check and connection (DNS rebinding). TLS still verifies the name.
"""

import asyncio
import ipaddress
import socket
from typing import Final

import httpx2

_IPV4_AT_THE_END: Final = tuple(map(ipaddress.ip_network, ("64:ff9b::/96", "::/96", "::ffff:0:0:0/96")))
"""NAT64, and the compatible and translated forms of IPv4 addresses."""

_Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class ForbiddenHostError(httpx2.RequestError):
    """The host has an address that is not public, or none."""


def is_public(address: str) -> bool:
    """Whether an IP address is reachable from everywhere, including the IPv4 address that an IPv6 one embeds."""
    try:
        parsed: _Address = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    return all(_is_global(address) for address in (parsed, *_embedded(parsed)))


def _is_global(address: _Address) -> bool:
    if isinstance(address, ipaddress.IPv6Address) and address.is_site_local:
        return False
    return address.is_global and not address.is_multicast


def _embedded(address: _Address) -> list[_Address]:
    if not isinstance(address, ipaddress.IPv6Address):
        return []
    teredo = address.teredo or ()
    holds_ipv4 = any(address in network for network in _IPV4_AT_THE_END)
    nat64 = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF) if holds_ipv4 else None
    return [found for found in (address.ipv4_mapped, address.sixtofour, *teredo, nat64) if found is not None]


class PublicHosts(httpx2.AsyncBaseTransport):
    """Sends requests over `transport`, to public hosts only.

    Use a client of its own per origin: connections are pooled by address. With `allows_loopback` the hosts of this
    machine pass too, for the local stack.
    """

    def __init__(self, transport: httpx2.AsyncBaseTransport, *, allows_loopback: bool = False) -> None:
        self._transport = transport
        self._allows_loopback = allows_loopback

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request. Raises ForbiddenHostError."""
        host = request.url.host
        address = await self._checked(host, request)
        request.extensions = {**request.extensions, "sni_hostname": host}
        request.url = request.url.copy_with(host=address)
        return await self._transport.handle_async_request(request)

    async def aclose(self) -> None:
        await self._transport.aclose()

    async def _checked(self, host: str, request: httpx2.Request) -> str:
        port = request.url.port or (443 if request.url.scheme == "https" else 80)
        try:
            found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError) as error:
            raise httpx2.ConnectError(f"{host} cannot be resolved", request=request) from error
        addresses = [str(info[4][0]) for info in found]
        if not addresses or not all(map(self._may_reach, addresses)):
            raise ForbiddenHostError(f"{host} is not a public host", request=request)
        return addresses[0]

    def _may_reach(self, address: str) -> bool:
        if self._allows_loopback and ipaddress.ip_address(address.partition("%")[0]).is_loopback:
            return True
        return is_public(address)
