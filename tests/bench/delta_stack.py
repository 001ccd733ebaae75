"""The local stack with an agent that says as many pieces as its question asks for: what `bench_runs` measures.

`python -m tests.bench.delta_stack` serves as `python -m local` does. The question is JSON, `{"deltas": 2000,
"rate": 0}`; `rate` is pieces per second, 0 for as fast as they are taken. A piece is the moment it was said, by the
machine's monotonic clock. `delta_graph` is the same agent for the peers. With SPANS, calls are recorded in that file.
"""

import asyncio
import json
import os
import sys
import time
from collections.abc import AsyncGenerator
from pathlib import Path

from local.__main__ import main
from tests.bench.engine import spans
from yarrow.protocol.runner.models import AgentRunContext, AgentRunResult
from yarrow.protocol.runner.proxy import AgentRunAPIProxy


class DeltaRunner:
    """Says so many pieces, at such a rate."""

    async def run(self, context: AgentRunContext, _api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        """Yield the pieces, the whole message and the end."""
        request = json.loads(context.input.text or "")
        clock = asyncio.get_running_loop().time
        start, texts = clock(), []
        for number in range(request["deltas"]):
            if request["rate"]:
                await asyncio.sleep(start + number / request["rate"] - clock())
            texts.append(f"{time.monotonic():.5f} ")
            chunk = {"role": "assistant", "content": texts[-1]}
            yield AgentRunResult(run_id=context.run_id, type="message.delta", data={"chunk": chunk})
        whole = {"role": "assistant", "content": "".join(texts)}
        yield AgentRunResult(run_id=context.run_id, type="message.completed", data={"message": whole})
        yield AgentRunResult(run_id=context.run_id, type="run.completed")


if __name__ == "__main__":
    from tests.support.runners.scripted import stand_in
    from yarrow.worker.invocation.registry import registry

    if path := os.environ.get("SPANS"):
        spans.install(Path(path))
    vars(registry)["find"] = lambda _: stand_in(DeltaRunner)
    code = main()
    sys.stderr.flush()
    os._exit(code)  # as `local` ends: without waiting for functions that are still running
