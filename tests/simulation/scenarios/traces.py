"""Traces of a deployment's runs, and an OTLP endpoint that is down for days, slow, wrong about some, or takes them."""

import gzip
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final
from unittest.mock import patch

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from tests.simulation import bursts
from tests.simulation.bursts import Bursts
from tests.simulation.queues import PARAMETERS
from tests.simulation.receivers import Post, Servers
from tests.simulation.rules import stored_runs
from tests.simulation.scenarios.jobs import DAY
from tests.simulation.world import World
from tests.support.traces.receiver import attributes_of
from yarrow.outbound.posting import PostResult
from yarrow.protocol import trace_context
from yarrow.settings import settings
from yarrow.store.runner import secrets
from yarrow.traces import endpoint
from yarrow.traces import semantic_conventions as names

URL: Final = PARAMETERS["TracesEndpoint"]
DAYS: Final = 2
UP: Final = PostResult(20, 200)
DOWN: Final = PostResult(20, 503)
DENIED: Final = PostResult(20, 401)
INVALID: Final = PostResult(20, 400)
DEAD: Final = PostResult(10_000)
SLOW: Final = PostResult(9_000, 200)
HEADER: Final = "Authorization"
TOKEN: Final = "Bearer of-the-simulation"
WORDS: Final = "好".encode()
ASKED: Final = "ask"
"""The span of a question, which is there once it is answered."""
PATIENCE: Final = 23 * 3_600.0
"""Seconds for which a trace is sent again at least."""
TRACED: Final = frozenset({"run.completed", "run.failed", "run.canceled"})


class _Secrets:
    """Secrets Manager, which has the endpoint's headers."""

    def BatchGetSecretValue(self, SecretIdList: list[str]) -> dict[str, Any]:  # noqa: N802, N803
        found = [{"Name": name, "SecretString": f"{HEADER}={TOKEN}"} for name in SecretIdList]
        return {"SecretValues": found, "Errors": []}


@dataclass
class _Watch:
    world: World
    found: Bursts
    servers: Servers

    def sent(self) -> Iterator[tuple[Post, dict[str, list[Span]]]]:
        """Yield the posts, each with the spans of its runs by trace."""
        for post in self.servers.posts:
            traces: dict[str, list[Span]] = {}
            for resource in ExportTraceServiceRequest.FromString(gzip.decompress(post.body)).resource_spans:
                for scope in resource.scope_spans:
                    for span in scope.spans:
                        spans = traces.setdefault(span.trace_id.hex(), [])
                        if span not in spans:  # an event that came twice at once
                            spans.append(span)
            yield post, traces


def begin(world: World) -> Callable[[], None]:
    """Begin bursts of runs."""
    chance, scheduler = world.scheduler.chance, world.scheduler
    found = bursts.begin(world, "export_traces", DAYS)
    content = chance.random() < 0.3
    vars(settings).update(traces_endpoint=URL, traces_have_content=content, runner_secrets="yarrow/runners/")
    world.patches.enter_context(patch.dict(secrets._cache, clear=True))
    world.aws.services["secretsmanager"] = _Secrets()
    answer, at = chance.choice(_PROFILES), chance.uniform(0, 0.6)
    servers = Servers(world, lambda _: answer(chance, scheduler.now / DAY, at))
    world.patches.enter_context(patch.object(endpoint, "post", servers.post))
    scheduler.spawn("beginning", lambda: found.runs(chance.randint(2, 3)))
    watch = _Watch(world, found, servers)

    def check() -> None:
        found.check()
        _check_sent(watch)
        _check_spans(watch, content=content)
        _check_bounds(watch)

    return check


# ---- Endpoints, by what they do at a time in days --------------------------------------------------------------------
def _down(chance: Any, now: float, at: float) -> PostResult:
    """Return the answer of one that is down for most of a day, then takes all."""
    return chance.choice((DOWN, DEAD, DENIED)) if at < now < at + 0.8 else UP


_PROFILES: Final[tuple[Callable[[Any, float, float], PostResult], ...]] = (
    lambda _chance, _now, _at: UP,
    lambda chance, _now, _at: chance.choice((UP, UP, DOWN, DEAD)),
    lambda chance, _now, _at: chance.choice((SLOW, DEAD)),
    lambda chance, _now, _at: chance.choice((UP, UP, INVALID)),
    _down,
    _down,
    lambda chance, _now, _at: chance.choice((DOWN, DENIED)),
)


# ---- What must hold --------------------------------------------------------------------------------------------------
def _check_sent(watch: _Watch) -> None:
    """Check that each ended run's trace was sent, unless the endpoint called it invalid, or took nothing for a day."""
    taken: set[str] = set()
    invalid: set[str] = set()
    for post, traces in watch.sent():
        taken |= traces.keys() if post.is_taken else set()
        invalid |= traces.keys() if post.status == INVALID.status else set()
    dead = {document["detail"]["id"] for document in watch.found.queue.dead}
    for event in watch.found.bus.once:
        trace = trace_context.context_of(event["data"]["runKey"], None).trace_id
        if event["type"] in TRACED and trace not in taken | invalid and event["id"] not in dead:
            watch.world.violated(f"the trace of {event['data']['runId']} was not sent")
    known = {trace_context.context_of(run.key, None).trace_id for run in stored_runs() if run.ended}
    if taken - known:
        watch.world.violated(f"{len(taken - known)} traces are of no run that has ended")


def _check_spans(watch: _Watch, *, content: bool) -> None:
    """Check that a trace is the same whenever it is sent, says how its run ended, and has no words it may not have."""
    phases = {trace_context.context_of(run.key, None).trace_id: (run.key, run.phase) for run in stored_runs()}
    first: dict[str, dict[bytes, tuple[str, int]]] = {}
    for post, traces in watch.sent():
        if post.headers[HEADER] != TOKEN:
            watch.world.violated("a trace is sent without the headers of the secret")
        for trace, spans in traces.items():
            there = {span.span_id: (span.name, span.start_time_unix_nano) for span in spans}
            known = first.setdefault(trace, there)
            more = [name for span, (name, _) in there.items() if span not in known and name != ASKED]
            if known.items() - there.items() or more:
                watch.world.violated(f"{trace} came again as another trace, with {more}")
            (root,) = (span for span in spans if not span.parent_span_id)
            attributes = attributes_of(root)
            if (attributes[names.RUN_KEY], attributes[names.RUN_PHASE]) != phases[trace]:
                watch.world.violated(f"{trace} is of another run, or ended otherwise")
            if len({span.span_id for span in spans}) != len(spans):
                watch.world.violated(f"{trace} has a span twice")
            has_words = any(WORDS in span.SerializeToString() for span in spans)
            if has_words and not content:
                watch.world.violated(f"{trace} has words that a run has said")


def _check_bounds(watch: _Watch) -> None:
    """Check that an invocation asks an endpoint that fails once, and for how long what is given up was tried."""
    posts = Counter(post.actor for post in watch.servers.posts if not post.is_taken and post.status != INVALID.status)
    if any(count > 1 for count in posts.values()):
        watch.world.violated(f"an endpoint that is down was asked {max(posts.values())} times by one invocation")
    times: defaultdict[str, list[float]] = defaultdict(list)
    for batch in watch.found.queue.batches.values():
        for document in batch.documents:
            times[document["detail"]["id"]].append(batch.began)
    for document in watch.found.queue.dead:
        tried = times[document["detail"]["id"]]
        if max(tried) - min(tried) < PATIENCE:
            watch.world.violated(f"{document['detail']['id']} was given up after {max(tried) - min(tried):.0f} s")
