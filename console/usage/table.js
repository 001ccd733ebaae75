/** Sums of what was used, as figures and in tables. */
import { html } from "../dom.js";
import { money, number, t } from "../words.js";
import { tokensOf } from "./sums.js";

export const NOTHING = "–";
const COMPACT = 1_000_000; // from here on, a number is shortened

/** A number, shortened where it is long; a dash for what nobody reported. */
export const count = (value) =>
  value === undefined ? NOTHING : value < COMPACT ? number(value) : number(value, { notation: "compact", maximumFractionDigits: 2 });

export function Figure({ name, value, part }) {
  return html`<div><dt>${name}</dt><dd><b>${value}</b>${part && html`<span class="fine">${part}</span>`}</dd></div>`;
}

/** Sums in rows, of runs unless what is summed is a part of them: on a phone, input and output share a column. */
export function Table({ caption, head, rows, currency, hasRuns = true }) {
  return html`<table>
    <caption class="hidden">${caption}</caption>
    <thead>
      <tr>
        <th scope="col">${head}</th>${hasRuns && html`<th scope="col">${t("usage.runs")}</th>`}
        <th scope="col">${t("usage.tokens")}</th>${currency && html`<th scope="col">${t("usage.cost")}</th>`}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (each) => html`<tr key=${each.key}>
          <th scope="row">${each.name}</th>
          ${hasRuns && html`<td>${count(each.runs)}</td>`}
          <td>
            ${
              tokensOf(each) === undefined
                ? NOTHING
                : html`<span>${t("usage.in", { count: count(each.inputTokens) })}</span> <span>${t("usage.out", { count: count(each.outputTokens) })}</span>`
            }
          </td>
          ${currency && html`<td>${each.cost === undefined ? NOTHING : money(each.cost, currency)}</td>`}
        </tr>`,
      )}
    </tbody>
  </table>`;
}
