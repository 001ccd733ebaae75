/** A dialog that asks before something is lost. */
import { html, useEffect, useRef } from "./dom.js";
import { t } from "./words.js";

export function Confirm({ title, what, action, confirmed, left }) {
  const dialog = useRef(null);
  useEffect(() => dialog.current.showModal(), []);
  return html`<dialog ref=${dialog} aria-labelledby="confirming" onClose=${left}>
    <h2 id="confirming">${title}</h2>
    <p>${what}</p>
    <p class="buttons">
      <button type="button" class="primary" onClick=${confirmed}>${action}</button>
      <button type="button" onClick=${() => dialog.current.close()}>${t("jobs.cancel")}</button>
    </p>
  </dialog>`;
}
