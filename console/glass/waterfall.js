/** Draws where a run's time went: its queue, steps, model calls, tools, waits and texts, and when batches were stored. */
import { html } from "../dom.js";
import { money, number, t } from "../words.js";
import { NotForkable } from "./fork.js";
import { Inside } from "./inside.js";
import { tokensIn } from "./lanes.js";

const WIDTH = 1000;
const MOST = 200; // lanes and batches that are drawn

/** A duration as one reads it. */
export function duration(milliseconds) {
  if (milliseconds < 1_000) return t("glass.ms", { count: number(Math.round(milliseconds)) });
  const seconds = milliseconds / 1_000;
  if (seconds < 120) return t("glass.seconds", { count: number(Math.round(seconds * 100) / 100) });
  return t("glass.minutes", { count: number(Math.round(seconds / 6) / 10) });
}

const nameOf = (lane) => `${t(`glass.lane.${lane.kind}`)}${lane.attempt && lane.kind === "handover" ? ` ${number(lane.attempt)}` : ""}`;

const Tokens = ({ tokens: { input, output, cost, currency } }) =>
  html`<span>${t("glass.tokens", { input: number(input), output: number(output) })}</span>
    ${cost !== undefined && html`<span class="cost">${money(cost, currency)}</span>`}`;

function Lane({ lane, begin, scale, go, fork, inside }) {
  const length = lane.end - lane.begin;
  const isBad = lane.outcome && !["ok", "settled", "running"].includes(lane.outcome);
  return html`<li class=${`lane ${lane.kind}${isBad ? " bad" : ""}`}>
    <button type="button" disabled=${lane.at === undefined} onClick=${() => go(lane.at)}>
      <span class="what"><span class="of">${nameOf(lane)}</span>${lane.name && html` <span class="name">${lane.name}</span>`}</span>
      <svg viewBox=${`0 0 ${WIDTH} 10`} preserveAspectRatio="none" aria-hidden="true">
        <rect class="bar" x=${Math.min(scale(lane.begin), WIDTH - 3)} y="1" width=${Math.max(3, scale(lane.end) - scale(lane.begin))} height="8" />
      </svg>
      <span class="took">
        ${lane.begin > begin && html`<span>+${duration(lane.begin - begin)}</span>`}
        ${length > 0 && html`<b>${duration(length)}</b>`}
        ${lane.tokens && html`<${Tokens} tokens=${lane.tokens} />`}
        ${isBad && html`<span class="outcome">${lane.outcome}</span>`}
      </span>
    </button>
    ${
      fork &&
      lane.step &&
      !lane.notForkable &&
      html`<button type="button" class="quiet fork" title=${t("fork.what")} aria-label=${t("fork.at", { name: lane.name })} onClick=${() => fork(lane.step)}>
        ${t("fork.here")}
      </button>`
    }
    ${
      inside &&
      lane.step &&
      lane.kind === "model" &&
      html`<${Inside} ...${inside} step=${lane.step} name=${lane.name}>
        ${lane.tokens && html`<${Tokens} tokens=${lane.tokens} />`}
      <//>`
    }
    ${fork && lane.notForkable && html`<${NotForkable} why=${lane.notForkable} />`}
  </li>`;
}

/** `fork` is called with the step from which the run is to be repeated, where that may be; `notForkable` is why it may not.
 * `inside` names the run whose models' prompts and answers are kept, for those who are told. */
export function Waterfall({ fall, go, fork, notForkable, inside }) {
  const { begin, end, batches, lanes } = fall;
  const scale = (at) => Math.round(((at - begin) / (end - begin)) * WIDTH * 10) / 10;
  const tokens = tokensIn(lanes);
  const drawn = batches.length > MOST ? batches.filter((_, index) => index % Math.ceil(batches.length / MOST) === 0) : batches;
  return html`<section class="waterfall" aria-label=${t("glass.waterfall")}>
    <h2>${t("glass.waterfall")}</h2>
    <p class="summary">
      <span>${duration(end - begin)}</span>
      <span>${t("glass.batches", { count: number(batches.length) })}</span>
      ${tokens.input + tokens.output > 0 && html`<${Tokens} tokens=${tokens} />`}
    </p>
    ${notForkable && html`<${NotForkable} why=${notForkable} />`}
    <ol class=${fork && lanes.some(({ step }) => step) ? "lanes forkable" : "lanes"}>
      ${lanes.slice(0, MOST).map((lane, index) => html`<${Lane} key=${index} lane=${lane} begin=${begin} scale=${scale} go=${go} fork=${fork} inside=${inside} />`)}
      <li class="lane batches">
        <span class="what"><span class="of">${t("glass.lane.batches")}</span></span>
        <svg viewBox=${`0 0 ${WIDTH} 10`} preserveAspectRatio="none" aria-hidden="true">
          ${drawn.map(({ at }) => html`<rect key=${at} class="bar" x=${Math.min(scale(at), WIDTH - 2)} y="0" width="2" height="10" />`)}
        </svg>
        <span class="took"><b>${number(batches.length)}</b></span>
      </li>
    </ol>
    ${lanes.length > MOST && html`<p class="fine">${t("glass.more", { count: number(lanes.length - MOST) })}</p>`}
  </section>`;
}
