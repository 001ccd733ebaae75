/** Draws how runs ended: a bar an hour or a day. The table of agents has the sums, for who does not see it. */
import { html } from "../dom.js";
import { number, time, t } from "../words.js";
import { dayName } from "../usage/chart.js";
import { ENDS } from "./sums.js";

const HEIGHT = 100;
const STEP = 10;

const nameOf = (moment) =>
  moment.includes("T") ? time(moment, { timeZone: "UTC", hour: "2-digit", minute: "2-digit", hourCycle: "h23" }) : dayName(moment);

export function EndsChart({ moments, ends }) {
  const most = Math.max(1, ...[...ends.values()].map(({ runs }) => runs));
  return html`<figure class="chart">
    <figcaption>
      ${ENDS.map((end) => html`<span key=${end} class=${`key end-${end}`}>${t(`operations.${end}`)}</span>`)}
      <span class="most">${t("operations.most", { count: number(most) })}</span>
    </figcaption>
    <svg viewBox=${`0 0 ${moments.length * STEP} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label=${t("operations.chart")}>
      ${moments.map((moment, index) => {
        const sums = ends.get(moment);
        const place = { x: index * STEP + 1, width: STEP - 2 };
        let top = HEIGHT;
        return html`<g key=${moment}>
          <title>${nameOf(moment)}${t("colon")}${sums ? ENDS.filter((end) => sums[end]).map((end) => `${t(`operations.${end}`)} ${number(sums[end])}`).join(", ") : number(0)}</title>
          <rect class="ground" ...${place} y="0" height=${HEIGHT} />
          ${ENDS.map((end) => {
            const height = ((sums?.[end] ?? 0) / most) * HEIGHT;
            top -= height;
            return html`<rect key=${end} class=${`end-${end}`} ...${place} y=${top} height=${height} />`;
          })}
        </g>`;
      })}
    </svg>
    <p class="ends" aria-hidden="true"><span>${nameOf(moments[0])}</span><span>${nameOf(moments.at(-1))}</span></p>
  </figure>`;
}
