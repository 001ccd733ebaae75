/** Casts: asks for a question, its matter and six lines by coins, by hand or by a time, and starts the reading. */
import { html, useEffect, useLayoutEffect, useRef, useState } from "../dom.js";
import { LINES, isYang, lineOf, linesAt, moves, runInput, solarOffset, solarTerms, throwCoins } from "../cast.js";
import { takeDraft } from "../draft.js";
import { Hexagram, Line } from "../hexagram.js";
import { Problem } from "../problem.js";
import { go } from "../router.js";
import { t } from "../words.js";

// The first leaves the matter to the words of the question.
const MATTERS = ["其他", "事业", "财运", "感情", "学业", "健康", "出行", "寻物", "官司"];
const FALLING = 700; // milliseconds; as in style.css
const SHAKE = 18; // m/s², well above what a walk does to a phone
const METHODS = ["coins", "hand", "time"];

const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

function Coin({ isFlower, falls, index }) {
  const side = isFlower === undefined ? "unknown" : isFlower ? "flower" : "character";
  return html`<svg class=${`coin ${side}${falls ? " falls" : ""} n${index}`} viewBox="0 0 64 64" aria-hidden="true">
    <circle class="edge" cx="32" cy="32" r="30" />
    <circle class="ring" cx="32" cy="32" r="26" />
    <rect class="hole" x="24" y="24" width="16" height="16" />
    ${
      isFlower === false &&
      html`<g lang="zh" class="glyphs">
        <text x="32" y="19">蓍</text><text x="32" y="57">占</text><text x="13" y="38">通</text><text x="51" y="38">宝</text>
      </g>`
    }
    ${isFlower && html`<path class="flower" d="M32 9q6 6 0 12q-6-6 0-12M32 43q6 6 0 12q-6-6 0-12M9 32q6-6 12 0q-6 6-12 0M43 32q6-6 12 0q-6 6-12 0" />`}
  </svg>`;
}

function Coins({ lines, add, restart }) {
  const [coins, set] = useState([]);
  const [falls, fall] = useState(false);
  const [said, say] = useState("");
  const timer = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  const isDone = lines.length === 6;
  const [asksMotion, setAsksMotion] = useState(false);
  const toss = () => {
    if (falls || isDone) return;
    const thrown = throwCoins();
    set(thrown);
    fall(true);
    const land = () => {
      fall(false);
      add(lineOf(thrown));
      say(`${t(`line.${lines.length + 1}`)}${t("colon")}${t(`yao.${lineOf(thrown)}`)}`);
    };
    if (isStill()) land();
    else timer.current = setTimeout(land, FALLING);
  };
  const isPhone = matchMedia("(pointer: coarse)").matches && "DeviceMotionEvent" in globalThis;
  const shaken = useRef(toss);
  shaken.current = toss;
  // It starts with the first frame; another effect would start later.
  useLayoutEffect(() => {
    const moved = ({ acceleration }) => {
      const { x, y, z } = acceleration ?? {};
      if (Math.hypot(x ?? 0, y ?? 0, z ?? 0) > SHAKE) shaken.current();
    };
    addEventListener("devicemotion", moved);
    // Safari gives it after a tap alone.
    if (isPhone) globalThis.DeviceMotionEvent.requestPermission?.().catch(() => setAsksMotion(true));
    return () => removeEventListener("devicemotion", moved);
  }, []);
  return html`<div class="throwing">
    <button type="button" class="coins" onClick=${toss} disabled=${isDone} aria-describedby="coins-hint">
      <span class="tray">
        ${[0, 1, 2].map((index) => html`<${Coin} isFlower=${coins[index]} falls=${falls} index=${index} />`)}
      </span>
      <span class="label">${isDone ? t("cast.done") : t("cast.throw", { count: lines.length + 1 })}</span>
    </button>
    <p id="coins-hint" class="fine">${t(isPhone ? "cast.hint.phone" : "cast.hint")}</p>
    ${
      asksMotion &&
      html`<button type="button" class="quiet" onClick=${() => DeviceMotionEvent.requestPermission().then(() => setAsksMotion(false), () => {})}>
        ${t("cast.shake")}
      </button>`
    }
    <p class="hidden" role="status">${said}</p>
    ${lines.length > 0 && html`<button type="button" class="quiet" onClick=${() => (set([]), say(""), restart())}>${t("cast.restart")}</button>`}
  </div>`;
}

function ByHand({ lines, set }) {
  return html`<div class="byhand">
    ${[5, 4, 3, 2, 1, 0].map(
      (index) => html`<fieldset key=${index}>
        <legend>${t(`line.${index + 1}`)}</legend>
        <div>
          ${LINES.map(
            (line) => html`<label title=${t(`yao.${line}`)}>
              <input
                type="radio"
                name=${`line-${index + 1}`}
                value=${line}
                checked=${line === (lines[index] ?? LINES[0])}
                onChange=${() => set(lines.map((each, at) => (at === index ? line : each)))}
              />
              <${Line} line=${line} /><span class="hidden">${t(`yao.${line}`)}</span>
            </label>`,
          )}
        </div>
      </fieldset>`,
    )}
  </div>`;
}

/** A moment as an input has it: local, to the minute. */
const minutes = (date) => new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

