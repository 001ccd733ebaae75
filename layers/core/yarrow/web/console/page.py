"""The page, its configuration, and what it may do."""

import json
from urllib.parse import urlsplit

from yarrow.settings import settings
from yarrow.web.console.static_files import StaticFile, StaticFiles

FOLDER = "console"
_CONFIG = "config.json"


def page(files: StaticFiles) -> StaticFile:
    """Return `index.html`, its relative links changed to the folder below the page."""
    text = files["index.html"].content.decode()
    text = text.replace(f'"./{_CONFIG}"', f'"{FOLDER}/{_CONFIG}"')
    return StaticFile(text.replace('="./', f'="{FOLDER}/{files.version}/').encode(), "text/html")


def configuration() -> StaticFile:
    """Return the addresses of the API and of sign-in. `redirectUri` is null if it is the page's own."""
    config = {
        "api": None,
        "issuer": settings.oidc_issuer,
        "clientId": settings.console_client_id or settings.oidc_audience,
        "sends": "access_token" if settings.console_client_id else "id_token",
        "audience": settings.oidc_audience,
        "operatorScope": settings.operator_scope,
        "redirectUri": settings.console_url or None,
        "isReady": not settings.sign_in_url or bool(settings.console_url),
        "name": settings.console_name,
        "color": settings.console_color or None,
        "logo": settings.console_logo or None,
        "jobs": True,
        "connections": bool(settings.mcp_callback_url),
        "notifications": bool(settings.web_push_contact),
        "workspace": settings.workspace_url or None,
    }
    return StaticFile(json.dumps(config, indent=2).encode(), "application/json")


def security_headers() -> dict[str, str]:
    """The page runs only its own files, and connects only to the API, workspaces and sign-in."""
    logo = [_origin(settings.console_logo)] if settings.console_logo else []
    others = filter(None, (settings.oidc_issuer, settings.sign_in_url, settings.workspace_url))
    origins = dict.fromkeys(map(_origin, others))
    policy = {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "img-src": " ".join(["'self'", "data:", "blob:", *logo]),
        "connect-src": " ".join(["'self'", *origins]),
        "manifest-src": "'self'",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
        "require-trusted-types-for": "'script'",
        "trusted-types": "service-worker",
        "worker-src": "'self'",
    }
    return {
        "Content-Security-Policy": "; ".join(f"{name} {value}" for name, value in policy.items()),
        "Cross-Origin-Opener-Policy": "same-origin",
        "Permissions-Policy": "camera=(self), geolocation=(), microphone=(self), payment=(), usb=()",
        "Referrer-Policy": "no-referrer",
        "Strict-Transport-Security": "max-age=31536000",
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
    }


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"
