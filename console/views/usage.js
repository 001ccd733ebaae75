/** Shows what the user's runs have used, by day, agent and model, and what today's limits still allow. */
import { labelOf, useAgents } from "../agents.js";
import { html, useEffect, useMemo, useState } from "../dom.js";
import { Problem } from "../problem.js";
import { address } from "../router.js";
import { money, number, time, t } from "../words.js";
import { Chart, dayName } from "../usage/chart.js";
import { Period } from "../usage/period.js";
import { daysTo, readUsage, summed, summedBy, tokensOf } from "../usage/sums.js";
import { Figure, NOTHING, Table, count } from "../usage/table.js";

const PERIODS = [7, 30, 90];
const named = (days) => t("usage.period.days", { count: number(days) });
const minutes = (seconds) => number(seconds / 60, { maximumFractionDigits: seconds < 600 ? 1 : 0 });

function useUsage(api, period) {
  const days = useMemo(() => daysTo(Date.now(), period), [period]);
  const [state, set] = useState({ usage: null, error: null });
  const [tries, setTries] = useState(0);
  useEffect(() => {
    const leaving = new AbortController();
    set((before) => ({ ...before, error: null, isLoading: true }));
    readUsage(api, days, leaving.signal).then(
      (usage) => set({ usage: { ...usage, days }, error: null }),
      (error) => leaving.signal.aborted || set((before) => ({ ...before, error, isLoading: false })),
    );
    return () => leaving.abort();
  }, [api, days, tries]);
  return { ...state, again: () => setTries((value) => value + 1) };
}

/** What today still allows: only of limits that the deployment has. */
function Left({ left: { tokensToday, speechSecondsToday, runsThisMinute } }) {
  if (tokensToday === undefined && speechSecondsToday === undefined && runsThisMinute === undefined) return null;
  const midnight = new Date(new Date().setUTCHours(24, 0, 0, 0));
  return html`<section aria-labelledby="usage-left">
    <h2 id="usage-left">${t("usage.left")}</h2>
    <dl class="figures">
      ${tokensToday !== undefined && html`<${Figure} name=${t("usage.left.tokens")} value=${count(tokensToday)} />`}
      ${speechSecondsToday !== undefined && html`<${Figure} name=${t("usage.left.speech")} value=${minutes(speechSecondsToday)} />`}
      ${runsThisMinute !== undefined && html`<${Figure} name=${t("usage.left.runs")} value=${count(runsThisMinute)} />`}
    </dl>
    <p class="fine">${t("usage.left.until", { time: time(midnight, { hour: "2-digit", minute: "2-digit" }) })}</p>
  </section>`;
}

function Totals({ sums, seconds, currency }) {
  const { runs, inputTokens, outputTokens, cachedInputTokens, reasoningTokens, cost, unpriced } = sums;
  return html`<dl class="figures">
    <${Figure} name=${t("usage.runs")} value=${count(runs ?? 0)} />
    <${Figure} name=${t("usage.input")} value=${count(inputTokens)} part=${cachedInputTokens !== undefined && t("usage.cached", { count: count(cachedInputTokens) })} />
    <${Figure} name=${t("usage.output")} value=${count(outputTokens)} part=${reasoningTokens !== undefined && t("usage.reasoning", { count: count(reasoningTokens) })} />
    ${seconds > 0 && html`<${Figure} name=${t("usage.speech")} value=${minutes(seconds)} />`}
    ${currency && html`<${Figure} name=${t("usage.cost")} value=${cost === undefined ? NOTHING : money(cost, currency)} part=${unpriced > 0 && t("usage.unpriced")} />`}
  </dl>`;
}

function Used({ usage: { rows, speech, currency, days, isWhole } }) {
  const { agents } = useAgents();
  const sums = summed(rows);
  const seconds = speech.reduce((sum, each) => sum + each.seconds, 0);
  const groups = summedBy(rows, ({ agent, model = "" }) => `${agent}\n${model}`)
    .map((each) => ({ ...each, name: html`${labelOf(agents, each.first.agent)}<span class="fine">${each.first.model ?? t("usage.nomodel")}</span>` }))
    .sort((one, other) => (tokensOf(other) ?? 0) - (tokensOf(one) ?? 0));
  const byDay = new Map(summedBy(rows, ({ day }) => day).map((each) => [each.key, each]));
  const spoken = new Map(speech.map((each) => [each.day, each.seconds]));
  const listed = days
    .filter((day) => byDay.has(day) || spoken.has(day))
    .reverse()
    .map((day) => {
      const words = spoken.get(day);
      return { key: day, ...byDay.get(day), name: html`<time datetime=${day}>${dayName(day)}</time>${words && html`<span class="fine">${t("usage.spoken", { count: minutes(words) })}</span>`}` };
    });
  return html`
    ${!isWhole && html`<p class="note" role="status">${t("usage.partly")}</p>`}
    <${Totals} sums=${sums} seconds=${seconds} currency=${currency} />
    ${tokensOf(sums) !== undefined && html`<${Chart} days=${days} byDay=${byDay} />`}
    ${
      rows.length > 0 &&
      html`<h2>${t("usage.by")}</h2>
        <${Table} caption=${t("usage.by")} head=${t("talk.agent")} rows=${groups} currency=${currency} />`
    }
    <details>
      <summary>${t("usage.days")}</summary>
      <${Table} caption=${t("usage.days")} head=${t("usage.day")} rows=${listed} currency=${currency} />
    </details>
  `;
}

function Usage({ api }) {
  const [period, choose] = useState(30);
  const { usage, error, isLoading, again } = useUsage(api, period);
  const isEmpty = usage && !usage.rows.length && !usage.speech.length;
  return html`
    <h1>${t("usage.heading")}</h1>
    <${Period} periods=${PERIODS} period=${period} choose=${choose} named=${named} />
    ${error && html`<${Problem} error=${error} retry=${again} />`}
    ${!usage && !error && html`<p class="waiting">${t("loading")}</p>`}
    ${
      usage &&
      !(error && isEmpty) &&
      html`<div class="used" aria-busy=${isLoading ? "true" : "false"}>
        ${isEmpty ? html`<p class="empty">${t("usage.empty")} <a href=${address("talk")}>${t("empty.talk")}</a></p>` : html`<${Used} usage=${usage} />`}
        <${Left} left=${usage.left} />
      </div>`
    }
  `;
}

export default { name: "usage", title: "usage.title", inNavigation: true, component: Usage };
