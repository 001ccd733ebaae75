/**
 * Reads what operators are told of all runs, and adds it up. Hours and days are in UTC.
 *
 * Percentiles are the upper bounds of buckets: those of several agents come from their counts, which can be added.
 */
import { summed } from "../usage/sums.js";

const PATH = "/api/v1/operations";
export const ENDS = ["completed", "asked", "failed", "canceled"];

/** Read the sums of these days, by hour if it is one. */
export async function readRuns(api, days, signal) {
  const per = days.length > 1 ? "day" : "hour";
  const query = new URLSearchParams({ from: days[0], to: days.at(-1), per });
  return { per, days, ...(await (await api.request(`${PATH}/runs?${query}`, { signal })).json()) };
}

/** Read a page of a day's users, or what the one of this subject used. */
export async function readUsers(api, { day, subject, after }, signal) {
  const query = new URLSearchParams({ day, ...(subject && { subject }), ...(after && { after }) });
  return (await api.request(`${PATH}/users?${query}`, { signal })).json();
}

/** Read the webhooks of the deployment; null where there are none for operators. */
export async function readWebhooks(api, signal) {
  try {
    return (await (await api.request("/api/v1/webhooks", { signal })).json()).webhooks;
  } catch (error) {
    if (error?.status === 403 || error?.status === 404) return null;
    throw error;
  }
}

/** Return the moments that the sums are of: the hours of a day, or the days. */
export const momentsOf = ({ per, days }) =>
  per === "day" ? days : Array.from({ length: 24 }, (_, hour) => `${days[0]}T${String(hour).padStart(2, "0")}:00Z`);

/** Return the sums of rows with ends, by a key of theirs. */
export function endsBy(rows, keyOf) {
  const sums = new Map();
  for (const row of rows) {
    const key = keyOf(row);
    if (!sums.has(key)) sums.set(key, { runs: 0, byJobs: 0, ...Object.fromEntries(ENDS.map((end) => [end, 0])) });
    const sum = sums.get(key);
    for (const name of Object.keys(sum)) sum[name] += row[name];
  }
  return sums;
}

/** Return the bound up to which so many percent of the counted are; undefined for nothing, Infinity above the last bound. */
export function percentile(counts, bounds, percent) {
  let rank = Math.ceil((counts.reduce((sum, count) => sum + count, 0) * percent) / 100);
  if (!rank) return undefined;
  for (const [place, count] of counts.entries()) {
    rank -= count;
    if (rank <= 0) return bounds[place] ?? Infinity;
  }
  return undefined;
}

/** Return the failures of all agents, the most frequent first. */
export const failuresOf = (agents) =>
  agents
    .flatMap(({ agent, failures }) => failures.map((failure) => ({ agent, ...failure })))
    .sort((one, other) => other.count - one.count);

/** Return what agents used of their models, the most expensive first, then those with most tokens. */
export const modelsOf = (agents) =>
  agents
    .flatMap(({ agent, models }) => models.map((each) => ({ agent, key: `${agent}\n${each.provider ?? ""}\n${each.model ?? ""}`, ...each })))
    .sort((one, other) => (other.cost ?? 0) - (one.cost ?? 0) || (other.inputTokens ?? 0) - (one.inputTokens ?? 0));

/** Return the sums of tokens and money of all agents. */
export const usedBy = (agents) => summed(modelsOf(agents));

/** Return the query of CloudWatch Logs Insights that finds a run's lines, or a user's by the pseudonym. */
export const logQuery = (member, value) =>
  `filter ${member} = "${value}" | fields @timestamp, function_name, level, message, code, exception, run_key | sort @timestamp`;

const WEEK = 604_800; // seconds

/** Return the address of a query in CloudWatch's console, which writes its state into the fragment in a form of its own. */
export function logLink({ region, name }, query) {
  const text = (value) => `'${encodeURIComponent(value).replace(/%/g, "*")}`;
  const detail = `~(end~0~start~-${WEEK}~timeType~'RELATIVE~unit~'seconds~editorString~${text(query)}~source~(~${text(name)}))`;
  return `https://${region}.console.aws.amazon.com/cloudwatch/home?region=${region}#logsV2:logs-insights$3FqueryDetail$3D${detail}`;
}
