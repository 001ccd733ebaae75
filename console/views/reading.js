/** Shows a reading: the plate, the streamed or stored answer, follow-ups and exports. */
import { html, useEffect, useRef, useState } from "../dom.js";
import { runOf } from "../api.js";
import { Markdown } from "../markdown.js";
import { TellMe } from "../notifications/offers.js";
import { focusOf, linesIn } from "../najia.js";
import { Plate } from "../plate.js";
import { Problem } from "../problem.js";
import { address, settle } from "../router.js";
import { WentOn, useRun, useSmooth } from "../run.js";
import { download, fileName, json, picture } from "../save.js";
import { time, t } from "../words.js";

const GRADES = ["上上签", "中上签", "中下签", "下下签"];

/** When a cast was made, by the clock where it was made: it is stored as 2026年04月03日 20:30. */
function castAt(stored) {
  const [year, month, ...others] = stored.match(/\d+/g)?.map(Number) ?? [];
  if (others.length !== 3) return stored;
  return time(Date.UTC(year, month - 1, ...others), { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });
}

export const Seal = ({ level }) =>
  html`<span class=${`seal g${GRADES.indexOf(level)}`} role="img" aria-label=${t(`grade.${level}`)}>
    <span lang="zh" aria-hidden="true">${[...level].slice(0, 2).map((each) => html`<i>${each}</i>`)}</span>
  </span>`;

/** What a reading rests on; a reason lights the lines of the plate that it names. */
function Reasons({ output, light }) {
  const [chosen, choose] = useState(null);
  const { worldPosition: world, responsePosition: response } = output.divination_derived;
  const of = { focus: focusOf(output)?.position, world, response };
  return html`<ul class="reasons">
    ${output.focus_points.map((each, index) => {
      const lines = linesIn(each, of);
      if (!lines.length) return html`<li>${each}</li>`;
      const isChosen = chosen === index;
      const toggle = () => {
        choose(isChosen ? null : index);
        light(isChosen ? [] : lines);
      };
      const leave = () => light(chosen === null ? [] : linesIn(output.focus_points[chosen], of));
      return html`<li>
        <button type="button" aria-pressed=${isChosen ? "true" : "false"} title=${t("reading.light")} onClick=${toggle} onMouseEnter=${() => light(lines)} onMouseLeave=${leave}>${each}</button>
      </li>`;
    })}
  </ul>`;
}

/** Shows the answer to a cast once it is complete. */
function Whole({ output, light }) {
  if (output.status !== "success" || !output.sign_level) return html`<${Markdown} text=${output.answer} />`;
  return html`<div class="whole">
    <div class="verdict">
      <${Seal} level=${output.sign_level} />
      <div>
        <p class="grade">${t(`grade.${output.sign_level}`)}</p>
        ${output.conclusion.map((each, index) => html`<p class=${index ? "more" : "lead"}>${each}</p>`)}
      </div>
    </div>
    <h3>${t("reading.advice")}</h3>
    <ul class="advice">${output.advice.map((each) => html`<li>${each}</li>`)}</ul>
    <details>
      <summary>${t("reading.reasons")}</summary>
      <${Reasons} output=${output} light=${light} />
      <p class="keywords" lang="zh">${output.keywords.map((each) => html`<span>${each}</span>`)}</p>
    </details>
    <details>
      <summary>${t("reading.whole")}</summary>
      <${Markdown} text=${output.answer} />
    </details>
  </div>`;
}

const Live = ({ run }) => {
  const text = useSmooth(run.text, !run.ended);
  return html`<div class=${run.ended ? "" : "live"} aria-busy=${run.ended ? "false" : "true"}>
    ${text || run.ended ? html`<${Markdown} text=${text} />` : html`<p class="waiting">${t("reading.waiting")}</p>`}
  </div>`;
};

/** Exports a reading: as a picture, to a printer, to another app, or as JSON. */
function TakeAlong({ api, threadId, divination, output, setError }) {
  const title = divination?.question ?? threadId;
  const asPicture = () =>
    picture({
      figure: document.querySelector(".plate"),
      question: title,
      grade: t(`grade.${output.sign_level}`),
      date: castAt(divination.divinationTime),
      seal: { level: output.sign_level, isFull: GRADES.indexOf(output.sign_level) < 2 },
      conclusion: output.conclusion,
      adviceTitle: t("reading.advice"),
      advice: output.advice,
      name: t("name"),
    });
  const tried = (action) => () => action().catch((error) => error.name === "AbortError" || setError(error));
  const share = async () => {
    const file = new File([await asPicture()], fileName(title, "png"), { type: "image/png" });
    const shared = { title, text: output.conclusion.join("\n") };
    await navigator.share(navigator.canShare?.({ files: [file] }) ? { ...shared, files: [file] } : shared);
  };
  const isWhole = divination && output?.sign_level;
  return html`<p class="along">
    ${isWhole && navigator.share && html`<button type="button" class="quiet" onClick=${tried(share)}>${t("reading.share")}</button>`}
    ${isWhole && html`<button type="button" class="quiet" onClick=${tried(async () => download(await asPicture(), fileName(title, "png")))}>${t("reading.picture")}</button>`}
    <button type="button" class="quiet" onClick=${() => print()}>${t("reading.print")}</button>
    <button type="button" class="quiet" onClick=${tried(async () => download(json(await api.history(threadId)), fileName(title, "json")))}>${t("reading.export")}</button>
  </p>`;
}

