/** A switch with its label. */
import { html } from "../dom.js";

export const Switch = ({ isOn, set, children }) =>
  html`<button type="button" role="switch" class="switch" aria-checked=${isOn ? "true" : "false"} onClick=${() => set(!isOn)}>
    <span class="track" aria-hidden="true"></span>${children}
  </button>`;
