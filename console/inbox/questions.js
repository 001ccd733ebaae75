/** The open questions of the user's runs: read at once for the badge of the navigation and for the inbox, and answered. */
import { useEffect } from "../dom.js";
import { knowledge } from "../known.js";

const PATH = "/api/v1/agent/interrupts";
const PAGE = 20;

/** Return a question of AG-UI's `interrupts` as the list has it. */
export const questionOf = (interrupt) => ({ kind: "form", ...interrupt, ...(interrupt.metadata?.kind && { kind: interrupt.metadata.kind }) });

/** The first page of open questions. It is read when the page is opened or seen again, when a run of this page asks, and
 * after an answer: nothing polls. */
const { now, publish, use } = knowledge({ questions: null, hasMore: false, next: undefined, error: null, readAt: 0 });
let reading = null;

export async function listOpen(api, after, signal) {
  const query = new URLSearchParams({ limit: String(PAGE), ...(after && { after }) });
  return (await api.request(`${PATH}?${query}`, { signal })).json();
}

/** Read the open questions again; reads that come while one is under way share the next one. */
export function readAgain(api) {
  reading ??= Promise.resolve()
    .then(() => listOpen(api))
    .then(
      ({ interrupts, hasMore, next }) => publish({ questions: interrupts, hasMore, next, error: null, readAt: Date.now() }),
      (error) => publish({ error }),
    )
    .finally(() => (reading = null));
  return reading;
}

/** Answer a question, or cancel it without a payload; returns the run that goes on. */
export async function give(api, id, answer) {
  const response = await api.request(`${PATH}/${encodeURIComponent(id)}`, { method: "POST", json: answer });
  left(id);
  return response.json();
}

/** Drop a question that is no longer open. */
export function left(id) {
  if (now().questions) publish({ questions: now().questions.filter((each) => each.id !== id) });
}

/** Whether a question was answered elsewhere: the list was read since, and does not have it. */
export const isGone = ({ questions, hasMore, readAt }, id, since) =>
  questions !== null && !hasMore && readAt > since && questions.every((each) => each.id !== id);

/** Return what is known of the open questions. */
export const useQuestions = use;

/** Keep them up to date while the page is open. */
export function useReading(api) {
  useEffect(() => {
    const seen = () => document.visibilityState === "visible" && readAgain(api);
    seen();
    document.addEventListener("visibilitychange", seen);
    addEventListener("online", seen);
    return () => {
      document.removeEventListener("visibilitychange", seen);
      removeEventListener("online", seen);
    };
  }, [api]);
}
