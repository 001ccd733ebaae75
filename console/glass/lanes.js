/** Folds a run's events and steps into the lanes of its waterfall: each with a begin and an end in milliseconds. */

const TEXT = "TEXT_MESSAGE_START";
const OPENS = { TEXT_MESSAGE_START: "messageId", TOOL_CALL_START: "toolCallId" };
const CLOSES = { TEXT_MESSAGE_END: "messageId", TOOL_CALL_RESULT: "toolCallId" };

/** The batches of a run: the events that were stored at once, by their time. */
export function batchesOf(rows) {
  const batches = [];
  for (const { id, at, bytes } of rows) {
    if (at === null) continue;
    const last = batches.at(-1);
    if (last?.at === at) Object.assign(last, { last: id, bytes: last.bytes + bytes });
    else batches.push({ at, first: id, last: id, bytes });
  }
  return batches;
}

function tokensOf({ usage }) {
  if (!usage) return undefined;
  const cost = Number.isFinite(usage.cost) ? usage.cost : undefined;
  return { input: usage.inputTokens ?? 0, output: usage.outputTokens ?? 0, cost, currency: usage.currency };
}

function stepLane(step, end) {
  const begin = Date.parse(step.startedAt);
  const kind = step.action === "steps.sleep" ? "wait" : step.kind;
  const to = Number.isFinite(step.ms) ? begin + step.ms : end;
  return { kind, step: step.id, name: step.name ?? step.action, begin, end: Math.max(begin, to), outcome: step.outcome, attempt: step.attempt, notForkable: step.notForkable, tokens: tokensOf(step) };
}

/** Texts and calls as the events tell them; calls that are steps of their own are left to these. */
function eventLanes(rows, steps, end) {
  const open = new Map();
  const lanes = [];
  const isStep = new Set(steps.filter((each) => each.kind === "tool").map((each) => each.name));
  for (const { id, event, at } of rows) {
    if (at === null) continue;
    const [opens, closes] = [OPENS[event.type], CLOSES[event.type]];
    if (opens && !isStep.has(event.toolCallName)) {
      const lane = { kind: event.type === TEXT ? "text" : "call", name: event.toolCallName ?? "", begin: at, end, at: id, isOpen: true };
      open.set(event[opens], lane);
      lanes.push(lane);
    }
    const lane = closes && open.get(event[closes]);
    if (lane) Object.assign(lane, { end: at, isOpen: false });
  }
  return lanes;
}

/** Return the lanes in the order in which they begin, and the whole: `begin`, `end`, `batches`. Null without a time. */
export function waterfallOf(rows, steps, { isEnded, now }) {
  const batches = batchesOf(rows);
  if (!batches.length) return null;
  const begin = Math.min(batches[0].at, ...steps.map((each) => Date.parse(each.startedAt)));
  const last = batches.at(-1).at;
  const end = Math.max(isEnded ? last : Math.max(last, now), begin + 1);
  const started = rows.find(({ event, at }) => at !== null && event.type === "STEP_STARTED");
  const queue = { kind: "queue", name: "", begin, end: started?.at ?? (isEnded ? last : end), at: rows[0].id };
  const lanes = [...steps.map((each) => stepLane(each, end)), ...eventLanes(rows, steps, end)];
  lanes.sort((one, other) => one.begin - other.begin);
  let attempt = null;
  const told = [];
  const calls = rows.filter(({ event }) => event.type === "TOOL_CALL_START");
  for (const lane of lanes) {
    if (lane.attempt !== undefined && attempt !== null && lane.attempt > attempt) {
      told.push({ kind: "handover", name: "", begin: lane.begin, end: lane.begin, attempt: lane.attempt });
    }
    attempt = lane.attempt === undefined ? attempt : Math.max(attempt ?? 0, lane.attempt);
    // A tool's step is of the next call of its name: an event is stored some time after it was made, with those before it.
    const call = lane.kind === "tool" ? calls.findIndex(({ event }) => event.toolCallName === lane.name) : -1;
    const shown = call < 0 ? rows.find(({ at }) => at !== null && at >= lane.begin) : calls.splice(call, 1)[0];
    told.push({ ...lane, at: lane.at ?? shown?.id });
  }
  return { begin, end, batches, lanes: [queue, ...told] };
}

/** The tokens of all model calls, and what those with a price cost; undefined where none has one. */
export function tokensIn(lanes) {
  const sum = { input: 0, output: 0, cost: undefined, currency: undefined };
  for (const { tokens } of lanes) {
    if (!tokens) continue;
    sum.input += tokens.input;
    sum.output += tokens.output;
    if (tokens.cost !== undefined) Object.assign(sum, { cost: (sum.cost ?? 0) + tokens.cost, currency: tokens.currency });
  }
  return sum;
}
