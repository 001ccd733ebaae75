"""Calls of remote runners, authorised by token; one cached RunApi per run and process.

Rates are counted per process, model calls across processes (`shared_budget`).
"""

import asyncio
from collections import OrderedDict
from collections.abc import Collection, Sequence
from functools import partial
from typing import Final

from yarrow.observability.logs import correlate
from yarrow.protocol.run_input.client_time import client_time_of
from yarrow.protocol.run_input.member_names import member
from yarrow.protocol.runner.tools import TimeZones
from yarrow.services import run_services, run_tokens
from yarrow.services.api.run_api import RunApi
from yarrow.services.models.gateway import ModelGateway
from yarrow.services.models.shared_budget import SharedBudget
from yarrow.services.steps.asking import RunQuestions
from yarrow.services.steps.step_log import StepLog
from yarrow.store import runs, sessions

MAX_CACHED_RUNS: Final = 32

_cache: OrderedDict[tuple[str, str], tuple[RunApi, ModelGateway]] = OrderedDict()


async def api_of(run_key: str, token: str) -> RunApi:
    """Return the API of the run with this token. Raises AgentAPIException `unauthorized`."""
    grant, caller, attempt = await asyncio.to_thread(run_tokens.authorize, run_key, token)
    correlate(run_key=run_key)
    if (run_key, token) not in _cache:
        run, time_zones = await asyncio.to_thread(_read, run_key)
        if (run_key, token) not in _cache:  # another first call may have created it
            steps = StepLog(run.log_key, attempt, recorded=None, run_key=run_key)
            asking = RunQuestions(steps, partial(_left_open, run))
            _cache[run_key, token] = run_services.api_of(
                grant,
                caller,
                time_zones,
                SharedBudget(run_key),
                steps,
                asking=asking,
                remembered=partial(_approved_tools, run),
            )
    _cache.move_to_end((run_key, token))
    api, _ = _cache[run_key, token]
    while len(_cache) > MAX_CACHED_RUNS:
        _, (oldest, models) = _cache.popitem(last=False)
        oldest.close()
        await models.aclose()
    return api


def _read(run_key: str) -> tuple[runs.Run, TimeZones]:
    run = runs.must_read(run_key)
    client_time = client_time_of(member(runs.read_input(run.log_key), "forwardedProps"))
    device = None if client_time is None else client_time.device_timezone
    return run, TimeZones(device, run.zoneinfo)


def _approved_tools(run: runs.Run) -> Collection[str]:
    return sessions.must_read(run.thread_id).approved_tools


def _left_open(run: runs.Run) -> Sequence[sessions.OpenQuestion]:
    return sessions.must_read(run.thread_id).open_questions if run.earlier else ()
