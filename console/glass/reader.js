/** Reads a run's events with the times at which they were stored, over a connection that the user may cut. */
import { useEffect, useRef, useState } from "../dom.js";

const EMPTY = { rows: [], cuts: [], error: null, isEnded: false };
const ENDS = new Set(["RUN_FINISHED", "RUN_ERROR"]);
const bytesOf = (event) => new TextEncoder().encode(JSON.stringify(event)).length;

/** A row of the glass: the event as it is stored, without its time, which is that of its batch; null if none is known. */
export function rowOf(id, { timestamp, ...event }) {
  return { id, event, at: Number.isFinite(timestamp) ? timestamp : null, bytes: bytesOf(event) };
}

export const isEnd = ({ event }) => ENDS.has(event.type);

/** One reader of the run, which resumes after its last event whenever it is connected. `cuts` are the numbers after which
 * it went on. */
export function useReader(api, threadId, runId, isConnected) {
  const [state, set] = useState(EMPTY);
  const kept = useRef({ ...EMPTY, rows: [] });
  const started = useRef(false);
  useEffect(() => {
    const all = kept.current;
    if (!isConnected || all.isEnded) return undefined;
    const line = new AbortController();
    let frame = 0;
    const show = () => {
      frame = 0;
      set({ ...all, rows: [...all.rows] });
    };
    const resumed = (after) => (all.cuts = [...all.cuts, after]);
    const after = all.rows.at(-1)?.id ?? 0;
    if (started.current) resumed(after);
    started.current = true;
    all.error = null;
    show();
    (async () => {
      try {
        for await (const { id, event } of api.watch(threadId, runId, { after, times: true, resumed, signal: line.signal })) {
          if (line.signal.aborted) return;
          all.rows.push(rowOf(id, event));
          all.isEnded = isEnd(all.rows.at(-1));
          frame ||= requestAnimationFrame(show);
          if (all.rows.length % 500 === 0) await new Promise((resolve) => setTimeout(resolve)); // let the page breathe
        }
      } catch (error) {
        if (line.signal.aborted) return;
        all.error = error;
        frame ||= requestAnimationFrame(show);
      }
    })();
    return () => {
      line.abort();
      if (frame) {
        cancelAnimationFrame(frame);
        show();
      }
    };
  }, [api, threadId, runId, isConnected]);
  return state;
}

/** Whether both readers have the same events, as far as both have come; null without a second. */
export function agree(first, second) {
  if (!second.length) return null;
  const shared = Math.min(first.length, second.length);
  return first.slice(0, shared).every((row, index) => row.id === second[index].id && row.bytes === second[index].bytes);
}

export const isWhole = (rows) => rows.every((row, index) => row.id === index + 1);
