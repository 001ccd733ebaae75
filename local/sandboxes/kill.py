"""Lets tests of clients kill functions: `POST /local/kill` with `{"function": "execute_run"}`."""

from collections.abc import Callable, Collection

from pydantic import BaseModel, ConfigDict, ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from local.functions import UnknownFunctionError
from local.problems import first_error, problem


class KillRequest(BaseModel):
    """The name of a function, or of its folder in `functions/`."""

    model_config = ConfigDict(extra="forbid", strict=True)

    function: str


def kill_route(kill: Callable[[str], int], origins: Collection[str]) -> Route:
    """Return the route, which responds with the number of killed invocations, `{"killed": 1}`.

    Requests from other origins are refused.
    """

    async def answer(request: Request) -> Response:
        path = request.url.path
        if request.headers.get("origin") not in (None, *origins):
            return problem(403, "LOCAL_KILL_FORBIDDEN", "requests from another origin may not kill functions", path)
        try:
            name = KillRequest.model_validate_json(await request.body()).function
            return JSONResponse({"killed": kill(name)})
        except ValidationError as error:
            return problem(422, "LOCAL_KILL_INVALID", first_error(error), path)
        except UnknownFunctionError:
            return problem(404, "LOCAL_FUNCTION_UNKNOWN", f"functions/ has no {name!r}", path)

    return Route("/kill", answer, methods=["POST"])
