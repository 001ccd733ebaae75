"""The routes of the public API, and the headers that scripts of another origin may send."""

from local.stack import MockIntegration
from local.template import load
from tests.support.paths import ROOT

TEMPLATE = ROOT / "template.yaml"


SENT = (
    "Authorization",
    "Content-Type",
    "If-Match",
    "If-None-Match",
    "Last-Event-ID",
    "X-Run-Id",
    "X-Request-Id",
    "MCP-Protocol-Version",
    "Mcp-Method",
    "Mcp-Name",
    "traceparent",
    "tracestate",
    "baggage",
)
"""TanStack AI sends X-Run-Id; proxies and tracing the others."""


PARAMETERS = {"OidcIssuer": "https://issuer.example", "OidcAudience": "yarrow"}


STACK = load(TEMPLATE, PARAMETERS)


ROUTES = [route for route in STACK.api.routes if not isinstance(route.integration, MockIntegration)]
