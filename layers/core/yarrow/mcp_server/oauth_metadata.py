"""What OAuth clients need to know of the MCP server: its address as a resource, and who issues its tokens.

Source: RFC 9728; MCP 2026-07-28, `basic/authorization`.
"""

from typing import Final
from urllib.parse import urlsplit

from starlette.requests import Request

from yarrow.mcp_server.json_rpc import Document
from yarrow.settings import settings

PATH: Final = "/.well-known/oauth-protected-resource/mcp"
SCOPES: Final = ("openid", "profile")


def metadata(request: Request) -> Document:
    return {
        "resource": _resource(request),
        "authorization_servers": [settings.oidc_issuer],
        "scopes_supported": list(SCOPES),
        "bearer_methods_supported": ["header"],
        "resource_name": "Yarrow",
    }


def _resource(request: Request) -> str:
    """Return the server's address: by the deployment's own domain name, else as the client knows it.

    That has the stage in its path, and on one machine any of the machine's names.
    """
    own = urlsplit(settings.mcp_url)
    if own.scheme == "https":
        return settings.mcp_url
    context = request.scope["aws.event"]["requestContext"]
    stage = context["path"].removesuffix(request.scope["aws.event"]["path"])
    scheme = request.headers.get("x-forwarded-proto", "https")
    return f"{scheme}://{context['domainName']}{stage}/mcp"
