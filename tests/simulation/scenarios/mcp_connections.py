"""Users who sign in to an MCP server, while their runs use what they have got, and renew it side by side."""

import asyncio
import json
import random
import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final
from unittest.mock import patch

from botocore.exceptions import BotoCoreError, ClientError

from tests.simulation.authorization_servers import URL, Issuer, Kms, plain
from tests.simulation.world import World
from yarrow.agents.mcp_servers import McpServer
from yarrow.mcp_oauth import discovery, exchange, sign_in, tokens
from yarrow.protocol.mcp_connections import McpConnection, McpSignIn
from yarrow.protocol.problems import Problem
from yarrow.services.mcp.wire import GiveToken, SignInNeededError
from yarrow.settings import settings
from yarrow.store import mcp_connections, table
from yarrow.worker import mcp

USERS: Final = ("alice", "bob")
SKEW: Final = 1.0
"""A claim outlasts a request by seconds, and Lambda keeps its clocks that close."""
TRIES: Final = 8
FUNCTION_SECONDS: Final = 60.0
"""After which a route's function, and a run's call of a tool, has ended."""
CALLBACK: Final = "https://console.example.com/"
POLICY: Final = McpServer.model_validate({"url": URL, "oauth": {}, "tools": [{"id": "search"}]})
ID: Final = mcp_connections.id_of(URL)
START: Final = b'{"agent": "support", "server": "issues"}'


@dataclass
class _Stage:
    world: World
    issuer: Issuer
    under_way: int = 0
    """Sign-ins that have begun, and whose browsers have not come back."""
    begun: int = 0
    removed: set[str] = field(default_factory=set)
    """Users who have removed a connection, or are about to."""

    @property
    def is_undisturbed(self) -> bool:
        return not self.world.aws.faults and not self.issuer.disturbed

    def expect_disturbance(self, what: str) -> None:
        """Note what must not be where nothing has failed."""
        if self.is_undisturbed:
            self.world.violated(what)


def begin(world: World) -> Callable[[], None]:
    """Begin with two users, who sign in on one device or two, again and again, and whose runs call tools meanwhile."""
    chance, scheduler = world.scheduler.chance, world.scheduler
    world.skew = SKEW
    world.aws.services["kms"] = Kms()
    stage = _Stage(world, Issuer(world))
    stage.issuer.method = chance.choice(("none", "client_secret_post"))
    states = random.Random(f"{world.seed} states")
    for place, name, double in (
        (discovery, "ask", stage.issuer.ask),
        (tokens, "ask", _watched(stage)),
        (secrets, "token_urlsafe", lambda size: f"{states.getrandbits(8 * size):0{2 * size}x}"),
        (sign_in, "_servers", lambda: {("support", "issues"): POLICY}),
    ):
        world.patches.enter_context(patch.object(place, name, double))
    vars(settings).update(mcp_callback_url=CALLBACK, requests_per_minute=1_000)
    for user in USERS:
        for _ in range(chance.choice((1, 1, 2))):
            scheduler.spawn(f"{user}'s device", lambda user=user: _device(stage, user), after=chance.uniform(0, 3))  # type: ignore[misc]
        for _ in range(chance.choice((1, 2, 3))):
            scheduler.spawn(f"{user}'s run", lambda user=user: _run(stage, user), after=chance.uniform(3, 30))  # type: ignore[misc]
    if world.aws.rate and chance.random() < 0.5:
        scheduler.spawn("operator", lambda: _operator(stage), after=chance.uniform(20, 200))
    return lambda: _check(stage)


def _watched(stage: _Stage) -> Callable[..., Any]:
    """Return the issuer's `ask`, which looks at each refresh token that comes again."""

    async def ask(*arguments: Any, **options: Any) -> exchange.Answer:
        before = len(stage.issuer.reused)
        try:
            return await stage.issuer.ask(*arguments, **options)
        finally:
            for token in stage.issuer.reused[before:]:
                _check_reuse(stage, token)

    return ask


def _check_reuse(stage: _Stage, token: str) -> None:
    family = stage.issuer.families[token]
    stored = _stored_refresh(stage, family.user)
    if stored in family.refresh and family.refresh.index(stored) > family.refresh.index(token):
        stage.world.violated(f"a refresh token of {family.user} was used again after its successor was stored")
    if stage.is_undisturbed:
        stage.world.violated(f"a refresh token of {family.user} was used twice though nothing failed")


