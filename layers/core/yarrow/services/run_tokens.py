"""The run token: how the host knows a remote runner again when it calls back (RNR-50, RNR-51, RNR-64).

A token is 256 random bits, made when the remote run starts and known to its function alone. It is good while its run
is running and no later worker has claimed it; when the remote run ends, it is removed. What its bearer may do, and
until when, is the grant's.
"""

import hashlib
import hmac
import math
import secrets
from typing import Final

from yarrow.agents.grants import RunGrant
from yarrow.protocol.runner.api import AgentAPIException
from yarrow.store import runs
from yarrow.store.runner import grants, run_tokens
from yarrow.store.runner.run_tokens import StoredToken
from yarrow.store.runs import ReplacedError

KEPT_SECONDS = 3_600
"""How long after the deadline the table may forget a token; the deadline itself is checked at each call."""

_NO_TOKEN: Final = StoredToken(sha256="", attempt=0, runner_id="")


def issue(run_key: str, runner_id: str, deadline_at: float) -> str:
    """Make the token of a run that its worker has claimed and prepared; an earlier one is good no longer.

    `deadline_at`, in seconds since the epoch, is that of the grant which the worker has kept: by it a worker knows its
    own. Raises ReplacedError when the run has ended or a later worker has taken it up.
    """
    run, stored = runs.must_read(run_key), grants.read(run_key)
    if run.ended or stored is None or run.attempt != stored.attempt:
        raise ReplacedError
    if RunGrant.model_validate_json(stored.grant_json).deadline_at != deadline_at:
        raise ReplacedError
    token = secrets.token_urlsafe(32)
    made = StoredToken(_sha256(token), stored.attempt, runner_id)
    if not run_tokens.replace(run_key, made, math.ceil(deadline_at) + KEPT_SECONDS):
        raise ReplacedError
    return token


def revoke(run_key: str, token: str) -> None:
    """End a token. One that was made since stays."""
    run_tokens.remove(run_key, _sha256(token))


def authorize(run_key: str, token: str) -> tuple[RunGrant, str]:
    """What the bearer of a run's token may do, and the id of the runner that it is.

    Raises AgentAPIException `unauthorized`, which does not tell what is wrong.
    """
    stored = run_tokens.read(run_key) or _NO_TOKEN
    if not hmac.compare_digest(stored.sha256, _sha256(token)):
        raise _unauthorized()
    run, grant = runs.read(run_key), grants.read(run_key)
    if run is None or run.phase != "running" or grant is None or not run.attempt == stored.attempt == grant.attempt:
        raise _unauthorized()
    return RunGrant.model_validate_json(grant.grant_json), stored.runner_id


def _sha256(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _unauthorized() -> AgentAPIException:
    return AgentAPIException("unauthorized", "the run token is not valid")
