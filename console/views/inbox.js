/** Shows what agents wait for: the open questions of all sessions, each answered where it stands. */
import { html, useEffect, useRef, useState } from "../dom.js";
import { Ask } from "../inbox/ask.js";
import { listOpen, readAgain, useQuestions } from "../inbox/questions.js";
import { NotificationsRow } from "../notifications/offers.js";
import { Problem } from "../problem.js";
import { address } from "../router.js";
import { t, time } from "../words.js";

/** What a question became, in a line. */
function outcomeOf({ status, payload }) {
  if (status === "cancelled") return "left";
  return payload?.approved === false ? "refused" : payload?.approved === true ? "approved" : "answered";
}

function Done({ question, done, focus }) {
  const line = useRef(null);
  useEffect(() => {
    if (focus) line.current?.focus();
  }, []);
  const { threadId, runId } = done.run ?? question;
  return html`<div class="question-card done" role="group" aria-label=${question.message}>
    <p class="what">${question.message}</p>
    <p tabindex="-1" ref=${line} role="status"><span class=${`standing ${done.state === "approved" || done.state === "answered" ? "done" : "pending"}`}>${t(`inbox.state.${done.state}`)}</span>
      ${" "}<a href=${address("talk", threadId, ...(done.run ? [runId] : []))}>${t(done.run ? "inbox.follow" : "inbox.open")}</a></p>
  </div>`;
}

function Inbox({ api, session }) {
  const { questions, hasMore, next, error } = useQuestions();
  const [more, setMore] = useState({ questions: [], hasMore: null, next: null });
  const [done, setDone] = useState(new Map());
  const [moreError, setMoreError] = useState(null);
  const seen = useRef(new Map());
  const leaving = useRef(new AbortController());
  useEffect(() => {
    readAgain(api);
    return () => leaving.current.abort();
  }, []);
  const finish = (question, how) => setDone((before) => new Map(before).set(question.id, how));
  const load = async () => {
    try {
      const page = await listOpen(api, more.next ?? next, leaving.current.signal);
      setMore((before) => ({ questions: [...before.questions, ...page.interrupts], hasMore: page.hasMore, next: page.next }));
      setMoreError(null);
    } catch (caught) {
      if (!leaving.current.signal.aborted) setMoreError(caught);
    }
  };
  for (const each of [...(questions ?? []), ...more.questions]) seen.current.set(each.id, each); // what ends stays in its place
  const inOrder = [...seen.current.values()].sort((one, other) => (one.id < other.id ? 1 : -1)); // ids grow with time
  const waiting = inOrder.filter((each) => !done.has(each.id)).length;
  const failed = error ?? moreError;
  return html`
    <h1>${t("inbox.heading")}</h1>
    ${failed && html`<${Problem} error=${failed} retry=${() => (moreError ? load() : readAgain(api))} />`}
    ${questions === null && !error && html`<p class="waiting">${t("loading")}</p>`}
    ${questions !== null && !inOrder.length && html`<p class="empty">${t("inbox.empty")} <a href=${address("talk")}>${t("empty.talk")}</a></p>`}
    <p class="hidden" role="status">${questions !== null && t("inbox.count", { count: waiting })}</p>
    <ul class="questions">
      ${inOrder.map((each) => {
        const ended = done.get(each.id);
        return html`<li key=${each.id}>
          ${
            ended
              ? html`<${Done} question=${each} done=${ended} focus=${ended.isHere} />`
              : html`<${Ask}
                  api=${api}
                  question=${each}
                  answered=${(run, given) => finish(each, { run, state: outcomeOf(given), isHere: true })}
                  ended=${(state, isHere) => finish(each, { state, isHere })}
                >
                  <p class="fine from"><span>${each.agent}</span> · <time datetime=${each.createdAt}>${time(each.createdAt, { dateStyle: "medium", timeStyle: "short" })}</time>
                    ${" · "}<a href=${address("talk", each.threadId, each.runId)}>${t("inbox.open")}</a></p>
                </${Ask}>`
          }
        </li>`;
      })}
    </ul>
    ${(more.hasMore ?? hasMore) && html`<button type="button" onClick=${load}>${t("history.more")}</button>`}
    <${NotificationsRow} api=${api} config=${session.config} />
  `;
}

export default { name: "inbox", title: "inbox.title", inNavigation: true, component: Inbox };