def _stored_refresh(stage: _Stage, user: str) -> str | None:
    """Return the refresh token that the table has of a user, read without a turn."""
    key = {"pk": mcp_connections.partition(user), "sk": f"SERVER#{ID}"}
    for item in map(table.from_wire, stage.world.aws.table.items):
        if all(item[name] == value for name, value in key.items()):
            refresh: str = json.loads(plain(item["sealed_tokens"]))["tokens"]["refresh"]
            return refresh
    return None


def _device(stage: _Stage, user: str) -> None:
    chance, scheduler = stage.world.scheduler.chance, stage.world.scheduler
    for _ in range(chance.choice((1, 1, 2, 3))):
        for _ in range(TRIES):
            if _sign_in(stage, user):
                break
            scheduler.pause(chance.uniform(0.5, 20))
        scheduler.pause(chance.choice((0.0, 5.0, 100.0)))
    if chance.random() < 0.15:
        stage.removed.add(user)
        with suppress(Exception):
            stage.world.function("remove", lambda: asyncio.run(sign_in.remove_connection(user, ID)), FUNCTION_SECONDS)


def _sign_in(stage: _Stage, user: str) -> bool:
    """Take the way of a browser: to the page, back, and again where no answer came; whether the user is connected."""
    stage.under_way += 1
    try:
        return _signed_in(stage, user)
    finally:
        stage.under_way -= 1


def _begin(stage: _Stage, user: str) -> McpSignIn | None:
    """Begin a sign-in; by the kept client, if no other one is under way and nothing has failed."""
    kept, known = _kept_client(stage), len(stage.issuer.registered)
    is_alone, stage.begun = stage.under_way == 1, stage.begun + 1
    number = stage.begun
    try:
        begun: McpSignIn = stage.world.function(
            "begin", lambda: asyncio.run(sign_in.begin_sign_in(START, user)), FUNCTION_SECONDS
        )
    except Exception as problem:  # noqa: BLE001 (the user tries again)
        stage.expect_disturbance(f"a sign-in of {user} does not begin: {problem}")
        return None
    is_alone = is_alone and number == stage.begun
    if is_alone and kept is not None and stage.is_undisturbed and len(stage.issuer.registered) > known:
        stage.world.violated(f"a client is registered for {user} though {kept} is kept")
    return begun


def _kept_client(stage: _Stage) -> str | None:
    """Return the id of the client that the table has, read without a turn."""
    items = map(table.from_wire, stage.world.aws.table.items)
    return next((item["client_id"] for item in items if item["pk"].startswith("MCP_CLIENTS#")), None)


def _signed_in(stage: _Stage, user: str) -> bool:
    world, chance = stage.world, stage.world.scheduler.chance
    begun = _begin(stage, user)
    if begun is None:
        return False
    world.scheduler.pause(chance.uniform(0.5, 10))
    back = stage.issuer.consent(user, begun.authorization_url)
    if back is None:  # the server says so on its page
        return False
    if chance.random() < 0.2:
        _steal(stage, next(other for other in USERS if other != user), back)
    devices = [chance.uniform(0, 1) for _ in range(chance.choice((1, 1, 2)))]
    answers: list[McpConnection] = []
    tabs = [
        world.scheduler.spawn(f"{user}'s tab", lambda: answers.extend(_finish(stage, user, back)), after=after)
        for after in devices
    ]
    for tab in tabs:
        world.scheduler.join(tab, 1_000)
    if not answers:
        stage.expect_disturbance(f"a sign-in of {user} is not finished")
        return False
    world.scheduler.pause(chance.choice((0.0, 1.0, 60.0)))
    _repeat(stage, user, back)
    return True


def _finish(stage: _Stage, user: str, back: Mapping[str, str]) -> list[McpConnection]:
    """Tell what the browser brought back, until there is an answer."""
    world = stage.world
    for _ in range(TRIES):
        try:
            return [world.function("finish", lambda: _finished(user, back), FUNCTION_SECONDS)]
        except Problem:
            return []
        except Exception:  # noqa: BLE001 (no answer: it is repeated)
            world.scheduler.pause(world.scheduler.chance.uniform(0.1, 3))
    return []


def _finished(user: str, back: Mapping[str, str]) -> McpConnection:
    return asyncio.run(sign_in.finish_sign_in(json.dumps(back).encode(), user))


