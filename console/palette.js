/** Goes anywhere by the keyboard: views, agents, recent sessions and languages by their names; and a list of the shortcuts. */
import { talks, useAgents } from "./agents.js";
import { html, useEffect, useLayoutEffect, useRef, useState } from "./dom.js";
import { address } from "./router.js";
import { isMac } from "./shortcuts.js";
import { LANGUAGES, currentLanguage, t } from "./words.js";

const MOST = 60; // entries that are shown
const COMMAND = isMac ? "⌘" : "Ctrl";

/** Keys, and the name of what they do. */
const SHORTCUTS = [
  [[COMMAND, "K"], "palette"],
  [[COMMAND, "/"], "list"],
  [["Enter"], "send"],
  [["Shift", "Enter"], "newline"],
  [["Space"], "coins"],
  [["↑", "↓"], "rows"],
  [["Esc"], "close"],
];

/** A modal dialog while it is drawn; its end is told by `close`. */
function Dialog({ label, name, close, children }) {
  const dialog = useRef(null);
  useLayoutEffect(() => {
    dialog.current.showModal();
  }, []);
  const outside = (event) => event.target === dialog.current && dialog.current.close();
  return html`<dialog ref=${dialog} class=${name} aria-label=${label} onClose=${close} onClick=${outside}>${children}</dialog>`;
}

export const Shortcuts = ({ close }) => html`<${Dialog} label=${t("shortcut.title")} name="shortcuts" close=${close}>
  <h2>${t("shortcut.title")}</h2>
  <dl>
    ${SHORTCUTS.map(
      ([keys, name]) => html`<div key=${name}>
        <dt>${keys.map((each) => html`<kbd>${each}</kbd>`)}</dt>
        <dd>${t(`shortcut.${name}`)}</dd>
      </div>`,
    )}
  </dl>
  <form method="dialog" class="buttons"><button class="primary" autofocus>${t("glass.close")}</button></form>
<//>`;

/** The latest sessions by their words; none while they come, or if they cannot be read. */
function useSessions(api) {
  const [sessions, set] = useState([]);
  useEffect(() => {
    const leaving = new AbortController();
    api.sessions(undefined, leaving.signal).then(({ messages }) => set(messages), () => {});
    return () => leaving.abort();
  }, []);
  return sessions.map(({ threadId, content, agent_output: output }) => ({
    title: (output?.divination_derived?.question ?? content).slice(0, 120) || t("history.title"),
    of: t("history.title"),
    href: address("session", threadId),
  }));
}

export function Palette({ api, views, close, help, changed, signOut }) {
  const { agents } = useAgents();
  const sessions = useSessions(api);
  const [wish, set] = useState("");
  const [at, move] = useState(0);
  const list = useRef(null);
  const chosen = useRef(null); // done once the dialog has closed, which gives the focus back first
  const entries = [
    ...views.filter((each) => each.inNavigation).map((each) => ({ title: t(each.title), of: t("palette.view"), href: address(each.name) })),
    ...(agents ?? []).filter(talks).map((each) => ({ title: t("talk.heading", { agent: each.label }), of: each.name, href: address("talk", each.name) })),
    ...sessions,
    ...Object.entries(LANGUAGES).filter(([tag]) => tag !== currentLanguage()).map(([tag, title]) => ({ title, of: t("language"), lang: tag, act: () => changed(tag) })),
    { title: t("shortcut.title"), of: "", act: help },
    { title: t("signout"), of: "", act: signOut },
  ];
  const words = wish.toLowerCase().split(/\s+/).filter(Boolean);
  const found = entries.filter(({ title, of }) => words.every((word) => `${title}\n${of}`.toLowerCase().includes(word))).slice(0, MOST);
  const current = Math.min(at, found.length - 1);
  useLayoutEffect(() => list.current.children[current]?.scrollIntoView({ block: "nearest" }), [current]);
  const choose = (entry) => {
    chosen.current = entry;
    list.current.closest("dialog").close();
  };
  const closed = () => {
    close();
    if (chosen.current?.href) location.hash = chosen.current.href;
    chosen.current?.act?.();
  };
  const keyed = (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && found.length) move((current + step + found.length) % found.length);
    else if (event.key === "Enter" && !event.isComposing && found[current]) choose(found[current]);
    else return;
    event.preventDefault();
  };
  return html`<${Dialog} label=${t("palette.title")} name="palette" close=${closed}>
    <input
      type="text"
      role="combobox"
      autofocus
      autocomplete="off"
      aria-label=${t("palette.title")}
      aria-expanded="true"
      aria-controls="palette-list"
      aria-activedescendant=${found.length ? `palette-${current}` : undefined}
      placeholder=${t("palette.hint")}
      value=${wish}
      onInput=${(event) => (set(event.target.value), move(0))}
      onKeyDown=${keyed}
    />
    <ul id="palette-list" role="listbox" aria-label=${t("palette.title")} ref=${list}>
      ${found.map(
        (each, index) => html`<li key=${`${each.of} ${each.href ?? each.title}`} id=${`palette-${index}`} role="option" aria-selected=${index === current ? "true" : "false"} onClick=${() => choose(each)} onMouseMove=${() => move(index)}>
          <span class="what" lang=${each.lang}>${each.title}</span><span class="fine">${each.of}</span>
        </li>`,
      )}
    </ul>
    <p class="fine" role="status">${found.length === 0 && t("palette.none")}</p>
  <//>`;
}
