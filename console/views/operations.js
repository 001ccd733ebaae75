/** Shows operators how the deployment's runs ended, what failed, how long they took and what they used. */
import { labelOf, useAgents } from "../agents.js";
import { html, useEffect, useMemo, useState } from "../dom.js";
import { Problem } from "../problem.js";
import { currentLanguage, money, number, time, t } from "../words.js";
import { EndsChart } from "../operations/chart.js";
import { LogQuery } from "../operations/log_query.js";
import { ENDS, endsBy, failuresOf, modelsOf, momentsOf, percentile, readRuns, usedBy } from "../operations/sums.js";
import { Users } from "../operations/users.js";
import { Webhooks } from "../operations/webhooks.js";
import { Period } from "../usage/period.js";
import { daysTo } from "../usage/sums.js";
import { Figure, NOTHING, Table, count } from "../usage/table.js";

const PERIODS = [1, 7];
const named = (days) => (days === 1 ? t("operations.today") : t("operations.days", { count: number(days) }));

const seconds = (ms) => number(ms / 1000, { maximumFractionDigits: 2 });

/** A bound of a bucket, which the time is at most. */
function Bound({ of: { counts }, bounds, percent }) {
  const bound = percentile(counts, bounds, percent);
  if (bound === undefined) return html`<span>${NOTHING}</span>`;
  const [key, ms] = bound === Infinity ? ["operations.longer", bounds.at(-1)] : ["operations.seconds", bound];
  return html`<span>${t(key, { count: seconds(ms) })}</span>`;
}

function Totals({ runs: { times, agents, currency } }) {
  const sums = endsBy(times, () => "all").get("all");
  const { cost, unpriced } = usedBy(agents);
  const share = (value) => t("operations.share", { share: number(value / sums.runs, { style: "percent", maximumFractionDigits: 1 }) });
  return html`<dl class="figures">
    <${Figure} name=${t("operations.runs")} value=${count(sums.runs)} part=${sums.byJobs > 0 && t("operations.byjobs", { count: count(sums.byJobs) })} />
    ${ENDS.map((end) => html`<${Figure} key=${end} name=${t(`operations.${end}`)} value=${count(sums[end])} part=${sums[end] > 0 && share(sums[end])} />`)}
    ${currency && html`<${Figure} name=${t("usage.cost")} value=${cost === undefined ? NOTHING : money(cost, currency)} part=${unpriced > 0 && t("usage.unpriced")} />`}
  </dl>`;
}

function Agents({ runs: { times, agents, firstEventBounds, durationBounds } }) {
  const { agents: known } = useAgents();
  const sums = endsBy(times, ({ agent }) => agent);
  const rows = [...sums].sort(([, one], [, other]) => other.runs - one.runs);
  const of = new Map(agents.map((each) => [each.agent, each]));
  const bounds = (measured, until) =>
    measured && html`<${Bound} of=${measured} bounds=${until} percent=${50} /> <${Bound} of=${measured} bounds=${until} percent=${95} />`;
  return html`<section aria-labelledby="operations-agents">
    <h2 id="operations-agents">${t("operations.byagent")}</h2>
    <p class="fine">${t("operations.times")}</p>
    <table>
      <caption class="hidden">${t("operations.byagent")}</caption>
      <thead>
        <tr>
          <th scope="col">${t("talk.agent")}</th><th scope="col">${t("operations.runs")}</th><th scope="col">${t("operations.failed")}</th>
          <th scope="col">${t("operations.first")}</th><th scope="col">${t("operations.duration")}</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ([agent, { runs, failed }]) => html`<tr key=${agent}>
            <th scope="row">${labelOf(known, agent)}</th>
            <td>${count(runs)}</td>
            <td>${count(failed)}</td>
            <td>${bounds(of.get(agent)?.firstEvent, firstEventBounds)}</td>
            <td>${bounds(of.get(agent)?.duration, durationBounds)}</td>
          </tr>`,
        )}
      </tbody>
    </table>
  </section>`;
}

function Failures({ agents, logGroup }) {
  const { agents: known } = useAgents();
  const failures = failuresOf(agents);
  if (!failures.length) return null;
  return html`<section aria-labelledby="operations-failures">
    <h2 id="operations-failures">${t("operations.failures")}</h2>
    <table>
      <caption class="hidden">${t("operations.failures")}</caption>
      <thead>
        <tr><th scope="col">${t("operations.code")}</th><th scope="col">${t("operations.count")}</th><th scope="col">${t("operations.latest")}</th></tr>
      </thead>
      <tbody>
        ${failures.map(
          (each) => html`<tr key=${`${each.agent} ${each.code}`}>
            <th scope="row"><code>${each.code}</code><span class="fine">${labelOf(known, each.agent)}</span></th>
            <td>${count(each.count)}</td>
            <td><code class="run-key">${each.latestRun}</code> <${LogQuery} logGroup=${logGroup} member="run_key" value=${each.latestRun}>${t(logGroup ? "operations.logs" : "operations.query")}<//></td>
          </tr>`,
        )}
      </tbody>
    </table>
  </section>`;
}

