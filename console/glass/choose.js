/** Chooses the run that the glass shows. */
import { html, useEffect, useState } from "../dom.js";
import { runOf } from "../api.js";
import { agentsByName } from "../agents.js";
import { Icon, Kind, about, sessionKind } from "../kinds.js";
import { Problem } from "../problem.js";
import { address, go } from "../router.js";
import { time, t } from "../words.js";
import { LARGEST, imported } from "./run_file.js";

/** Opens the file of a run. */
function Open({ show }) {
  const [isRefused, refuse] = useState(false);
  const chosen = async ({ target }) => {
    const [file] = target.files;
    const run = file && file.size <= LARGEST ? imported(await file.text()) : null;
    target.value = "";
    refuse(!run);
    if (run) show(run);
  };
  return html`<p class="from-file">
    <label class="chosen-file"><input type="file" accept=".json,application/json" onChange=${chosen} /><span>${t("glass.file")}</span></label>
    <span role="status">${isRefused && html`<span class="fault">${t("glass.file.refused")}</span>`}</span>
  </p>`;
}

/** Chooses a run by its ids, from the latest sessions, or from a file; `base` is what its address begins with. */
export function Choose({ api, session, threadId, show, lead, base = [] }) {
  const [runs, set] = useState(null);
  const [error, setError] = useState(null);
  const load = async (leaving = new AbortController()) => {
    setError(null);
    try {
      if (threadId) {
        const { messages } = await api.history(threadId);
        const found = messages.filter((each) => each.role === "user" && runOf(each.id));
        set(found.map((each) => ({ parts: [threadId, runOf(each.id)], title: each.content, at: each.timestamp })));
      } else {
        const [{ messages }, agents] = await Promise.all([api.sessions(), agentsByName(api)]);
        const entries = messages.map((each) => ({
          parts: [each.threadId],
          title: each.agent_output?.divination_derived?.question ?? each.content,
          at: each.timestamp,
        }));
        set(entries);
        for (const [index, { agent, agent_output: output, threadId }] of messages.entries()) {
          if ((output?.divination_derived && !agents.get(agent)?.taskName) || leaving.signal.aborted) continue;
          const found = about(await api.history(threadId, leaving.signal));
          const kind = sessionKind(found, agents, session.config);
          entries[index] = { ...entries[index], title: found.title ?? (kind.name || kind.title), kind };
          set([...entries]);
        }
      }
    } catch (caught) {
      if (!leaving.signal.aborted) setError(caught);
    }
  };
  useEffect(() => {
    const leaving = new AbortController();
    load(leaving);
    return () => leaving.abort();
  }, [threadId]);
  const submit = (event) => {
    event.preventDefault();
    const form = new FormData(event.target);
    go("glass", ...base, String(form.get("thread")).trim(), String(form.get("run")).trim());
  };
  return html`
    <p class="lead">${lead}</p>
    ${error && html`<${Problem} error=${error} retry=${() => load()} />`}
    ${
      runs?.length > 0 &&
      html`<h2>${t(threadId ? "glass.runs" : "glass.sessions")}</h2>
        <ul class="sessions">
          ${runs.map(
            (each) => html`<li class="entry">
              <a href=${address("glass", ...base, ...each.parts)}>
                <span class="about">
                  <span class="title">${each.title.slice(0, 200)}</span>
                  <span class="fine">
                    ${each.kind && html`<${Icon} kind=${each.kind.kind} /><${Kind} kind=${each.kind} beside=${each.title} />${" · "}`}
                    <time datetime=${each.at}>${time(each.at, { dateStyle: "medium", timeStyle: "short" })}</time>
                  </span>
                </span>
              </a>
            </li>`,
          )}
        </ul>`
    }
    ${runs?.length === 0 && threadId && html`<p class="empty">${t("glass.noRuns")} <a href=${address("session", threadId)}>${t("glass.openSession")}</a></p>`}
    <h2>${t("glass.byIds")}</h2>
    <form class="ids" onSubmit=${submit}>
      <label>${t("glass.thread")}<input name="thread" required maxlength="64" value=${threadId ?? ""} autocomplete="off" /></label>
      <label>${t("glass.run")}<input name="run" required maxlength="128" autocomplete="off" /></label>
      <button class="primary">${t("glass.watch")}</button>
    </form>
    <h2>${t("glass.files")}</h2>
    <${Open} show=${show} />
  `;
}
