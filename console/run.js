/** Follows a run for a view: its text, its divination, its end, and where a lost connection was taken up. */
import { html, useEffect, useRef, useState } from "./dom.js";
import { readAgain } from "./inbox/questions.js";
import { number, t } from "./words.js";

const EMPTY = { text: "", divination: null, output: null, ended: null, error: null, last: 0, wentOn: null };

/** Return the state after one more event. */
export function grown(state, { id, event }) {
  const next = { ...state, last: id };
  switch (event.type) {
    case "DIVINATION_DERIVED":
      return { ...next, divination: event.divination };
    case "TEXT_MESSAGE_CONTENT":
      return { ...next, text: state.text + event.delta };
    case "TEXT_MESSAGE_END":
      return { ...next, output: event.status ? event : state.output };
    case "RUN_FINISHED":
      return { ...next, ended: event.type, asks: event.outcome?.type === "interrupt" };
    case "RUN_ERROR":
      return { ...next, ended: event.type, error: { code: event.code, message: event.message } };
    default:
      return next;
  }
}

/** Tells quietly that a lost connection was taken up again, and where. */
export const WentOn = ({ after }) => html`<p class="fine went-on" role="status">${after !== null && t("wentOn", { after: number(after) })}</p>`;

/** Watch a run to its end, again when a lost network is back. States come at most once a frame; `ended` is called with
 * the last one. */
export function useRun(api, threadId, runId, ended) {
  const [state, set] = useState(EMPTY);
  const [tries, setTries] = useState(0);
  const done = useRef(ended);
  done.current = ended;
  const again = () => setTries((count) => count + 1);
  useEffect(() => {
    if (!runId) return undefined;
    const leaving = new AbortController();
    let current = EMPTY;
    set(EMPTY);
    let frame = 0;
    const show = () => {
      frame = 0;
      set(current);
    };
    const resumed = (after) => (current = { ...current, wentOn: after });
    (async () => {
      try {
        for await (const told of api.watch(threadId, runId, { resumed, signal: leaving.signal })) {
          current = grown(current, told);
          frame ||= requestAnimationFrame(show);
          if (told.id % 1000 === 0) await new Promise((resolve) => setTimeout(resolve)); // let the page breathe
        }
      } catch (error) {
        if (leaving.signal.aborted) return;
        current = { ...current, error, ended: "LOST" };
        addEventListener("online", again, { once: true, signal: leaving.signal });
      }
      cancelAnimationFrame(frame);
      if (leaving.signal.aborted) return;
      set(current);
      if (current.asks) readAgain(api);
      done.current?.(current);
    })();
    return () => {
      cancelAnimationFrame(frame);
      leaving.abort();
    };
  }, [api, threadId, runId, tries]);
  return [state, again];
}

/** Shows text that arrives in bursts evenly: a share of the rest with each frame. */
export function useSmooth(text, isLive) {
  const [shown, show] = useState(isLive ? 0 : text.length);
  const still = useRef(matchMedia("(prefers-reduced-motion: reduce)").matches);
  useEffect(() => {
    if (still.current || shown >= text.length) return undefined;
    const frame = requestAnimationFrame(() => show(Math.min(text.length, shown + Math.ceil((text.length - shown) / 14))));
    return () => cancelAnimationFrame(frame);
  }, [text, shown]);
  return still.current || !isLive ? text : text.slice(0, shown);
}