function Models({ agents, currency }) {
  const { agents: known } = useAgents();
  const rows = modelsOf(agents).map((each) => ({
    ...each,
    name: html`${labelOf(known, each.agent)}<span class="fine">${each.model ?? t("usage.nomodel")}</span>`,
  }));
  if (!rows.length) return null;
  return html`<section aria-labelledby="operations-models">
    <h2 id="operations-models">${t("operations.models")}</h2>
    <${Table} caption=${t("operations.models")} head=${t("talk.agent")} rows=${rows} currency=${currency} hasRuns=${false} />
  </section>`;
}

/** What limits refused users: the name is that of the bucket, where one code is for several. */
function Limits({ limits }) {
  if (!limits.length) return null;
  return html`<section aria-labelledby="operations-limits">
    <h2 id="operations-limits">${t("operations.limits")}</h2>
    <table>
      <caption class="hidden">${t("operations.limits")}</caption>
      <thead><tr><th scope="col">${t("operations.code")}</th><th scope="col">${t("operations.refusals")}</th></tr></thead>
      <tbody>
        ${limits.map(({ code, limit, count: times }) => html`<tr key=${`${code} ${limit}`}><th scope="row"><code>${code}</code>${limit && html`<span class="fine">${limit}</span>`}</th><td>${count(times)}</td></tr>`)}
      </tbody>
    </table>
  </section>`;
}

/** Asks for the right only when somebody wants to use it: sessions of ordinary users never carry it. */
function ForOperators({ session }) {
  return html`<div class="problem" role="status">
    <p><strong>${t("operations.forbidden")}</strong> ${t("operations.forbidden.do")}</p>
    <button type="button" class="primary" onClick=${() => session.signIn(currentLanguage(), { operates: true })}>${t("operations.signin")}</button>
  </div>`;
}

function useRuns(api, period, isAllowed) {
  const [state, set] = useState({ runs: null, error: null });
  const [tries, setTries] = useState(0);
  const days = useMemo(() => daysTo(Date.now(), period), [period, tries]);
  useEffect(() => {
    if (!isAllowed) return undefined;
    const leaving = new AbortController();
    set((before) => ({ ...before, error: null, isLoading: true }));
    readRuns(api, days, leaving.signal).then(
      (runs) => set({ runs: { ...runs, readAt: Date.now() }, error: null }),
      (error) => leaving.signal.aborted || set((before) => ({ ...before, error, isLoading: false })),
    );
    return () => leaving.abort();
  }, [api, days]);
  return { ...state, again: () => setTries((value) => value + 1) };
}

function Sums({ runs }) {
  return html`
    ${!runs.isWhole && html`<p class="note" role="status">${t("operations.partly")}</p>`}
    <${Totals} runs=${runs} />
    <${EndsChart} moments=${momentsOf(runs)} ends=${endsBy(runs.times, ({ at }) => at)} />
    <${Agents} runs=${runs} />
    <${Failures} agents=${runs.agents} logGroup=${runs.logGroup} />
    <${Models} agents=${runs.agents} currency=${runs.currency} />
  `;
}

function Operations({ api, session }) {
  const [period, choose] = useState(1);
  const { runs, error, isLoading, again } = useRuns(api, period, session.operates);
  if (!session.operates || error?.code === "AGENT_FORBIDDEN") {
    return html`<h1>${t("operations.heading")}</h1><${ForOperators} session=${session} />`;
  }
  return html`
    <h1>${t("operations.heading")}</h1>
    <${Period} periods=${PERIODS} period=${period} choose=${choose} named=${named}>
      <button type="button" disabled=${isLoading} onClick=${again}>${t("operations.refresh")}</button>
    <//>
    ${error && html`<${Problem} error=${error} retry=${again} />`}
    ${!runs && !error && html`<p class="waiting">${t("loading")}</p>`}
    ${
      runs &&
      html`<div class="used" aria-busy=${isLoading ? "true" : "false"}>
        <p class="fine">${t("operations.asof", { time: time(runs.readAt, { hour: "2-digit", minute: "2-digit", second: "2-digit" }) })}</p>
        ${runs.times.length ? html`<${Sums} runs=${runs} />` : html`<p class="empty">${t("operations.empty")}</p>`}
        <${Limits} limits=${runs.limits} />
        <${Webhooks} key=${runs.readAt} api=${api} waiting=${runs.waitingDeliveries} />
        <${Users} logGroup=${runs.logGroup} key=${runs.days.at(-1)} api=${api} day=${runs.days.at(-1)} />
      </div>`
    }
  `;
}

export default { name: "operations", title: "operations.title", inNavigation: true, component: Operations };
