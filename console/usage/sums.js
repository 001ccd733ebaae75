/**
 * Reads what the user's runs have used and adds it up. Days are in UTC, as the service counts them.
 *
 * A count that nobody reported is absent, which is not 0: a sum has it only where some row does. Cached tokens are part of the
 * input, and reasoning is part of the output, so they are in no sum.
 */
const PATH = "/api/v1/usage";
const MOST_DAYS = 31; // of one request
const MOST_PAGES = 60;
const DAY = 86_400_000; // milliseconds
const COUNTS = ["runs", "inputTokens", "outputTokens", "cachedInputTokens", "reasoningTokens", "cost"];

const dayOf = (moment) => new Date(moment).toISOString().slice(0, 10);

/** Return so many days to the one of `now`, the oldest first. */
export function daysTo(now, count) {
  return Array.from({ length: count }, (_, index) => dayOf(now - (count - 1 - index) * DAY));
}

/** Read the use of these days: its rows, speech by day, what is left today, the currency, and whether that is all. */
export async function readUsage(api, days, signal) {
  const read = { rows: [], speech: [], left: {}, currency: undefined, isWhole: true };
  let pages = 0;
  for (let start = 0; start < days.length; start += MOST_DAYS) {
    const window = days.slice(start, start + MOST_DAYS);
    const query = { from: window[0], to: window.at(-1) };
    for (let after; ; ) {
      if (pages++ === MOST_PAGES) return { ...read, isWhole: false };
      const page = await (await api.request(`${PATH}?${new URLSearchParams({ ...query, ...(after && { after }) })}`, { signal })).json();
      read.rows.push(...page.days);
      read.speech.push(...(page.speech ?? [])); // of a first page, as what is left
      read.left = page.left ?? read.left;
      read.currency = page.currency ?? read.currency;
      if (!page.hasMore) break;
      after = page.next;
    }
  }
  return read;
}

/** Return the sums of rows, and how many rows have tokens but no cost. */
export function summed(rows) {
  const sums = { unpriced: 0 };
  for (const row of rows) {
    for (const name of COUNTS) {
      if (row[name] !== undefined) sums[name] = (sums[name] ?? 0) + row[name];
    }
    if (row.cost === undefined && tokensOf(row) !== undefined) sums.unpriced += 1;
  }
  return sums;
}

/** Input and output; undefined where neither was reported. */
export const tokensOf = ({ inputTokens, outputTokens }) =>
  inputTokens === undefined && outputTokens === undefined ? undefined : (inputTokens ?? 0) + (outputTokens ?? 0);

/** Return the sums by a key of the rows, in the order in which the keys come. */
export function summedBy(rows, keyOf) {
  const groups = new Map();
  for (const row of rows) {
    const key = keyOf(row);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(row);
  }
  return [...groups].map(([key, group]) => ({ key, first: group[0], ...summed(group) }));
}
