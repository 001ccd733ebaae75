"""Tokens that authenticate a remote runner's callbacks (RNR-50, RNR-51, RNR-64).

256 random bits, valid while the run is active and its worker current. The grant has permissions and deadline.
"""

import hashlib
import hmac
import math
import secrets
from typing import Final, NamedTuple

from yarrow.agents.grants import RunGrant
from yarrow.protocol.runner.api import AgentAPIException
from yarrow.store import runs
from yarrow.store.runner import grants, run_tokens
from yarrow.store.runner.run_tokens import StoredToken
from yarrow.store.runs import ReplacedError

KEPT_SECONDS = 3_600
"""The item's TTL after the deadline; the deadline itself is checked at each call."""

_NO_TOKEN: Final = StoredToken(sha256="", attempt=0, runner_id="")


def issue(run_key: str, runner_id: str, attempt: int) -> str:
    """Create the token of a run that a worker has claimed and prepared in this attempt; it replaces an earlier one.

    Raises ReplacedError if the run has ended or a later worker claimed it.
    """
    run, stored = runs.must_read(run_key), grants.read(run_key)
    if run.ended or stored is None or not run.attempt == stored.attempt == attempt:
        raise ReplacedError
    deadline_at = RunGrant.model_validate_json(stored.grant_json).deadline_at
    token = secrets.token_urlsafe(32)
    made = StoredToken(_sha256(token), attempt, runner_id)
    if not run_tokens.replace(run_key, made, math.ceil(deadline_at) + KEPT_SECONDS):
        raise ReplacedError
    return token


def revoke(run_key: str, token: str) -> None:
    """Invalidate a token; a newer one stays valid."""
    run_tokens.remove(run_key, _sha256(token))


class Authorized(NamedTuple):
    """What a token's run may do, for which runner, and the attempt of its worker."""

    grant: RunGrant
    caller: str
    attempt: int


def authorize(run_key: str, token: str) -> Authorized:
    """Return the grant, runner and attempt of a run's token.

    Raises AgentAPIException `unauthorized` without a reason.
    """
    stored = run_tokens.read(run_key) or _NO_TOKEN
    if not hmac.compare_digest(stored.sha256, _sha256(token)):
        raise _unauthorized()
    run, grant = runs.read(run_key), grants.read(run_key)
    if run is None or run.phase != "running" or grant is None or not run.attempt == stored.attempt == grant.attempt:
        raise _unauthorized()
    return Authorized(RunGrant.model_validate_json(grant.grant_json), stored.runner_id, stored.attempt)


def _sha256(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _unauthorized() -> AgentAPIException:
    return AgentAPIException("unauthorized", "the run token is not valid")
