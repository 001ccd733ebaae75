/** Draws tokens by day: a bar a day, its output above its input. The table below it tells the same to who does not see it. */
import { html } from "../dom.js";
import { number, time, t } from "../words.js";
import { tokensOf } from "./sums.js";

const HEIGHT = 100;
const STEP = 10;

export const dayName = (day, options = { month: "short", day: "numeric" }) => time(`${day}T12:00Z`, { timeZone: "UTC", ...options });

export function Chart({ days, byDay }) {
  const most = Math.max(1, ...days.map((day) => tokensOf(byDay.get(day) ?? {}) ?? 0));
  const height = (tokens) => ((tokens ?? 0) / most) * HEIGHT;
  return html`<figure class="chart">
    <figcaption>
      <span class="key input">${t("usage.input")}</span>
      <span class="key output">${t("usage.output")}</span>
      <span class="most">${t("usage.most", { count: number(most, { notation: "compact", maximumFractionDigits: 1 }) })}</span>
    </figcaption>
    <svg viewBox=${`0 0 ${days.length * STEP} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label=${t("usage.chart")}>
      ${days.map((day, index) => {
        const { inputTokens, outputTokens } = byDay.get(day) ?? {};
        const [input, output] = [height(inputTokens), height(outputTokens)];
        const place = { x: index * STEP + 1, width: STEP - 2 };
        return html`<g key=${day}>
          <title>${dayName(day)}${t("colon")}${number(tokensOf({ inputTokens, outputTokens }) ?? 0)}</title>
          <rect class="ground" ...${place} y="0" height=${HEIGHT} />
          <rect class="input" ...${place} y=${HEIGHT - input} height=${input} />
          <rect class="output" ...${place} y=${HEIGHT - input - output} height=${output} />
        </g>`;
      })}
    </svg>
    <p class="ends" aria-hidden="true"><span>${dayName(days[0])}</span><span>${dayName(days.at(-1))}</span></p>
  </figure>`;
}
