/**
 * The ways to the views: a row under the header, and on phones a bar at the thumb with the first ones and the others behind "More".
 *
 * Which of the two it is, style.css says. Both are the same links in the same order.
 */
import { html, useLayoutEffect, useRef, useState } from "./dom.js";
import { address } from "./router.js";
import { number, t } from "./words.js";

const IN_BAR = 4;

/** Paths of 24 by 24, by the name of a view; a view of one's own may bring its own as `icon`. */
const ICONS = {
  cast: "M4 6h16M4 12h6.500M13.500 12H20M4 18h16",
  talk: "M5 5h14a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1h-7l-4 4v-4H5a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1z",
  inbox: "M4 13 6.500 5h11L20 13v6H4zM4 13h4.500l1.500 2.500h4l1.500-2.500H20",
  history: "M12 4a8 8 0 1 1-.01 0zM12 8v4.500l3 1.800",
  workspace: "M4 5h16v14H4zM4 10h16M10 10v9",
  jobs: "M5 6h14v14H5zM5 10.500h14M9 3.500V8M15 3.500V8",
  usage: "M4 20h16M7 20v-6M12 20V5M17 20v-9",
  connections: "M9 3v5M15 3v5M6 8h12v3a6 6 0 0 1-12 0zM12 17v4",
  operations: "M4 12h3.500l2.500-6 4 12 2.500-6H20",
  glass: "M10.500 4a6.500 6.500 0 1 1-.01 0zM15.200 15.200 20 20",
};
const MORE = "M6 12h.01M12 12h.01M18 12h.01";
const OTHER = "M12 6a6 6 0 1 1-.01 0z";

const Icon = ({ path }) => html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d=${path} /></svg>`;

/** How many questions wait, beside the name of their view; of many, only that there are more. */
function Badge({ badge: { count, isMore } }) {
  const label = t(isMore ? "inbox.more" : "inbox.count", { count: number(count) });
  return html`<span class="badge-count" aria-hidden="true">${number(count)}${isMore && "+"}</span><span class="hidden">${t("colon")}${label}</span>`;
}

export function Navigation({ views, view, questions, who }) {
  const [isOpen, open] = useState(false);
  const nav = useRef(null);
  const button = useRef(null);
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    const outside = ({ target }) => nav.current.contains(target) || open(false);
    const escape = (event) => {
      if (event.key !== "Escape") return;
      open(false);
      button.current.focus();
    };
    const listeners = { pointerdown: outside, focusin: outside, keydown: escape };
    for (const [type, listener] of Object.entries(listeners)) document.addEventListener(type, listener);
    return () => {
      for (const [type, listener] of Object.entries(listeners)) document.removeEventListener(type, listener);
    };
  }, [isOpen]);
  const isCurrent = (each) => each === view || view.under === each.name;
  const entry = (each) => {
    const badge = each.badge?.(questions);
    return html`<li key=${each.name}>
      <a href=${address(each.name)} aria-current=${isCurrent(each) ? "page" : undefined} onClick=${() => open(false)}>
        <${Icon} path=${each.icon ?? ICONS[each.name] ?? OTHER} /><span>${t(each.title)}</span>${badge && html`<${Badge} badge=${badge} />`}
      </a>
    </li>`;
  };
  const entries = views.filter((each) => each.inNavigation);
  const inBar = entries.length > IN_BAR + 1 ? IN_BAR : entries.length;
  const others = entries.slice(inBar);
  return html`<nav class="views" ref=${nav} aria-label=${t("views")}>
    <ul class="bar">
      ${entries.slice(0, inBar).map(entry)}
      ${
        others.length > 0 &&
        html`<li class="more">
          <button type="button" ref=${button} aria-expanded=${isOpen ? "true" : "false"} aria-controls="more-views" class=${others.some(isCurrent) ? "current" : ""} onClick=${() => open(!isOpen)}>
            <${Icon} path=${MORE} /><span>${t("more")}</span>
          </button>
        </li>`
      }
    </ul>
    ${
      others.length > 0 &&
      html`<ul id="more-views" class=${isOpen ? "open" : ""}>
        ${others.map(entry)}
        <li class="whose">${who}</li>
      </ul>`
    }
  </nav>`;
}
