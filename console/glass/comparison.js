/** Shows two runs side by side: what they come to, their steps, and their events, with what differs. */
import { html, useMemo, useState } from "../dom.js";
import { Problem } from "../problem.js";
import { address } from "../router.js";
import { number, t } from "../words.js";
import { comparedLines, comparedSteps, sumOf } from "./compare.js";
import { numbers, preview } from "./lines.js";
import { useReader } from "./reader.js";
import { useSteps } from "./steps.js";
import { Switch } from "./switch.js";
import { duration } from "./waterfall.js";

const MOST = 1_000; // pairs that are drawn

/** A run that the service has, as far as it has come. */
function useStored(api, { threadId, runId }) {
  const { rows, error, isEnded } = useReader(api, threadId, runId, true);
  const steps = useSteps(api, threadId, runId, isEnded)?.steps ?? [];
  return { threadId, runId, rows, steps, error, isEnded };
}

const Pair = ({ pair: { left, right, isSame }, show }) => html`<li class=${isSame ? "pair" : "pair differs"}>
  ${[left, right].map((each) => html`<span class=${each ? "" : "nothing"}>${each ? show(each) : html`<span class="hidden">${t("compare.nothing")}</span>`}</span>`)}
</li>`;

function Pairs({ title, pairs, isOnly, show }) {
  const differ = pairs.filter((each) => !each.isSame);
  const wanted = isOnly ? differ : pairs;
  return html`<section class="pairs">
    <h2>${title}</h2>
    <p class="summary"><span>${differ.length ? t("compare.differ", { count: number(differ.length), all: number(pairs.length) }) : t("compare.same", { count: number(pairs.length) })}</span></p>
    ${wanted.length > 0 && html`<ol tabindex="0" aria-label=${title}>${wanted.slice(0, MOST).map((pair, index) => html`<${Pair} key=${index} pair=${pair} show=${show} />`)}</ol>`}
    ${wanted.length > MOST && html`<p class="fine">${t("glass.more", { count: number(wanted.length - MOST) })}</p>`}
  </section>`;
}

const shownLine = (line) => html`<span class="id">${numbers(line)}</span> <code>${line.type}</code> <span class="what">${preview(line)}</span>`;
const shownStep = (step) => html`<code>${step.name ?? step.action}</code> <span class="what">
  ${t(`glass.lane.${step.kind}`)}${Number.isFinite(step.ms) && ` · ${duration(step.ms)}`}${step.usage && ` · ${t("glass.tokens", { input: number(step.usage.inputTokens ?? 0), output: number(step.usage.outputTokens ?? 0) })}`}${!["ok", "settled"].includes(step.outcome) && ` · ${step.outcome}`}
</span>`;

/** A table of what both come to. */
function Sums({ left, right }) {
  const both = [sumOf(left), sumOf(right)];
  const told = (count) => (count === null ? "–" : number(count));
  const lines = [
    ["events", ({ events }) => told(events)],
    ["time", ({ ms }) => (ms === null ? "–" : duration(ms))],
    ["input", ({ input }) => told(input)],
    ["output", ({ output }) => told(output)],
    ["text", ({ text }) => told(text)],
  ];
  const head = (run, name) => html`<th scope="col">${name}<br />${run.isFile ? html`<span class="fine">${t("glass.ofFile")}</span>` : html`<a href=${address("glass", run.threadId, run.runId)}>${run.runId.slice(0, 24)}</a>`}</th>`;
  return html`<div class="wide" tabindex="0" role="region" aria-label=${t("compare.heading")}><table class="sums">
    <thead><tr><td></td>${head(left, t("compare.first"))}${head(right, t("compare.second"))}</tr></thead>
    <tbody>${lines.map(([name, of]) => html`<tr><th scope="row">${t(`compare.sum.${name}`)}</th>${both.map((sum) => html`<td>${of(sum)}</td>`)}</tr>`)}</tbody>
  </table></div>`;
}

function Compared({ left, right, children }) {
  const [isOnly, only] = useState(false);
  const lines = useMemo(() => comparedLines(left.rows, right.rows), [left.rows, right.rows]);
  const steps = useMemo(() => comparedSteps(left.steps, right.steps), [left.steps, right.steps]);
  return html`
    <h1>${t("compare.heading")}</h1>
    ${[left, right].map(({ error }) => error && html`<${Problem} error=${error} />`)}
    <${Sums} left=${left} right=${right} />
    <div class="controls"><${Switch} isOn=${isOnly} set=${only}>${t("compare.only")}<//>${children}</div>
    ${steps.length > 0 && html`<${Pairs} title=${t("compare.steps")} pairs=${steps} isOnly=${isOnly} show=${shownStep} />`}
    <${Pairs} title=${t("glass.events")} pairs=${lines} isOnly=${isOnly} show=${shownLine} />
    <p class="fine">${t("compare.how")}</p>
  `;
}

/** Two runs that the service has. */
export const TwoStored = ({ api, first, second }) => html`<${Compared} left=${useStored(api, first)} right=${useStored(api, second)} />`;

/** One that it has, and one of a file. */
export const WithFile = ({ api, first, file, close }) => html`<${Compared} left=${useStored(api, first)} right=${{ ...file, isFile: true }}>
  <button type="button" onClick=${close}>${t("glass.close")}</button>
<//>`;
