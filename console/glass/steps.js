/** Reads the steps of a run, and the run that it was forked from. */
import { useEffect, useState } from "../dom.js";

/** The run's `steps` and `forkedFrom`: read when it is opened and when it has ended; null before that, and where they cannot be read. */
export function useSteps(api, threadId, runId, isEnded) {
  const [list, set] = useState(null);
  useEffect(() => {
    const leaving = new AbortController();
    const path = `/api/v1/agent/runs/${encodeURIComponent(threadId)}/steps?${new URLSearchParams({ runId })}`;
    const read = async () => (await api.request(path, { signal: leaving.signal })).json();
    read().then(
      (document) => leaving.signal.aborted || set(document),
      () => {}, // the events are shown without them
    );
    return () => leaving.abort();
  }, [threadId, runId, isEnded]);
  return list;
}
