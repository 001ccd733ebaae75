/** A run as a file, which support sends and the glass opens: its events with their times, and its steps. */
import { rowOf } from "./reader.js";

const FORMAT = "yarrow-run/1";
export const LARGEST = 64 * 1024 * 1024; // bytes
const MOST = 200_000; // events
const MOST_STEPS = 10_000;

/** The document of a run's file. */
export const exported = ({ threadId, runId, rows, steps }) => ({
  format: FORMAT,
  threadId,
  runId,
  exportedAt: new Date().toISOString(),
  events: rows.map(({ id, at, event }) => ({ id, at, event })),
  steps: steps ?? [],
});

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isName = (value) => typeof value === "string" && value.length <= 128;

/** Return what a file says, or null if it is not the file of a run. */
export function imported(text) {
  let document;
  try {
    document = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isObject(document) || document.format !== FORMAT) return null;
  const { threadId, runId, events, steps = [] } = document;
  if (![threadId, runId].every(isName) || !Array.isArray(events) || !Array.isArray(steps)) return null;
  if (!events.length || events.length > MOST || steps.length > MOST_STEPS) return null;
  let last = 0;
  for (const { id, event } of events.map((each) => (isObject(each) ? each : {}))) {
    if (!Number.isSafeInteger(id) || id <= last || !isObject(event) || typeof event.type !== "string") return null;
    last = id;
  }
  const rows = events.map(({ id, at, event }) => rowOf(id, { ...event, timestamp: at }));
  return { threadId, runId, rows, steps: steps.filter(isStep) };
}

const isStep = (step) =>
  isObject(step) && ["id", "kind", "action", "startedAt", "outcome"].every((member) => typeof step[member] === "string") && !Number.isNaN(Date.parse(step.startedAt));
