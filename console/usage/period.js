/** Chooses how many days are shown. */
import { html } from "../dom.js";
import { t } from "../words.js";

/** `named` says a period of so many days; `children` stand beside the choices. */
export const Period = ({ periods, period, choose, named, children }) => html`
  <fieldset class="methods">
    <legend class="hidden">${t("usage.period")}</legend>
    <div>
      ${periods.map(
        (each) => html`<label key=${each}>
          <input type="radio" name="period" value=${each} checked=${each === period} onChange=${() => choose(each)} />
          <span>${named(each)}</span>
        </label>`,
      )}
      ${children}
    </div>
  </fieldset>
`;
