/** Lists the lines of a run in rows of one height, of which only those in sight are drawn, and shows the chosen one whole. */
import { html, useEffect, useLayoutEffect, useRef, useState } from "../dom.js";
import { number, time, t } from "../words.js";
import { numbers, preview } from "./lines.js";

const PHONE = matchMedia("(max-width: 45.99rem)");
/** The height of a row in pixels, as `--row` in style.css: on a phone that of a thumb. */
const rowHeight = () => (PHONE.matches ? 44 : 28);
const BEYOND = 20; // rows above and below those in sight
const CLOCK = { hour: "2-digit", minute: "2-digit", second: "2-digit", fractionalSecondDigits: 3, hourCycle: "h23" };

function Row({ line, isChosen, choose }) {
  if (line.cut !== undefined) return html`<li class="row cut">${t("glass.wentOn", { after: line.cut })}</li>`;
  return html`<li class="row event">
    <button type="button" aria-pressed=${isChosen ? "true" : "false"} data-id=${line.id} onClick=${() => choose(isChosen ? null : line.id)}>
      <span class="id">${numbers(line)}</span>
      <span class="type">${line.type}</span>
      <span class="said">${preview(line)}</span>
      <time>${line.at === null ? "" : time(line.at, CLOCK)}</time>
      <span class="bytes">${number(line.bytes)}</span>
    </button>
  </li>`;
}

/** The chosen line: the text of its deltas and its events as JSON. */
function Whole({ line, close }) {
  const first = line.rows[0];
  return html`<section class="whole-event" aria-label=${t("glass.json", { id: numbers(line) })}>
    <div class="heading"><h2>${numbers(line)} <code>${line.type}</code></h2><button type="button" class="quiet" onClick=${close}>${t("glass.close")}</button></div>
    ${line.rows.length > 1 && html`<p class="fine">${t("glass.deltas", { count: number(line.rows.length) })}</p><pre tabindex="0" class="text">${line.text}</pre>`}
    <pre tabindex="0" class="json"><code>${JSON.stringify(first.event, null, 2)}</code></pre>
  </section>`;
}

/** `wish` is an event to bring into sight: `{ id }`, a new object for each time. */
export function List({ lines, isLive, wish }) {
  const scroll = useRef(null);
  const [above, below] = [useRef(null), useRef(null)];
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(560);
  const [row, setRow] = useState(rowHeight);
  const [chosen, choose] = useState(null);
  const follows = useRef(isLive);
  const first = Math.max(0, Math.min(Math.floor(top / row) - BEYOND, lines.length - 1));
  const last = Math.min(lines.length, Math.ceil((top + height) / row) + BEYOND);
  useLayoutEffect(() => {
    above.current.style.height = `${first * row}px`;
    below.current.style.height = `${Math.max(0, lines.length - last) * row}px`;
  }, [first, last, lines.length, row]);
  useLayoutEffect(() => {
    if (isLive && follows.current) scroll.current.scrollTop = scroll.current.scrollHeight;
  }, [lines.length]);
  useEffect(() => {
    const resized = new ResizeObserver(() => (setHeight(scroll.current?.clientHeight || 560), setRow(rowHeight())));
    resized.observe(scroll.current);
    return () => resized.disconnect();
  }, []);
  const bring = (index) => {
    scroll.current.scrollTop = Math.max(0, index * row - scroll.current.clientHeight / 2);
    choose(lines[index].id);
  };
  useEffect(() => {
    if (!wish) return;
    const index = lines.findLastIndex((line) => line.cut === undefined && line.id <= wish.id);
    if (index < 0) return;
    bring(index);
    scroll.current.scrollIntoView({ block: "nearest" });
  }, [wish]);
  const scrolled = ({ target }) => {
    follows.current = target.scrollHeight - target.scrollTop - target.clientHeight < row;
    setTop(target.scrollTop);
  };
  /** The arrow keys go from row to row, also to those that are not drawn yet. */
  const keyed = (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 18, PageUp: -18 }[event.key];
    const from = lines.findIndex((line) => line.id === Number(event.target.dataset?.id) && line.cut === undefined);
    if (!step || from < 0) return;
    event.preventDefault();
    let to = Math.max(0, Math.min(lines.length - 1, from + step));
    while (lines[to]?.cut !== undefined) to += Math.sign(step);
    if (!lines[to]) return;
    const { clientHeight, scrollTop } = scroll.current;
    if (to * row < scrollTop || (to + 1) * row > scrollTop + clientHeight) scroll.current.scrollTop = to * row - clientHeight / 2;
    requestAnimationFrame(() => requestAnimationFrame(() => scroll.current?.querySelector(`[data-id="${lines[to].id}"]`)?.focus({ preventScroll: true })));
  };
  const line = chosen === null ? undefined : lines.find((each) => each.id === chosen && each.cut === undefined);
  return html`<div class=${line ? "inspected" : ""}>
    <div>
      <div class="columns-of-events" aria-hidden="true">
        <span class="id">${t("glass.number")}</span><span>${t("glass.type")}</span><span class="said"></span><span>${t("glass.time")}</span><span class="bytes">${t("glass.bytes")}</span>
      </div>
      <section class="events" aria-label=${t("glass.events")} ref=${scroll} onScroll=${scrolled} onKeyDown=${keyed} tabindex="-1">
        <div ref=${above}></div>
        <ol>${lines.slice(first, last).map((each) => html`<${Row} key=${each.cut === undefined ? each.id : `cut ${each.cut}`} line=${each} isChosen=${each === line} choose=${choose} />`)}</ol>
        <div ref=${below}></div>
      </section>
    </div>
    ${line && html`<${Whole} line=${line} close=${() => choose(null)} />`}
  </div>`;
}