/** Whether the history has the answer of a run. */
function isAnswered(messages, runId) {
  const asked = messages.findIndex((each) => runOf(each.id) === runId);
  return asked >= 0 && messages.slice(asked + 1).some((each) => each.role === "assistant");
}

function Reading({ api, session, parts: [threadId, startedRun] }) {
  const [messages, setMessages] = useState(null);
  const [runId, setRun] = useState(startedRun ?? null);
  const [asked, setAsked] = useState("");
  const [question, ask] = useState("");
  const [error, setError] = useState(null);
  const [said, say] = useState("");
  const [lit, light] = useState([]);
  const newest = useRef(null);
  const load = async () => {
    try {
      const kept = (await api.history(threadId)).messages;
      setMessages(kept);
      setError(null);
      if (runId && isAnswered(kept, runId)) {
        settle("reading", threadId);
        setAsked("");
        setRun(null);
      }
      return kept;
    } catch (caught) {
      setError(caught);
      return null;
    }
  };
  useEffect(() => void load(), [threadId]);
  const [run, watchAgain] = useRun(api, threadId, runId, async (state) => {
    if (state.ended === "LOST") return;
    const kept = await load();
    if (!kept || state.error) return;
    say(t("reading.complete", { grade: state.output?.sign_level ? t(`grade.${state.output.sign_level}`) : "" }));
  });
  const isLive = runId !== null && !run.ended;
  const submit = async (event) => {
    event.preventDefault();
    const text = question.trim();
    if (!text || isLive) return;
    const next = `run-${crypto.randomUUID()}`;
    setAsked(text);
    setError(null);
    try {
      await api.ask(threadId, next, text);
      ask("");
      settle("reading", threadId, next);
      setRun(next);
    } catch (caught) {
      setAsked("");
      setError(caught);
    }
  };
  useEffect(() => newest.current?.scrollIntoView?.({ block: "nearest" }), [asked]);
  const shown = messages ?? [];
  const divination = shown.map((each) => each.agent_output?.divination_derived).findLast(Boolean) ?? run.divination;
  const cast = shown.map((each) => each.agent_output).findLast((each) => each?.divination_derived && each.sign_level);
  const title = divination?.question ?? shown.find((each) => each.role === "user")?.content ?? "";
  const latestRun = runId ?? shown.map((each) => runOf(each.id)).findLast(Boolean);
  const known = shown.some((each) => runOf(each.id) === runId);
  if (messages === null && error && !run.text) {
    return html`<h1>${t("reading.title")}</h1>
      <${Problem} error=${error} retry=${load} />`;
  }
  return html`
    <h1 class="question">${title || t("reading.title")}</h1>
    <p class="hidden" role="status">${said}</p>
    <div class=${divination ? "columns" : "columns plain"}>
      ${divination && html`<${Plate} divination=${divination} focus=${cast?.divination_derived === divination ? focusOf(cast) : null} lit=${lit} forms=${startedRun !== undefined} />`}
      <section class="answers" aria-label=${t("reading.title")}>
        ${shown.map((each, index) =>
          each.role === "user"
            ? index > 0 && html`<p key=${each.id} class="asked">${each.content}</p>`
            : html`<article key=${each.id}>
                ${each.agent_output ? html`<${Whole} output=${each.agent_output} light=${light} />` : html`<${Markdown} text=${each.content} />`}
              </article>`,
        )}
        ${asked && !known && html`<p class="asked" ref=${newest}>${asked}</p>`}
        ${runId && (run.text || !run.error) && html`<article><${Live} run=${run} /></article>`}
        ${runId && html`<${WentOn} after=${run.wentOn} />`}
        ${run.error && html`<${Problem} error=${run.error} retry=${run.ended === "LOST" ? watchAgain : undefined} />`}
        ${error && html`<${Problem} error=${error} />`}
        ${
          isLive
            ? html`<p><button type="button" class="quiet" onClick=${() => api.cancel(threadId, runId).catch(setError)}>${t("stop")}</button></p>
                <${TellMe} api=${api} config=${session.config} />`
            : html`<form class="asking-on" onSubmit=${submit}>
                <label for="on">${t("reading.on")}</label>
                <div>
                  <textarea
                    id="on"
                    rows="1"
                    maxlength="2000"
                    required
                    value=${question}
                    onInput=${(event) => ask(event.target.value)}
                    onKeyDown=${(event) => {
                      if (event.key === "Enter" && !event.shiftKey && !event.isComposing) submit(event);
                    }}
                  ></textarea>
                  <button class="primary">${t("reading.ask")}</button>
                </div>
              </form>`
        }
        ${!isLive && shown.length > 0 && html`<${TakeAlong} api=${api} threadId=${threadId} divination=${divination} output=${cast} setError=${setError} />`}
        ${latestRun && html`<p class="fine"><a href=${address("glass", threadId, latestRun)}>${t("reading.glass")}</a></p>`}
      </section>
    </div>
  `;
}

export default { name: "reading", title: "reading.title", under: "history", component: Reading };
