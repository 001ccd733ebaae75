"""The app factory: routes with shared error handling and CORS."""

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.routing import Route

from yarrow.protocol.caller import Caller
from yarrow.protocol.problems import Problem
from yarrow.settings import settings
from yarrow.web.cors import EXPOSED_HEADERS
from yarrow.web.problem_json import UnhandledErrors, on_http_exception, on_problem


def create_app(*routes: Route) -> Starlette:
    app = Starlette(
        routes=routes,
        middleware=[
            # API Gateway answers preflights; other responses need the header too.
            Middleware(CORSMiddleware, allow_origins=[settings.cors_origin], expose_headers=EXPOSED_HEADERS),
            Middleware(UnhandledErrors),
        ],
        exception_handlers={Problem: on_problem, HTTPException: on_http_exception},
    )
    app.router.redirect_slashes = False  # the redirect would lack the stage
    return app


def caller(request: Request) -> Caller:
    return Caller.from_authorizer(request.scope["aws.event"]["requestContext"]["authorizer"])