function ByTime({ given, set, longitude }) {
  const [terms, setTerms] = useState(null);
  const [error, setError] = useState(null);
  const load = () => solarTerms().then((loaded) => (setTerms(loaded), setError(null)), setError);
  useEffect(() => void load(), []);
  const offset = (at) => (longitude === undefined ? undefined : solarOffset(at, longitude));
  const take = (at) => set({ at, lines: terms && !Number.isNaN(at.getTime()) ? linesAt(at, terms, offset(at)) : [] });
  useEffect(() => terms && take(given.at), [terms, longitude]);
  if (error) return html`<${Problem} error=${error} retry=${load} />`;
  return html`<div class="bytime">
    <label>${t("cast.when")}
      <input
        type="datetime-local"
        min="1900-01-01T00:00"
        max="2100-12-31T23:59"
        value=${minutes(given.at)}
        onInput=${(event) => event.target.value && take(new Date(event.target.value))}
      />
    </label>
    <button type="button" onClick=${() => take(new Date())}>${t("cast.now")}</button>
    <p class="fine">${t("cast.time.hint")}</p>
  </div>`;
}

function Cast({ api }) {
  const [draft] = useState(() => takeDraft("cast"));
  const [question, ask] = useState(draft?.text ?? "");
  const [matter, choose] = useState(MATTERS[0]);
  const [method, setMethod] = useState(METHODS[0]);
  const [thrown, setThrown] = useState([]);
  const [given, setGiven] = useState(Array(6).fill(LINES[0]));
  const [timed, setTimed] = useState(() => ({ at: new Date(), lines: [] }));
  const [east, setEast] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState(null);
  const field = useRef(null);
  // A repeated submit is the same run.
  const ids = useRef({ threadId: crypto.randomUUID(), runId: `run-${crypto.randomUUID()}` });
  const lines = { coins: thrown, hand: given, time: timed.lines }[method];
  const longitude = east !== "" && Math.abs(Number(east)) <= 180 ? Number(east) : undefined;
  const submit = async (event) => {
    event?.preventDefault();
    if (!question.trim()) return field.current.focus();
    if (lines.length < 6 || busy) return;
    setBusy(true);
    setError(null);
    try {
      const { threadId, runId } = ids.current;
      const cast = { question: question.trim(), matter, lines, byHand: method === "hand", at: method === "time" ? timed.at : undefined, longitude };
      import("./reading.js").catch(() => {}); // what comes next is loaded while the run starts
      await api.submit(runInput({ threadId, runId, ...cast }), { agent: "divination" });
      go("reading", threadId, runId);
    } catch (caught) {
      // With other words it is another run.
      if (caught.status) ids.current = { threadId: crypto.randomUUID(), runId: `run-${crypto.randomUUID()}` };
      setError(caught);
      setBusy(false);
    }
  };
  return html`<form onSubmit=${submit}>
    <h1>${t("cast.heading")}</h1>
    ${draft && html`<p class="fine of-draft">${draft.note}</p>`}
    <section class="asking">
      <div>
        <label for="question" class="step"><b aria-hidden="true">一</b>${t("cast.question")}</label>
      <textarea
        id="question"
        ref=${field}
        rows="2"
        maxlength="300"
        required
        placeholder=${t("cast.example")}
        value=${question}
        onInput=${(event) => ask(event.target.value)}
      ></textarea>
      </div>
      <fieldset class="matters">
        <legend class="step"><b aria-hidden="true">二</b>${t("cast.matter")}</legend>
        <div>
          ${MATTERS.map(
            (each) => html`<label>
              <input type="radio" name="matter" value=${each} checked=${each === matter} onChange=${() => choose(each)} />
              <span>${t(`matter.${each}`)}</span>
            </label>`,
          )}
        </div>
      </fieldset>
    </section>
    <section class="casting">
      <fieldset class="methods">
        <legend class="step"><b aria-hidden="true">三</b>${t("cast.lines")}</legend>
        <div>
          ${METHODS.map(
            (each) => html`<label>
              <input type="radio" name="method" checked=${method === each} onChange=${() => setMethod(each)} />
              <span>${t(`cast.${each}`)}</span>
            </label>`,
          )}
        </div>
      </fieldset>
      <div class=${`board of-${method}`}>
        <${Hexagram} lines=${lines} />
        ${
          method === "coins" &&
          html`<${Coins}
            lines=${thrown}
            add=${(line) => setThrown((before) => [...before, line])}
            restart=${() => setThrown([])}
          />`
        }
        ${method === "hand" && html`<${ByHand} lines=${given} set=${setGiven} />`}
        ${method === "time" && html`<${ByTime} given=${timed} set=${setTimed} longitude=${longitude} />`}
      </div>
      <label class="longitude">${t("cast.longitude")}
        <input
          type="number"
          min="-180"
          max="180"
          step="any"
          placeholder=${t("cast.longitude.example")}
          value=${east}
          aria-describedby="longitude-hint"
          onInput=${(event) => setEast(event.target.value)}
        />
      </label>
      <p id="longitude-hint" class="fine">${t("cast.longitude.hint")}</p>
    </section>
    ${error && html`<${Problem} error=${error} retry=${submit} />`}
    <p class="submit">
      <button class="primary" disabled=${lines.length < 6 || busy}>${busy ? t("cast.sending") : t("cast.read")}</button>
      ${method === "coins" && lines.length < 6 && html`<span class="fine">${t("cast.left", { count: 6 - lines.length })}</span>`}
    </p>
  </form>`;
}

export default { name: "cast", title: "cast.title", inNavigation: true, agent: "divination", component: Cast };