def _repeat(stage: _Stage, user: str, back: Mapping[str, str]) -> None:
    """Tell it once more, after an answer."""
    try:
        stage.world.function("finish again", lambda: _finished(user, back), FUNCTION_SECONDS)
    except Problem as problem:
        if user not in stage.removed:
            stage.world.violated(f"a sign-in of {user} that was finished is answered with {problem.detail}")
    except Exception:  # noqa: BLE001, S110 (no answer)
        pass


def _steal(stage: _Stage, thief: str, back: Mapping[str, str]) -> None:
    """Bring back what another user was given."""
    with suppress(Problem, TimeoutError, BotoCoreError, ClientError):
        stage.world.function("thief", lambda: _finished(thief, back), FUNCTION_SECONDS)
        stage.world.violated(f"{thief} has finished the sign-in of another user")


def _run(stage: _Stage, user: str) -> None:
    """Call a tool now and then, some calls side by side, by workers of their own."""
    chance, scheduler = stage.world.scheduler.chance, stage.world.scheduler
    for _ in range(chance.choice((2, 4, 8))):
        calls = [
            scheduler.spawn(f"{user}'s call", lambda: _call(stage, user), after=chance.choice((0.0, 0.01, 1.0)))
            for _ in range(chance.choice((1, 1, 2, 3)))
        ]
        for call in calls:
            scheduler.join(call, 1_000)
        scheduler.pause(chance.choice((0.0, 3.0, 20.0, 60.0)))


def _call(stage: _Stage, user: str) -> str:
    """Call a tool twice in one worker; returns what came of it."""
    give = mcp._token_of(user, POLICY)

    async def calling() -> str:
        for _ in range(2):
            if not await _is_answered(stage, user, give):
                return "refused"
            await asyncio.sleep(stage.world.scheduler.chance.choice((0.0, 1.0, 25.0)))
        return "answered"

    try:
        return str(stage.world.function("call", lambda: asyncio.run(calling()), 4 * FUNCTION_SECONDS))
    except SignInNeededError:
        return "sign-in"
    except Exception as error:  # noqa: BLE001 (the call fails, or its worker is gone)
        return f"{type(error).__name__}: {error}"


async def _is_answered(stage: _Stage, user: str, give: GiveToken) -> bool:
    """Ask the server with the user's token, and with another one if it is refused, as the product's client does."""
    refused = None
    for _ in range(2):
        token = await give(refused)
        if stage.issuer.families[token].user != user:
            stage.world.violated(f"a token of {stage.issuer.families[token].user} is used for {user}")
        await asyncio.sleep(stage.world.scheduler.chance.uniform(0.01, 0.5))
        if stage.issuer.takes(token) is not None:
            return True
        refused = token
    return False


def _operator(stage: _Stage) -> None:
    """Take from a user what they were given, or forget the clients that have registered."""
    chance = stage.world.scheduler.chance
    if chance.random() < 0.5:
        stage.issuer.end(chance.choice(USERS))
    else:
        stage.issuer.forget()


def _check(stage: _Stage) -> None:
    """Each user who wants a connection has one, or gets one by a sign-in; the table has no secret of a client."""
    was_undisturbed = stage.is_undisturbed
    stored = repr(stage.world.aws.table.items)
    if any(secret in stored for secret in stage.issuer.secrets.values()):
        stage.world.violated("the table has the secret of a client")

    def look(user: str) -> None:
        outcome = _call(stage, user)
        if outcome == "answered":
            return
        if was_undisturbed and user not in stage.removed:
            stage.world.violated(f"{user} has no connection though nothing failed: {outcome}")
        if outcome != "sign-in":
            stage.world.violated(f"a call of {user} is not answered, and no sign-in is asked for: {outcome}")
        if not any(_sign_in(stage, user) for _ in range(2)):  # once for a client that is forgotten
            stage.world.violated(f"{user} cannot sign in")
        elif (outcome := _call(stage, user)) != "answered":
            stage.world.violated(f"{user} has signed in, and a call is not answered: {outcome}")

    for user in USERS:
        after = mcp_connections.CLAIM_SECONDS + 5
        stage.world.scheduler.spawn(f"{user} looks", lambda user=user: look(user), after=after)  # type: ignore[misc]
    stage.world.scheduler.run()
