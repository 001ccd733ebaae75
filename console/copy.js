/** A button that copies a text. */
import { html, useState } from "./dom.js";
import { t } from "./words.js";

export function Copy({ text, quiet, children }) {
  const [copied, set] = useState(null);
  const copy = () => navigator.clipboard?.writeText(text).then(() => set(text), () => {});
  return html`<button type="button" class=${quiet ? "quiet" : ""} onClick=${copy}>${copied === text ? t("copied") : (children ?? t("copy"))}</button>`;
}
