/** The shortcuts of the whole page. What they open is loaded when it is first asked for. */
import { html, useEffect, useState } from "./dom.js";
import { t } from "./words.js";

export const isMac = /^(Mac|iP)/.test(navigator.platform);

/** Whether an event has the platform's command key alone. */
const isCommand = ({ metaKey, ctrlKey, altKey, shiftKey }) => (isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey) && !altKey && !shiftKey;

/** Listens for the shortcuts, and has a button that tells them; `given` is what the palette needs. */
export function ShortcutKeys({ ...given }) {
  const [opened, open] = useState(null);
  const [parts, load] = useState(null);
  const show = (name) => {
    open(name);
    if (!parts) import("./palette.js").then((module) => load(() => module), () => open(null)); // without a network there is none
  };
  useEffect(() => {
    const keyed = (event) => {
      const name = { k: "Palette", "/": "Shortcuts" }[event.key.toLowerCase()];
      if (!name || !isCommand(event) || document.querySelector("dialog[open]")) return;
      event.preventDefault();
      show(name);
    };
    document.addEventListener("keydown", keyed);
    return () => document.removeEventListener("keydown", keyed);
  }, [parts]);
  const close = () => open((now) => (now === opened ? null : now)); // another may have been opened meanwhile
  return html`<button type="button" class="quiet palette-key" aria-keyshortcuts=${isMac ? "Meta+K" : "Control+K"} onClick=${() => show("Palette")}><span class="hidden">${t("palette.title")}${" "}</span><kbd>${isMac ? "⌘" : "Ctrl"} K</kbd></button>
    ${opened && parts && html`<${parts[opened]} ...${given} close=${close} help=${() => open("Shortcuts")} />`}`;
}
