/** Compares two runs: their lines and their steps, paired where they say the same or are of one kind. */
import { linesOf } from "./lines.js";

const LONGEST = 1_500; // entries of each side that are aligned; beyond, they are paired as they come
const IDS = /(^id|Id|Ids|timestamp|startedAt)$/;

/** An event as text, without what differs between any two runs: ids and times. */
const plain = (event) => JSON.stringify(event, (name, value) => (name && IDS.test(name) ? undefined : value));

const keyOfLine = ({ type, rows, text }) => (rows.length > 1 ? `${type} ${text}` : plain(rows[0].event));
const kindOfStep = ({ kind, action, name }) => `${kind} ${action} ${name ?? ""}`;

/** Pair two lists: `[left, right]`, with undefined where one has nothing of the kind. What has one key is the same; between
 * such, entries of one kind are paired in their order. */
export function paired(left, right, keyOf, kindOf) {
  const keys = [left.map(keyOf), right.map(keyOf)];
  let first = 0;
  while (first < Math.min(left.length, right.length) && keys[0][first] === keys[1][first]) first += 1;
  let last = 0;
  while (last < Math.min(left.length, right.length) - first && keys[0].at(-1 - last) === keys[1].at(-1 - last)) last += 1;
  const anchors = longestCommon(keys[0].slice(first, left.length - last), keys[1].slice(first, right.length - last));
  const pairs = left.slice(0, first).map((each, index) => [each, right[index]]);
  let [at, to] = [first, first];
  for (const [one, other] of [...anchors.map(([one, other]) => [one + first, other + first]), [left.length - last, right.length - last]]) {
    pairs.push(...between(left.slice(at, one), right.slice(to, other), kindOf));
    if (one < left.length - last) pairs.push([left[one], right[other]]);
    [at, to] = [one + 1, other + 1];
  }
  for (let index = last; index > 0; index -= 1) pairs.push([left.at(-index), right.at(-index)]);
  return pairs;
}

/** Entries that are not the same, of one kind side by side. */
function between(left, right, kindOf) {
  const pairs = [];
  const rest = [...right];
  for (const each of left) {
    const index = rest.findIndex((other) => kindOf(other) === kindOf(each));
    if (index >= 0) pairs.push(...rest.splice(0, index).map((other) => [undefined, other]));
    pairs.push([each, index >= 0 ? rest.shift() : undefined]);
  }
  return [...pairs, ...rest.map((other) => [undefined, other])];
}

/** The pairs of indices of a longest common subsequence. */
function longestCommon(left, right) {
  if (!left.length || !right.length || left.length > LONGEST || right.length > LONGEST) return [];
  const width = right.length + 1;
  const lengths = new Uint16Array((left.length + 1) * width);
  for (let one = left.length - 1; one >= 0; one -= 1) {
    for (let other = right.length - 1; other >= 0; other -= 1) {
      const at = one * width + other;
      lengths[at] = left[one] === right[other] ? lengths[at + width + 1] + 1 : Math.max(lengths[at + width], lengths[at + 1]);
    }
  }
  const pairs = [];
  for (let one = 0, other = 0; one < left.length && other < right.length; ) {
    if (left[one] === right[other]) pairs.push([one++, other++]);
    else if (lengths[(one + 1) * width + other] >= lengths[one * width + other + 1]) one += 1;
    else other += 1;
  }
  return pairs;
}

/** The lines of two runs side by side: `{ left, right, isSame }`; a line has its numbers, type and text. */
export function comparedLines(left, right) {
  const pairs = paired(linesOf(left, []), linesOf(right, []), keyOfLine, ({ type }) => type);
  return pairs.map(([one, other]) => ({ left: one, right: other, isSame: Boolean(one && other) && keyOfLine(one) === keyOfLine(other) }));
}

/** The steps of two runs side by side, which are the same if they came out alike. */
export function comparedSteps(left, right) {
  const keyOf = (step) => `${kindOfStep(step)} ${step.outcome}`;
  return paired(left, right, keyOf, kindOfStep).map(([one, other]) => ({
    left: one,
    right: other,
    isSame: Boolean(one && other) && keyOf(one) === keyOf(other),
  }));
}

/** What a run comes to: its events, the time that they span, the tokens of its steps and the length of its text; null is what
 * nobody reported. */
export function sumOf({ rows, steps }) {
  const times = rows.map(({ at }) => at).filter((at) => at !== null);
  const used = steps.map(({ usage }) => usage).filter(Boolean);
  const tokens = (member) => (used.length ? used.reduce((sum, usage) => sum + (usage[member] ?? 0), 0) : null);
  return {
    events: rows.length,
    ms: times.length ? times.at(-1) - times[0] : null,
    input: tokens("inputTokens"),
    output: tokens("outputTokens"),
    text: rows.filter(({ event }) => event.type === "TEXT_MESSAGE_CONTENT").reduce((sum, { event }) => sum + String(event.delta).length, 0),
  };
}

