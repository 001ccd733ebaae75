"""`GET /`: the console, a page for people, and its files under `/console/`, without authorization."""

from yarrow.web.cold_start import pause_garbage_collection, resume_garbage_collection

pause_garbage_collection()

from pathlib import Path

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from yarrow.protocol.problems import Code, Problem
from yarrow.settings import settings
from yarrow.web.app import create_app
from yarrow.web.console import page as console
from yarrow.web.console.static_files import CHECKED, StaticFiles
from yarrow.web.lambda_http import Streaming

FILES = StaticFiles(Path(__file__).with_name("console"))
PLAIN = {"X-Content-Type-Options": "nosniff", "Cross-Origin-Resource-Policy": "same-origin"}


def index(request: Request) -> Response:
    """Respond with the page. Its links are relative, so an address without a final slash is redirected."""
    _check_served()
    path: str = request.scope["aws.event"]["requestContext"]["path"]
    if not path.endswith("/"):
        return RedirectResponse(f"{path}/", 308)
    return console.page(FILES).response(request, CHECKED, console.security_headers())


def asset(request: Request) -> Response:
    """Respond with a file of the page, or its configuration. Raises Problem 404."""
    _check_served()
    name = request.path_params["proxy"]
    found = (console.configuration(), CHECKED) if name == "config.json" else FILES.find(name)
    if found is None:
        raise Problem(Code.ROUTE_NOT_FOUND, "no such file")
    file, cache_control = found
    return file.response(request, cache_control, PLAIN)


def _check_served() -> None:
    if not settings.console:
        raise Problem(Code.ROUTE_NOT_FOUND, "no such route")


app = create_app(Route("/", index, methods=["GET"]), Route("/console/{proxy:path}", asset, methods=["GET"]))
handler = Streaming(app)
resume_garbage_collection()
