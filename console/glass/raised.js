/** Shows the agent's author what its runner raised. */
import { html } from "../dom.js";
import { t } from "../words.js";

const traced = ({ frames }) => frames.map(({ file, line, function: name, code }) => `${file}:${line}  ${name}\n    ${code}`).join("\n");

export function Raised({ exceptions }) {
  if (!exceptions.length) return null;
  return html`<section class="raised" aria-label=${t("glass.raised")}>
    <h2>${t("glass.raised")}</h2>
    ${exceptions.map(
      (each, index) => html`<div key=${index}>
        ${index > 0 && html`<p class="fine">${t("glass.raised.because")}</p>`}
        <p><code>${each.type}</code> ${each.message}</p>
        ${each.frames.length > 0 && html`<pre tabindex="0"><code>${traced(each)}</code></pre>`}
      </div>`,
    )}
  </section>`;
}
